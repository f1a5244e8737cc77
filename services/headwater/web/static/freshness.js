// What is indexed and how fresh it is: the choice of view, the table of the start page, the badge of an answer.
import { ask } from '/api.js';
import { ago, byId, el, shortRef } from '/dom.js';

let views = [];

export const several = () => new Set(views.map((view) => view.repo)).size > 1;

// True when an answer's commit is no longer what is searchable.
export const isOutdated = (asOf) => asOf.some((seen) => views.some((v) => v.repo === seen.repo && v.ref === seen.ref && v.commit !== seen.commit));

export async function refresh() {
  views = (await ask('views')).views;
  const chosen = byId('view').value || new URLSearchParams(location.search).get('view') || '';
  const options = [el('option', { value: '' }, several() ? 'All repositories' : 'Default branch')];
  for (const repo of new Set(views.map((view) => view.repo))) {
    const group = el('optgroup', { label: repo });
    for (const view of views.filter((one) => one.repo === repo)) {
      group.append(el('option', { value: valueOf(view) }, several() ? `${repo} · ${shortRef(view.ref)}` : shortRef(view.ref)));
    }
    options.push(group);
  }
  byId('view').replaceChildren(...options);
  byId('view').value = views.some((view) => valueOf(view) === chosen) ? chosen : '';
}

const valueOf = (view) => `${view.repo}@${view.ref}`;

export function chosenView() {
  const value = byId('view').value;
  const view = views.find((one) => valueOf(one) === value);
  return view ? { repo: view.repo, ref: view.ref } : {};
}

export function showTable(choose) {
  byId('views').querySelector('tbody').replaceChildren(
    ...views.map((view) => el('tr', {},
      el('td', {}, el('button', { type: 'button', onclick: () => choose(valueOf(view)) }, view.repo)),
      el('td', {}, shortRef(view.ref)),
      el('td', {}, el('code', {}, view.commit.slice(0, 12) || '–')),
      el('td', {}, state(view)))),
  );
}

function state(view) {
  if (!view.commit) return el('span', { class: 'badge warn' }, 'first index under way');
  if (view.indexing) return el('span', { class: 'badge warn' }, 'indexing ', el('code', {}, view.indexing.slice(0, 8)));
  const title = view.proven ? "The index's own Merkle root equals the commit's tree" : 'Not yet proven against the commit';
  return el('span', { class: `badge ${view.proven ? 'good' : 'warn'}`, title }, `${view.proven ? 'proven' : 'not proven'}, searchable since ${ago(view.age).replace(' ago', '')}`);
}

// One badge for an answer: the commit when it is about one view, else how many.
export function badgeOf(page) {
  if (page.as_of.length !== 1) return el('span', { class: 'badge' }, `${page.views} views`);
  const [seen] = page.as_of;
  const view = views.find((one) => one.repo === seen.repo && one.ref === seen.ref);
  const fresh = view?.proven && !view.indexing && view.commit === seen.commit;
  const age = view?.commit === seen.commit ? `, since ${ago(view.age).replace(' ago', '')}` : '';
  const title = `This answer is exact for commit ${seen.commit}`;
  const after = view?.indexing ? ', newer commit being indexed' : age;
  const text = el('span', {}, `${seen.repo} · ${shortRef(seen.ref)} · `, el('code', {}, seen.commit.slice(0, 8)), after);
  return el('span', { class: `badge ${fresh ? 'good' : 'warn'}`, title }, text);
}
