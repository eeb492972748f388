// Doc comments of the public API: every exported function, class and constant has one. The built
// declarations compile with the types of a runtime and without.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const folders = [
  ...['lib', 'lib/time', 'lib/papers', 'lib/models'],
  ...['documents', 'evaluation', 'training', 'server', 'postgres', 'opensearch'].map(
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

const consumer = `
import { Corpus, hybrid, type Encoder } from 'asof';
import { openAiCompatible } from 'asof/models';
import { mrag } from 'asof/papers';
import { parseQuestion } from 'asof/time';
const encode: Encoder['encode'] = async (texts) => new Float32Array(texts.length);
const corpus = await Corpus.open('a.asof', { encoder: { id: 'c', dimensions: 1, encode } });
await corpus.add([{ id: 'a', text: 'Ann won.' }]);
const { evidence } = await hybrid({ corpus }).run({ text: 'Who won?' });
export const first: string | undefined = evidence[0]?.id;
export { mrag, openAiCompatible, parseQuestion };
`;

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

  for (const [what, lib, types] of [
    ['without types of a runtime', ['es2022'], []],
    ["with Node's and the DOM's types", ['es2022', 'dom'], ['node']],
  ] as const)
    it(`compiles ${what}`, () => {
      // Inside the package, so that its own name resolves.
      const folder = mkdtempSync(join(root, 'build', 'types-'));
      const module = 'nodenext';
      const compilerOptions = { target: 'es2022', lib, types, module, strict: true, noEmit: true };
      const options = { compilerOptions, files: ['index.mts'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(options));
      writeFileSync(join(folder, 'index.mts'), consumer);
      const tsc = join(root, 'node_modules', 'typescript7', 'bin', 'tsc');
      const { stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      assert.equal(stdout, '');
    });
});
