#!/bin/bash
. "$(dirname "$0")/../lib.sh"
shop() {
	echo '{"name":"shop","type":"module"}' | put package.json
	put src/cart.js <<'E'
export function total(items) {
  let sum = 0;
  for (let i = 1; i < items.length; i++) sum += items[i].price;
  return sum;
}

export function first(items) {
  return items[0].price;
}
E
}
t() { put test/cart.test.js; }
imports="import { test } from 'node:test';"
begin fail-tap; shop
t <<'E'
import { test, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { total, first } from '../src/cart.js';

test('adds prices', () => {
  console.log('# fail 7');
  assert.equal(total([{ price: 2 }, { price: 3 }]), 5);
});

describe('first', () => {
  it('takes the first', () => {
    assert.deepEqual({ a: first([{ price: 2 }]) }, { a: 2 });
  });
  it('of nothing', () => {
    assert.equal(first([]), undefined);
  });
});

test('later', { todo: true }, () => { throw new Error('not done'); });
test('skipped', { skip: 'no' }, () => {});
test('async', async () => {
  await new Promise((r) => setTimeout(r, 1));
  throw new TypeError('late failure');
});
E
fin 'node --test --test-reporter=tap'
begin fail-spec fail-tap; fin 'node --test --test-reporter=spec'
begin fail-file fail-tap; fin 'node test/cart.test.js'
begin fail-dot fail-tap; fin 'node --test --test-reporter=dot'
begin lost-exit fail-tap; fin 'node --test --test-reporter=tap | cat'
begin mixed-load fail-tap; echo "import { tax } from '../src/cart.js';" | put test/tax.test.js; fin 'node --test --test-reporter=spec'
begin missing-export; shop
printf "%s\nimport assert from 'node:assert/strict';\nimport { tax } from '../src/cart.js';\n\ntest('tax', () => { assert.equal(tax(10), 2); });\n" "$imports" | t
fin 'node --test --test-reporter=tap'
begin missing-export-spec missing-export; fin 'node --test --test-reporter=spec'
begin missing-export-file missing-export; fin 'node test/cart.test.js'
begin missing-module; shop; printf "%s\nimport { tax } from '../src/tax.js';\n\ntest('tax', () => { tax(10); });\n" "$imports" | put test/tax.test.js
fin 'node --test --test-reporter=tap'
begin missing-module-in-code missing-module; printf "import { rate } from './rates.js';\nexport const tax = rate;\n" | put src/tax.js
fin 'node --test --test-reporter=spec'
begin missing-require; echo '{}' | put package.json
printf "const { test } = require('node:test');\nconst { tax } = require('../src/tax');\n\ntest('tax', () => { tax(10); });\n" | put test/tax.test.js
fin 'node --test --test-reporter=spec'
begin late-require; echo '{}' | put package.json
printf "function check() {\n  require('./later');\n}\nconsole.log('1 checked');\ncheck();\n" | put check.js
fin 'node check.js'
begin syntax-error; shop; printf "%s\ntest('x', () => { const = 1; });\n" "$imports" | t; fin 'node --test --test-reporter=tap'
begin load-throws; shop; printf "%s\nimport { total } from '../src/cart.js';\ntotal(null);\ntest('x', () => {});\n" "$imports" | t; fin 'node --test --test-reporter=tap'
begin json-parse; shop; printf "%s\nJSON.parse('{');\n" "$imports" | t; fin 'node --test --test-reporter=spec'
begin no-tests; echo '{}' | put package.json; fin 'node --test --test-reporter=tap'
begin no-tests-match; shop; printf "%s\ntest('x', () => {});\n" "$imports" | t; fin 'node --test --test-name-pattern=nothing --test-reporter=spec'
begin pass-tap; shop
t <<'E'
import { test } from 'node:test';
test('ok one', () => { console.log('not ok 1 - printed\n# fail 2\n1..1\n# tests 1\n# suites 0\n# pass 0\n# fail 1'); });
test('todo', { todo: true }, () => { throw new Error('x'); });
E
fin 'node --test --test-reporter=tap'
begin pass-spec pass-tap; fin 'node --test --test-reporter=spec'
begin exit-zero; shop; printf "%s\ntest('fails', () => { throw new Error('real'); });\ntest('leaves', async () => { await 0; process.exit(0); });\n" "$imports" | t
fin 'node test/cart.test.js'
begin timeout; shop; printf "%s\ntest('hangs', { timeout: 50 }, async () => { await new Promise((r) => setTimeout(r, 500)); });\n" "$imports" | t
fin 'node --test --test-reporter=spec'
begin script; shop
put check.js <<'E'
import assert from 'node:assert';
import { total } from './src/cart.js';

function check() {
  assert.strictEqual(total([{ price: 1 }, { price: 2 }]), 3);
}
check();
E
fin 'node check.js'
begin script-throws; shop; printf "import { first } from './src/cart.js';\n\nfirst([]);\n" | put 'my check.mjs'; fin 'node "my check.mjs"'
[ -n "${NODE_TOOLS-}" ] || exit 0
begin jest; echo '{}' | put package.json
printf 'exports.total = (items) => items.slice(1).reduce((a, b) => a + b, 0);\nexports.first = (items) => items[0].price;\n' | put src/cart.js
put test/cart.test.js <<'E'
const { total, first } = require('../src/cart');

describe('cart', () => {
  test('adds', () => {
    expect(total([1, 2])).toBe(3);
  });
  test('first', () => {
    expect(first([])).toBe(1);
  });
});
E
fin 'node $NODE_TOOLS/node_modules/jest/bin/jest.js --rootDir=. --colors=false'
begin mocha jest; rm test/cart.test.js
printf "const assert = require('assert');\nconst { total } = require('../src/cart');\nit('adds', () => { assert.strictEqual(total([1, 2]), 3); });\n" | put test/cart.js
fin 'node $NODE_TOOLS/node_modules/mocha/bin/mocha.js'
