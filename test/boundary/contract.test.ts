// binding.d.ts, the addon and addon.cpp agree on what is exported: every name on either side fails
// the test where it is missing on the other, and so does every method and accessor of a class.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binding } from '../../lib/binding.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
const contract = readFileSync(join(root, 'binding.d.ts'), 'utf8')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\/\/.*$/gm, '');
const addon = binding as unknown as Record<string, unknown>;

const declaredFunctions = [...contract.matchAll(/^export function (\w+)/gm)].map(
  (match) => match[1]!,
);
const declaredClasses = new Map(
  [...contract.matchAll(/^export class (\w+) \{([\s\S]*?)^\}/gm)].map((match) => [
    match[1]!,
    match[2]!,
  ]),
);

/** Member names declared at the outermost level of a class's body. */
function members(body: string): { instance: string[]; static: string[] } {
  const outermost = [...body.matchAll(/^  (static )?(?:readonly )?(\w+)[?(:]/gm)].filter(
    (match) => match[2] !== 'constructor',
  );
  return {
    instance: outermost
      .filter((match) => !match[1])
      .map((match) => match[2]!)
      .sort(),
    static: outermost
      .filter((match) => match[1])
      .map((match) => match[2]!)
      .sort(),
  };
}

describe('contract of the addon', () => {
  it('binding.d.ts declares what the addon exports, and nothing else', () => {
    assert.deepEqual(
      [...declaredFunctions, ...declaredClasses.keys()].sort(),
      Object.keys(addon).sort(),
    );
    for (const [name, value] of Object.entries(addon)) assert.equal(typeof value, 'function', name);
  });

  it('no function is declared twice', () =>
    assert.equal(new Set(declaredFunctions).size, declaredFunctions.length));

  for (const [name, body] of declaredClasses) {
    it(`${name} has the members that binding.d.ts declares`, () => {
      const exported = addon[name] as { prototype: object };
      const declared = members(body);
      assert.deepEqual(
        Object.getOwnPropertyNames(exported.prototype)
          .filter((member) => member !== 'constructor')
          .sort(),
        declared.instance,
      );
      const builtIn = ['length', 'name', 'prototype', 'arguments', 'caller'];
      assert.deepEqual(
        Object.getOwnPropertyNames(exported)
          .filter((member) => !builtIn.includes(member))
          .sort(),
        declared.static,
      );
    });
  }

  it('addon.cpp calls every file that exports.hpp lists, and every file of boundary/ sets names that the contract has', () => {
    const read = (path: string) => readFileSync(join(root, 'native', path), 'utf8');
    const listed = [...read('boundary/exports.hpp').matchAll(/void (export_\w+)\(/g)]
      .map((match) => match[1]!)
      .sort();
    const called = [...read('addon.cpp').matchAll(/(export_\w+)\(/g)]
      .map((match) => match[1]!)
      .sort();
    assert.deepEqual(called, listed);
    const sources = readdirSync(join(root, 'native/boundary')).filter((file) =>
      file.endsWith('.cpp'),
    );
    const set = sources.flatMap((file) =>
      [...read(`boundary/${file}`).matchAll(/exports\.Set\("(\w+)"/g)].map((match) => match[1]!),
    );
    assert.deepEqual(set.sort(), Object.keys(addon).sort());
  });
});
