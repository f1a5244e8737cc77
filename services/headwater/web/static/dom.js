// Builds elements from text: nothing that the server sends is ever read as HTML.
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
    else if (name === 'class') made.className = value;
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== undefined && child !== '' && child !== null));
  return made;
}

export const byId = (id) => document.getElementById(id);

export const shortRef = (ref) => ref.replace(/^refs\/(heads|tags)\//, '').replace(/^([0-9a-f]{12})[0-9a-f]{28}$/, '$1');

export const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

export function ago(seconds) {
  for (const [size, unit] of [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']]) {
    if (seconds >= size) return `${Math.floor(seconds / size)} ${unit} ago`;
  }
  return 'just now';
}
