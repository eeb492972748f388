// Names that each entry of the package exports, types included: a ratchet, which rises by a
// decision only.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { entries, isOurs, publicApi, root, type PublicApi } from './publicApi.js';

/** Most names of each entry, with the types in its signatures. */
const mostNames: Readonly<Record<string, number>> = {
  'asof': 49,
  'asof/time': 48,
  'asof/papers': 31,
  'asof/models': 53,
  'asof/kit': 80,
  'asof/command': 32,
  '@asof/ai-sdk': 15,
  '@asof/documents': 14,
  '@asof/evaluation': 93,
  '@asof/evaluation/commands': 1,
  '@asof/langchain': 12,
  '@asof/llamaindex': 6,
  '@asof/mastra': 4,
  '@asof/opensearch': 3,
  '@asof/postgres': 4,
  '@asof/server': 5,
  '@asof/server/mcp': 3,
  '@asof/server/page': 4,
  '@asof/server/commands': 1,
  '@asof/training': 40,
  '@asof/training/commands': 1,
};

/** Most interfaces in signatures of an entry that no entry exports; a ratchet too. */
const mostUnnamed: Readonly<Record<string, number>> = {
  // Of internal members of Corpus, StoredCorpus and SearchableCorpus: Snapshot, DerivedColumnSpec,
  // QuestionQueue, PassageRules, Manifest.
  'asof': 7,
  '@asof/opensearch': 3, // as of PostgresCorpus
  '@asof/postgres': 3, // of those of PostgresCorpus: Snapshot, DerivedColumnSpec, PassageRules
  '@asof/evaluation': 2, // of internal fields of CompareOptions and PairedOptions
  '@asof/server/page': 4, // records of the page's data
  'asof/kit': 99,
  'asof/command': 99,
};

describe('the public entries', function () {
  this.timeout(120_000);
  let api: PublicApi;

  before(() => {
    api = publicApi();
  });

  const namesOf = (file: string): string[] => api.exportsOf(file).map(({ name }) => name);

  it('resolve by typesVersions where TypeScript does not read exports', () => {
    const { exports, typesVersions } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as {
      exports: Record<string, { types: string } | string>;
      typesVersions: Record<string, Record<string, string[]>>;
    };
    const subpaths = Object.entries(exports).flatMap(([entry, target]) =>
      entry === '.' || typeof target === 'string' ? [] : [[entry.slice(2), [target.types]]],
    );
    assert.deepEqual(typesVersions['*'], Object.fromEntries(subpaths));
  });

  it('match the table', () =>
    assert.deepEqual(entries.map(({ entry }) => entry).sort(), Object.keys(mostNames).sort()));

  for (const { entry, file } of entries) {
    it(`${entry} has no more names than before`, () => {
      const names = namesOf(file);
      assert.ok(
        names.length <= mostNames[entry]!,
        `${names.length} names, ${mostNames[entry]} before: ${names.sort().join(', ')}`,
      );
    });
  }

  it('export the types of the signatures of their values', () => {
    const named = new Set(entries.flatMap(({ file }) => namesOf(file)));
    for (const { entry, file } of entries) {
      const missing = api.exportsOf(file).flatMap(({ name, symbol }) =>
        signatureTypes(symbol)
          .filter((type) => !named.has(type))
          .map((type) => `${name}: ${type}`),
      );
      const distinct = [...new Set(missing)];
      assert.ok(
        distinct.length <= (mostUnnamed[entry] ?? 0),
        `${entry} has ${distinct.length}: ${distinct.join(', ')}`,
      );
    }
  });

  /** Names of the library's types in the signatures of an exported function or class. */
  function signatureTypes(symbol: ts.Symbol): string[] {
    const { checker } = api;
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isBlock(node) || ts.getCombinedModifierFlags(node as ts.Declaration) & 2) return;
      if (ts.isPrivateIdentifier((node as ts.PropertyDeclaration).name ?? node)) return;
      if (ts.isTypeReferenceNode(node)) {
        const type = checker.getSymbolAtLocation(node.typeName);
        const real =
          type && type.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(type) : type;
        // A type of the runtime too, which lib/runtime/ambient.ts only completes, is not ours.
        const source = real?.declarations?.length === 1 ? real.declarations[0] : undefined;
        if (
          source &&
          (ts.isInterfaceDeclaration(source) || ts.isClassDeclaration(source)) &&
          isOurs(source.getSourceFile().fileName)
        )
          found.push(real!.name);
      }
      ts.forEachChild(node, visit);
    };
    for (const declaration of symbol.declarations ?? []) {
      if (ts.isFunctionDeclaration(declaration)) {
        declaration.parameters.forEach(visit);
        if (declaration.type) visit(declaration.type);
      } else if (ts.isClassDeclaration(declaration)) {
        for (const member of declaration.members) {
          if (!ts.isMethodDeclaration(member) && !ts.isConstructorDeclaration(member)) continue;
          if (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Private) continue;
          member.parameters.forEach(visit);
          if (member.type) visit(member.type);
        }
      } else if (ts.isInterfaceDeclaration(declaration)) declaration.members.forEach(visit);
    }
    return found;
  }
});
