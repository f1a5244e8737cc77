// The list of results: one card each, one of them selected.
import { FOLDED_LINES, codeOf, pathOf } from '/code.js';
import { byId, el, shortRef } from '/dom.js';

const KINDS = { lines: 'text', block: 'code', match: 'text match', file: 'file' };
let selected = -1;

export function clear() {
  byId('results').replaceChildren();
  selected = -1;
}

export function show(page, words, several, open) {
  byId('results').append(...page.results.map((place) => el('li', {}, card(place, words, several, open))));
}

function card(place, words, several, open) {
  const article = el('article', { class: 'result', tabindex: '-1' }, head(place, several, open));
  const folded = place.lines.length > FOLDED_LINES + 3;
  article.label = `${place.name || place.path}, ${place.path} line ${place.line}`;
  article.setAttribute('aria-label', article.label);
  if (place.lines.length) article.append(codeOf(place, words, open, folded ? FOLDED_LINES : Infinity));
  article.openSymbol = () => (place.name ? open(own(place)) : article.unfold?.());
  article.addEventListener('mousedown', () => select([...all()].indexOf(article), false));
  if (!folded) return article;
  const button = el('button', { type: 'button', class: 'unfold' }, `Show all ${place.lines.length} lines`);
  article.unfold = () => {
    article.querySelector('.code').replaceWith(codeOf(place, words, open));
    button.remove();
    article.unfold = undefined;
  };
  button.addEventListener('click', () => article.unfold());
  article.append(button);
  return article;
}

function head(place, several, open) {
  const facts = el('span', { class: 'facts' });
  if (place.name) facts.append(el('button', { type: 'button', class: 'symbol', onclick: () => open(own(place)) }, shortName(place)));
  facts.append(el('span', { class: 'badge kind' }, KINDS[place.kind] ?? place.kind));
  if (place.certainty === 'by_name') facts.append(badge('by name', 'Only the name is known to be equal'));
  if (place.duplicates) facts.append(badge(`+${place.duplicates} alike`, 'Near-equal results folded into this one'));
  if (place.generated) facts.append(badge('generated', 'Generated, vendored or minified'));
  if (several) facts.append(badge(`${place.repo} · ${shortRef(place.ref)}`, 'Repository and ref'));
  return el('div', { class: 'result-head' }, pathOf(place), facts);
}

const badge = (text, title) => el('span', { class: 'badge', title }, text);
const shortName = (place) => place.name.split('.').slice(-2).join('.');
const own = (place) => ({ name: place.name, symbol: place.name, repo: place.repo, ref: place.ref });
const all = () => byId('results').querySelectorAll('.result');

export const current = () => all()[selected];

export function move(by) {
  const cards = all();
  if (cards.length) select(Math.min(cards.length - 1, Math.max(0, selected + by)), true);
}

function select(index, focus) {
  current()?.classList.remove('selected');
  selected = index;
  const card = current();
  card?.classList.add('selected');
  if (focus && card) {
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'nearest' });
  }
}
