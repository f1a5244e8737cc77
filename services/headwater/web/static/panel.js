// The panel beside the results: where a symbol is defined, and every use of it.
import { ask } from '/api.js';
import { codeOf, pathOf, revealMark } from '/code.js';
import { byId, el, plural } from '/dom.js';

const trail = [];
let before = null;
let asking = null;
let searchText = () => {};

export function connect(onSearchText) {
  searchText = onSearchText;
  byId('close').addEventListener('click', close);
  byId('back').addEventListener('click', () => {
    trail.pop();
    fill(trail.at(-1));
  });
}

export const isOpen = () => !byId('panel').hidden;

export function open(at) {
  if (!isOpen()) before = document.activeElement;
  trail.push(at);
  byId('panel').hidden = false;
  document.body.classList.add('with-panel');
  fill(at);
}

export function close() {
  asking?.abort();
  trail.length = 0;
  byId('panel').hidden = true;
  document.body.classList.remove('with-panel');
  before?.focus?.({ preventScroll: true });
}

async function fill(at) {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  byId('back').hidden = trail.length < 2;
  byId('panel-title').textContent = at.name;
  byId('panel-title').focus({ preventScroll: true });
  const definitions = el('section', {}, el('h3', {}, 'Definition'), waiting());
  const usages = el('section', {}, el('h3', {}, 'Usages'), waiting());
  byId('panel-body').replaceChildren(definitions, usages);
  byId('panel').scrollTop = 0;
  const subject = at.symbol ? { symbol: at.symbol } : { path: at.path, line: at.line, col: at.col };
  const parameters = { ...subject, repo: at.repo, ref: at.ref };
  await Promise.all([
    part(definitions, () => ask('definitions', parameters, signal), (page) => showDefinitions(definitions, page)),
    part(usages, () => ask('usages', parameters, signal), (page) => showUsages(usages, page, parameters, signal)),
  ]).catch((error) => {
    if (error.name !== 'AbortError') byId('panel-body').replaceChildren(missing(at, error));
  });
}

async function part(section, question, show) {
  const page = await question();
  section.querySelector('.waiting')?.remove();
  show(page);
}

function showDefinitions(section, page) {
  section.querySelector('h3').append(count(page.total));
  for (const place of page.results) {
    section.append(el('div', { class: 'file' }, el('div', { class: 'path' }, pathOf(place)), codeOf(place, new Set(), open, 40)));
  }
}

function showUsages(section, page, parameters, signal) {
  const heading = section.querySelector('h3');
  if (!heading.querySelector('.badge')) {
    heading.append(count(page.total), el('span', { class: `badge ${page.complete ? 'good' : 'warn'}` }, page.complete ? 'complete' : 'not complete'));
  }
  for (const [, places] of byFile(page.results)) {
    const lines = places.map((place) => codeOf(place, new Set(), open));
    const { path, ...rest } = places[0];
    const head = pathOf({ path, ...rest });
    head.querySelector('.lines').textContent = ` ${plural(places.length, 'use')}`;
    const guessed = places.filter((place) => place.certainty === 'by_name').length;
    if (guessed) head.append(el('span', { class: 'badge warn', title: 'The names are equal, and nothing speaks against it' }, `${guessed} by name only`));
    section.append(el('div', { class: 'file' }, el('div', { class: 'path' }, head), ...lines));
    lines.forEach(revealMark);
  }
  if (!page.total) section.append(el('p', {}, 'Nothing uses it.'));
  if (!page.next_page) return;
  const more = el('button', { type: 'button', class: 'unfold' }, 'More usages');
  more.addEventListener('click', async () => {
    more.remove();
    showUsages(section, await ask('usages', { ...parameters, page: page.next_page }, signal), parameters, signal);
  });
  section.append(more);
}

function byFile(places) {
  const files = new Map();
  for (const place of places) {
    const key = `${place.repo} ${place.ref} ${place.path}`;
    files.set(key, [...(files.get(key) ?? []), place]);
  }
  return files;
}

function missing(at, error) {
  const text = el('button', { type: 'button', onclick: () => searchText(`"${at.name}"`) }, 'Find it as text');
  const known = error.reason === 'UNKNOWN_SYMBOL' || error.reason === 'INVALID_FIELD';
  return el('p', { class: 'empty' }, known ? `${at.name} is not defined in the index. ` : `${error.message} `, text);
}

const waiting = () => el('p', { class: 'waiting' }, 'Asking…');
const count = (total) => el('span', { class: 'badge' }, total.toLocaleString('en'));
