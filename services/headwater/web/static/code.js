// Code with line numbers, colours, marks, and identifiers that open their symbol on click.
import { el } from '/dom.js';

const IDENTIFIERS = new Set(['n', 'f', 't', 'd']);
export const FOLDED_LINES = 14;

// `open({name, repo, ref, path, line, col})` is called for a clicked identifier.
export function codeOf(place, words, open, most = Infinity) {
  const code = el('div', { class: 'code', role: 'group', 'aria-label': `Code of ${place.path}`, tabindex: '0' });
  code.append(...place.lines.slice(0, most).map((line) => row(place, line, words, open)));
  return code;
}

function row(place, [number, start, tokens], words, open) {
  const text = el('span', { class: 'text' });
  let col = start;
  for (const [kind, content] of tokens) {
    const hit = isUse(place, number, col) || words.has(content.toLowerCase());
    const part = el(hit ? 'mark' : 'span', { class: kind }, content);
    if (IDENTIFIERS.has(kind) && /[\p{L}_]/u.test(content)) {
      const at = { name: content, repo: place.repo, ref: place.ref, path: place.path, line: number, col };
      part.classList.add('id');
      part.addEventListener('click', () => open(at));
    }
    text.append(part);
    col += start ? [...content].length : 0;
  }
  return el('div', { class: 'row' }, el('span', { class: 'no', 'aria-hidden': 'true' }, String(number)), text);
}

const isUse = (place, number, col) => Boolean(place.definition) && number === place.line && col === place.col;

// A mark at the end of a long line is scrolled to.
export function revealMark(code) {
  const beyond = (code.querySelector('mark')?.getBoundingClientRect().right ?? 0) - code.getBoundingClientRect().right;
  if (beyond > 0) code.scrollLeft = beyond + 24;
}

export function pathOf(place) {
  const cut = place.path.lastIndexOf('/') + 1;
  const lines = place.last > place.line ? `${place.line}–${place.last}` : `${place.line}`;
  return el('span', { class: 'path' }, place.path.slice(0, cut), el('b', {}, place.path.slice(cut)), el('span', { class: 'lines' }, `:${lines}`));
}
