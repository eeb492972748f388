// The public entries of package.json as the TypeScript checker sees them, for tests of their names
// and types.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types: string } | string>;
};

/** Entries with their source files. */
export const entries = Object.entries(exports).flatMap(([entry, target]) =>
  typeof target === 'string'
    ? []
    : [{ entry, file: join(root, target.types.replace('dist', 'lib').replace('.d.ts', '.ts')) }],
);

export interface PublicApi {
  checker: ts.TypeChecker;
  /** What an entry exports, under its public name. */
  exportsOf(file: string): { name: string; symbol: ts.Symbol }[];
}

/** Compiles the entries: seconds. */
export function publicApi(): PublicApi {
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

/** Whether a declaration is of the library and not marked as internal. */
export function isPublic(symbol: ts.Symbol): boolean {
  return (symbol.declarations ?? []).some(
    (declaration) =>
      declaration.getSourceFile().fileName.startsWith(join(root, 'lib')) &&
      !(ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Private) &&
      !symbol.getJsDocTags().some(({ name }) => name === 'internal'),
  );
}
