// Include directions of native/: a layer includes only layers to its left; no circles.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const sources = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', 'native', 'test/native/addon'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((path) => /\.(cpp|hpp)$/.test(path) && existsSync(join(root, path)));

/** From the left: a layer includes itself and layers before it. */
const layers = [
  'core',
  'temporal',
  'kernels',
  'timetag',
  'text',
  'encoder',
  'question',
  'statements',
  'facts',
  'reading',
  'device',
  'index/rows',
  'index/segment',
  'index/fields',
  'index/lexical',
  'index/vector',
  'training',
  'cuda',
  'boundary',
  'addon',
];
/** The CUDA library is opened at run time; what it shares with its callers lies below it. */
const notIncludedBy: Record<string, readonly string[]> = {
  cuda: [
    'index/rows',
    'index/segment',
    'index/lexical',
    'index/vector',
    'training',
    'boundary',
    'addon',
  ],
  'index/rows': ['cuda'],
  'index/segment': ['cuda'],
  'index/lexical': ['cuda'],
  'index/vector': ['cuda'],
  training: ['cuda'],
};

function layerOf(path: string): string {
  if (path.startsWith('test/') || path === 'native/addon.cpp') return 'addon';
  const [, first, second] = path.split('/') as [string, string, string];
  return first === 'index' ? `index/${second}` : first;
}

/** Files of this project that a file includes. */
function includes(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/^#include "([^"]+)"/gm)].map((match) => {
    const sibling = normalize(join(dirname(path), match[1]!));
    const candidates = [sibling, `native/${match[1]!}`, `test/native/${match[1]!}`];
    const file = candidates.find((each) => existsSync(join(root, each)));
    assert.ok(file, `${path} includes ${match[1]!}, which is no file`);
    return file;
  });
}

describe('includes of native/', () => {
  it('a layer includes only layers to its left', () => {
    const wrong: string[] = [];
    for (const path of sources) {
      const from = layerOf(path);
      assert.ok(layers.includes(from), `${path} lies in no layer`);
      for (const target of includes(path)) {
        const to = layerOf(target);
        if (layers.indexOf(to) <= layers.indexOf(from) && !notIncludedBy[to]?.includes(from))
          continue;
        wrong.push(`${from} -> ${to}: ${path} includes ${target}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('files include each other in no circle', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (path: string, above: readonly string[]): void => {
      if (above.includes(path))
        circles.push([...above.slice(above.indexOf(path)), path].join(' -> '));
      if (done.has(path)) return;
      done.add(path);
      for (const target of includes(path)) visit(target, [...above, path]);
    };
    for (const path of sources) visit(path, []);
    assert.deepEqual(circles, []);
  });

  it('only boundary/ and the entry points include N-API', () => {
    assert.deepEqual(
      sources.filter(
        (path) =>
          !['boundary', 'addon'].includes(layerOf(path)) &&
          /<(?:napi|node_api)\.h>/.test(readFileSync(join(root, path), 'utf8')),
      ),
      [],
    );
  });
});
