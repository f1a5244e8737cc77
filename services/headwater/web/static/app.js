// The page: asks, shows, and listens to the keys. The address holds the question, so that it can be shared.
import { ask } from '/api.js';
import { byId, el, plural } from '/dom.js';
import * as freshness from '/freshness.js';
import * as panel from '/panel.js';
import * as results from '/results.js';

const READ_AS = { identifier: 'by name', natural_language: 'in words', usages: 'usages', path: 'by path', mixed: 'words and names', literal: 'exact text' };
const REFRESH_MS = 20000;
const query = byId('query');
const more = byId('more');
let asking = null;
let last = null;

async function search(push = true) {
  const q = query.value.trim();
  if (panel.isOpen()) panel.close();
  asking?.abort();
  asking = null;
  if (push) remember(q);
  document.title = q ? `${q} · Headwater` : 'Headwater';
  byId('start').hidden = Boolean(q);
  results.clear();
  more.hidden = true;
  last = null;
  if (!q) return start();
  await next({ q, ...freshness.chosenView() });
}

function start() {
  byId('status').replaceChildren();
  freshness.showTable((value) => {
    byId('view').value = value;
    query.focus();
  });
}

async function next(parameters) {
  const mine = new AbortController();
  asking = mine;
  byId('status').classList.add('busy');
  try {
    const page = await ask('search', parameters, mine.signal);
    if (!parameters.page) await freshness.refresh().catch(() => {});
    if (asking === mine) show(parameters, page);
  } catch (error) {
    if (asking === mine) showFailure(error);
  } finally {
    if (asking === mine) byId('status').classList.remove('busy');
  }
}

function show(parameters, page) {
  last = { parameters, page };
  results.show(page, words(parameters.q), freshness.several(), panel.open);
  more.hidden = !page.next_page;
  showStatus(page);
}

const words = (q) => new Set(q.toLowerCase().match(/[\p{L}\p{N}_]{3,}/gu) ?? []);

function showStatus(page) {
  const found = el('strong', {}, `${plural(page.total, 'result')}${page.complete ? '' : ' or more'}`);
  const facts = [found, el('span', {}, `read ${READ_AS[page.kind] ?? 'as text'} · ${page.milliseconds} ms`), freshness.badgeOf(page)];
  if (page.degraded.length) facts.push(el('span', { class: 'badge warn' }, `without ${page.degraded.join(', ')}`));
  if (!page.complete) facts.push(el('span', { class: 'badge warn' }, 'cut short: narrow it with repo: path: lang:'));
  byId('status').replaceChildren(...facts);
  if (!page.total) byId('results').replaceChildren(nothing());
}

function nothing() {
  const quoted = `"${query.value.trim().replaceAll('"', '')}"`;
  return el('li', { class: 'empty' }, 'Nothing found. ', el('button', { type: 'button', onclick: () => searchFor(quoted) }, `Find ${quoted} as text`));
}

function showFailure(error) {
  const notice = el('div', { class: 'notice', role: 'alert' }, error.message);
  for (const near of error.suggestions ?? []) {
    notice.append(el('button', { type: 'button', onclick: () => searchFor(near) }, near));
  }
  if (error.reason === 'PAGE_EXPIRED') notice.append(el('button', { type: 'button', onclick: () => search(false) }, 'Ask again'));
  byId('status').replaceChildren();
  more.hidden = true;
  byId('results').append(el('li', {}, notice));
}

function searchFor(text) {
  query.value = text;
  search();
}

function remember(q) {
  const parameters = new URLSearchParams(Object.entries({ q, view: byId('view').value }).filter(([, value]) => value));
  const address = parameters.size ? `/?${parameters}` : '/';
  if (address !== location.pathname + location.search) history.pushState(null, '', address);
}

async function fromAddress() {
  const parameters = new URLSearchParams(location.search);
  query.value = parameters.get('q') ?? '';
  byId('view').value = parameters.get('view') ?? '';
  await search(false);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') return escape(event);
  if (event.target.closest('input, select, textarea')) {
    if (event.target === query && event.key === 'ArrowDown') act(event, () => results.move(1));
    return;
  }
  const card = results.current();
  if (event.key === '/') act(event, () => query.select());
  else if (event.key === 'j') act(event, () => results.move(1));
  else if (event.key === 'k') act(event, () => results.move(-1));
  else if (event.key === 'e') card?.unfold?.();
  else if (event.key === 'Enter' && event.target === card) act(event, () => card.openSymbol());
}

function escape(event) {
  if (panel.isOpen()) act(event, panel.close);
  else if (event.target !== query) act(event, () => query.select());
  else act(event, () => query.blur());
}

function act(event, work) {
  event.preventDefault();
  work();
}

async function watchFreshness() {
  if (document.hidden) return;
  await freshness.refresh().catch(() => {});
  if (!last) return start();
  if (!freshness.isOutdated(last.page.as_of) || byId('renew')) return;
  byId('status').append(el('button', { id: 'renew', type: 'button', onclick: () => search(false) }, 'A newer commit is searchable: ask again'));
}

byId('ask').addEventListener('submit', (event) => act(event, () => search()));
byId('view').addEventListener('change', () => search());
more.addEventListener('click', () => next({ ...last.parameters, page: last.page.next_page }));
document.querySelectorAll('[data-query]').forEach((button) => button.addEventListener('click', () => searchFor(button.dataset.query)));
document.addEventListener('keydown', onKey);
window.addEventListener('popstate', fromAddress);
panel.connect(searchFor);
setInterval(watchFreshness, REFRESH_MS);
query.focus();
await freshness.refresh().catch(showFailure);
await fromAddress();
