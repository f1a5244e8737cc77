const { readFile, join: joinPath } = require('fs');
const path = require('path');
import defaultThing, { named as renamed } from './lib.js';
export * from './all.js';
export { inner as outer };

/** Adds. Twice. */
const add = (a, b = 1) => a + b;
const load = async ({ url, retries: { max = 3 } }, ...rest) => {
  const text = await readFile(joinPath(url, path.sep));
  return renamed(text, max, rest);
};

const api = {
  fetch: async (id) => load(id),
  stop() {},
  get size() { return 1; },
  add,
  'quoted key': 1,
};

function inner(list) {
  var count = 0;
  for (const item of list) { count += item.value; }
  function add(x) { return x; }
  label: for (;;) { break label; }
  try { [count, api.total] = pair; } catch (error) { throw error; }
  return add(count) + this.total;
}

class Counter extends Base {
  #hidden = 1;
  static limit = 10;
  handler = (event) => this.bump(event);
  constructor(start) { super(start); this.count = start; }
  bump() { this.count++; return new Counter(this.#hidden)?.count; }
}

exports.make = function (x) { return <Panel title={x}><div /></Panel>; };
export default Counter;
