// Doc comments of the public API: every exported function, class and constant has one.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const folders = [
  ...['lib', 'lib/time', 'lib/papers', 'lib/models'],
  ...['documents', 'evaluation', 'training', 'server', 'postgres'].map(
    (name) => `packages/${name}/lib`,
  ),
];

/** Names of values exported under their own name, with the file that declares them. */
function exportedValues(folder: string): { name: string; file: string }[] {
  const index = readFileSync(join(root, folder, 'index.ts'), 'utf8');
  return [...index.matchAll(/export (type )?\{([^}]*)\} from '(\.[^']*)\.js'/g)].flatMap(
    ([, type, names, file]) =>
      type !== undefined
        ? []
        : names!.split(',').flatMap((each) => {
            const name = each.trim().split(' as ')[0]!;
            return name === '' || name.startsWith('type ')
              ? []
              : [{ name, file: join(folder, `${file}.ts`) }];
          }),
  );
}

describe('the public API in an editor', () => {
  it('documents every function, class and constant', () => {
    const values = folders.flatMap(exportedValues);
    assert.ok(values.length > 80, `${values.length} values`);
    const bare = values.filter(({ name, file }) => {
      const source = readFileSync(join(root, file), 'utf8');
      const at = source.search(
        new RegExp(`^export (?:abstract )?(?:async )?(?:function\\*?|class|const) ${name}\\b`, 'm'),
      );
      return at < 0 || !/\*\/\n$/.test(source.slice(0, at));
    });
    assert.deepEqual(
      bare.map(({ name, file }) => `${file}: ${name}`),
      [],
    );
  });
});
