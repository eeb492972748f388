// The public entries of package.json as the TypeScript checker sees them, for tests of their names
// and types.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Folders of asof and of its packages that are published. */
const published = ['.', ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)];

/** Entries, as they are imported, with their source files. */
export const entries = published.flatMap((folder) => {
  const { name, exports, files } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as { name: string; exports: Record<string, { types: string } | string>; files?: string[] };
  if (!files) return [];
  return Object.entries(exports).flatMap(([entry, target]) => {
    if (typeof target === 'string') return [];
    const source = target.types.replace('dist', 'lib').replace('.d.ts', '.ts');
    return [{ entry: `${name}${entry.slice(1)}`, file: join(root, folder, source) }];
  });
});

/** Those whose functions users call; the others are parts of packages and of the command. */
export const userEntries = entries.filter(
  ({ entry }) => !/^(?:asof\/kit|asof\/command|.*\/commands|@asof\/server\/page)$/.test(entry),
);

export interface PublicApi {
  checker: ts.TypeChecker;
  /** What an entry exports, under its public name. */
  exportsOf(file: string): { name: string; symbol: ts.Symbol }[];
}

let known: PublicApi | undefined;

/** Compiles the entries, once a process: seconds. */
export function publicApi(): PublicApi {
  return (known ??= compiled());
}

function compiled(): PublicApi {
  const path = join(root, 'tsconfig.json');
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(path, (name) => ts.sys.readFile(name)).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    { ...options, noEmit: true },
  );
  const checker = program.getTypeChecker();
  return {
    checker,
    exportsOf: (file) =>
      checker
        .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)!)!)
        .map((symbol) => ({
          name: symbol.name,
          symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
        })),
  };
}

/** Whether a file is of asof or of its packages. */
export const isOurs = (file: string): boolean =>
  /^(?:packages\/[^/]+\/)?lib\//.test(relative(root, file));

/** Whether a declaration is of the library and not marked as internal. */
export function isPublic(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(
    (declaration) =>
      isOurs(declaration.getSourceFile().fileName) &&
      !(
        ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.NonPublicAccessibilityModifier
      ) &&
      !symbol.getJsDocTags().some(({ name }) => name === 'internal'),
  );
}
