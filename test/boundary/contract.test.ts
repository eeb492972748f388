// binding.d.ts and the shipped addon export the same names, testBinding.d.ts and the test addon
// likewise, and the shipped addon exports nothing that the library does not call.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addon } from '../addon.js';

const root = join(fileURLToPath(import.meta.url), '../../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder))
    .filter((file) => file.endsWith('.cpp'))
    .map((file) => read(`${folder}/${file}`));
const exportedBySources = (folder: string): string[] =>
  sourcesIn(folder).flatMap((text) =>
    [...text.matchAll(/(?:exports\.Set|\bset)\(\s*"(\w+)"/g)].map((match) => match[1]!),
  );

/** Functions and classes of a declaration file; a class with its body. */
function declarations(path: string): { functions: string[]; classes: Map<string, string> } {
  const text = withoutComments(read(path));
  return {
    functions: [...text.matchAll(/^export function (\w+)/gm)].map((match) => match[1]!),
    classes: new Map(
      [...text.matchAll(/^export class (\w+) \{([\s\S]*?)^\}/gm)].map((match) => [
        match[1]!,
        match[2]!,
      ]),
    ),
  };
}

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

const shipped = declarations('binding.d.ts');
const forTests = declarations('test/native/addon/testBinding.d.ts');
const shippedNames = [...shipped.functions, ...shipped.classes.keys()].sort();
const testNames = [...forTests.functions, ...forTests.classes.keys()].sort();

describe('contract of the addon', () => {
  it('binding.d.ts declares what the shipped addon exports, and nothing else', function () {
    // the sanitizers' build is a test addon alone
    if (process.env['ASOF_BINDING']?.includes('build-asan')) this.skip();
    const load = createRequire(import.meta.url)('node-gyp-build') as (folder: string) => object;
    assert.deepEqual(Object.keys(load(root)).sort(), shippedNames);
  });

  it('testBinding.d.ts declares what the test addon exports in addition', () => {
    assert.deepEqual(Object.keys(addon).sort(), [...shippedNames, ...testNames].sort());
    for (const [name, value] of Object.entries(addon)) assert.equal(typeof value, 'function', name);
  });

  it('no name is declared twice', () => {
    const all = [...shippedNames, ...testNames];
    assert.equal(new Set(all).size, all.length);
  });

  it('the library calls every function and class of binding.d.ts', () => {
    const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/lib`);
    const library = ['lib', ...packages]
      .flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('.ts'))
          .map((path) => withoutComments(read(`${folder}/${path}`))),
      )
      .join('\n');
    assert.deepEqual(
      shippedNames.filter(
        (name) => !new RegExp(`\\b(?:binding|loaded)\\.${name}\\b`).test(library),
      ),
      [],
    );
  });

  for (const [name, body] of [...shipped.classes, ...forTests.classes]) {
    it(`${name} has the members that its declaration has`, () => {
      const exported = (addon as unknown as Record<string, { prototype: object }>)[name]!;
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

  it(
    'export_all calls every file that exports.hpp lists, and every file sets names of its ' +
      'contract',
    () => {
      const listed = [...read('native/boundary/exports.hpp').matchAll(/void (export_\w+)\(/g)]
        .map((match) => match[1]!)
        .filter((name) => name !== 'export_all')
        .sort();
      const called = [...read('native/boundary/exports.cpp').matchAll(/^  (export_\w+)\(/gm)]
        .map((match) => match[1]!)
        .sort();
      assert.deepEqual(called, listed);
      assert.deepEqual(exportedBySources('native/boundary').sort(), shippedNames);
      assert.deepEqual(exportedBySources('test/native/addon').sort(), testNames);
    },
  );
});
