// docs/supply-chain.md and the software bill of materials against the packages that are installed
// and the files that are published.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './publicApi.js';

interface Component {
  type: string;
  'bom-ref': string;
  name: string;
  version?: string;
  licenses: { expression: string }[];
  hashes?: { alg: string; content: string }[];
}

const { bill, generated, installed, models, platforms, satellites, tables } = createRequire(
  import.meta.url,
)(join(root, 'scripts', 'supply-chain.cjs')) as {
  bill(): {
    metadata: { component: Component };
    components: Component[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  generated: RegExp;
  installed(): { place: string; name: string; version: string; licence: string; users: string[] }[];
  satellites: { name: string; dependencies?: object }[];
  models: { name: string }[];
  platforms: string[];
  tables(): string;
};
const json = (...path: string[]): Record<string, any> =>
  JSON.parse(readFileSync(join(root, ...path), 'utf8')) as Record<string, any>;

/** What asof and its packages name of others' packages. */
const direct = (): string[] => {
  const named = [json('package.json'), ...satellites].flatMap(({ dependencies }) =>
    Object.keys((dependencies as object | undefined) ?? {}),
  );
  return [...new Set(named)].filter((name) => !name.startsWith('@asof/')).sort();
};

describe('the supply chain', () => {
  it('installs from the registry alone: onnxruntime-node would fetch CUDA libraries', () => {
    // npm runs no install script of a package that the lock file does not say has one.
    const { packages } = json('package-lock.json') as { packages: Record<string, object> };
    assert.ok(!('hasInstallScript' in packages['node_modules/onnxruntime-node']!));
  });

  it('is what docs/supply-chain.md says (node scripts/supply-chain.cjs docs writes it)', () => {
    const page = readFileSync(join(root, 'docs', 'supply-chain.md'), 'utf8');
    const [whole, head, end] = generated.exec(page)!;
    assert.equal(whole, `${head}\n${tables()}\n${end}`);
  });

  it('has the versions and licences that the installed packages state', () => {
    assert.deepEqual(
      installed().flatMap(({ name, users }) => (users.length > 0 ? [name] : [])),
      direct(),
    );
    for (const { place, name, version, licence } of installed()) {
      const stated = json(place, 'package.json');
      assert.deepEqual([stated['version'], stated['license']], [version, licence], name);
      assert.match(licence, /^(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD)$/, name);
      assert.ok(
        !Object.keys(stated['scripts'] ?? {}).some((each) => /^(?:pre|post)?install$/.test(each)),
        name,
      );
    }
  });

  it('has every dependency in the decision that gives its reason', () => {
    const decision = readFileSync(join(root, 'docs/decisions/runtime-dependencies.md'), 'utf8');
    for (const name of direct()) assert.ok(decision.includes(`\`${name}\``), name);
  });

  it('has every model that the package ships', () => {
    const shipped = (json('package.json')['files'] as string[]).filter((each) =>
      /^models\/(?!README)/.test(each),
    );
    assert.deepEqual(shipped, [
      'models/*.bin',
      'models/hybrid-ranker.json',
      'models/time-extractor',
    ]);
    for (const { name } of models) assert.ok(existsSync(join(root, 'models', name)), name);
  });

  it('has a bill with one component for each, all of them licensed', () => {
    const { components, dependencies, metadata } = bill();
    const refs = [metadata.component, ...components].map((each) => each['bom-ref']);
    assert.equal(new Set(refs).size, refs.length);
    for (const { name, licenses } of components)
      assert.ok(licenses[0]!.expression.length > 2, name);
    const hashed = components.filter(({ hashes }) => hashes).map(({ name }) => name);
    const expected = [...installed(), ...models].map(({ name }) => name);
    assert.deepEqual(hashed, expected);
    assert.equal(platforms.length, 6);
    assert.ok(platforms.every((name) => components.some((each) => each.name === name)));
    for (const { dependsOn } of dependencies)
      for (const ref of dependsOn) assert.ok(refs.includes(ref), ref);
  });
});
