// Optional properties of public types: undefined means omitted, at run time and to compilers with
// exactOptionalPropertyTypes.
import assert from 'node:assert/strict';
import { relative } from 'node:path';
import ts from 'typescript';
import { AsOfError } from '../../lib/index.js';
import { compileWhere } from '../../lib/store/fields/where.js';
import { isPublic, publicApi, root, userEntries, type PublicApi } from '../publicApi.js';
import { callsWithOptions, callsWithRecords, callsWithSignal } from './calls.js';

describe('an optional property', function () {
  this.timeout(120_000);
  const calls = { ...callsWithSignal(), ...callsWithOptions(), ...callsWithRecords() };
  let api: PublicApi;
  /** Optional properties of options and records, by function, method or interface. */
  const optional = new Map<string, string[]>();
  before(() => {
    api = publicApi();
    for (const { name, symbol } of userEntries.flatMap(({ file }) => api.exportsOf(file)))
      collect(name, symbol);
  });

  function collect(name: string, symbol: ts.Symbol): void {
    const { checker } = api;
    note(name, checker.getTypeOfSymbol(symbol).getCallSignatures());
    if (symbol.flags & ts.SymbolFlags.Interface) add(name, checker.getDeclaredTypeOfSymbol(symbol));
    if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) return;
    for (const type of [checker.getTypeOfSymbol(symbol), checker.getDeclaredTypeOfSymbol(symbol)])
      for (const member of type.getProperties()) {
        if (!isPublic(member)) continue;
        const own = checker.getNonNullableType(checker.getTypeOfSymbol(member));
        note(`${name}.${member.name}`, own.getCallSignatures());
      }
  }

  function note(name: string, signatures: readonly ts.Signature[]): void {
    for (const { parameters } of signatures) {
      const last = parameters.at(-1);
      if (last) add(name, api.checker.getNonNullableType(api.checker.getTypeOfSymbol(last)));
    }
  }

  function add(name: string, type: ts.Type): void {
    const names = type
      .getProperties()
      .filter((each) => each.flags & ts.SymbolFlags.Optional && isPublic(each))
      .map((each) => each.name);
    if (names.length > 0)
      optional.set(name, [...new Set([...(optional.get(name) ?? []), ...names])]);
  }

  /** The code of the error that it rejects with, 'done' for none, and other errors as they are. */
  const outcome = async (call: () => unknown): Promise<string> => {
    try {
      await call();
      return 'done';
    } catch (error) {
      return AsOfError.is(error) ? error.code : `${String(error)}`;
    }
  };

  for (const [name, call] of Object.entries(calls)) {
    it(`may be undefined, which means omitted: ${name}`, async () => {
      const names = optional.get(name.replace('().', '.')) ?? ['signal'];
      const none = Object.fromEntries(names.map((each) => [each, undefined]));
      assert.equal(
        await outcome(() => call(none)),
        await outcome(() => call({})),
        names.join(', '),
      );
    });
  }

  it('is tried of every public function that takes options', () => {
    const untried = [...optional.keys()].filter(
      (name) =>
        /^[a-z]|\./.test(name) &&
        !(name in calls) &&
        !untriable.has(name) &&
        // By folders here, by servers in packages/postgres and packages/opensearch.
        !/^(?:StoredCorpus|PostgresCorpus|OpenSearchCorpus)\./.test(name),
    );
    assert.deepEqual(untried, []);
  });

  it('of a filter is refused if it is undefined', () => {
    const where = { publishedAt: { gt: 0, lt: undefined } };
    for (const each of [where, { and: undefined }])
      assert.throws(() => compileWhere(each, { fields: {}, timeZone: 'UTC' }), {
        code: 'ERR_INVALID_ARGUMENT',
      });
  });

  it('accepts undefined in the declarations', () => {
    assert.deepEqual(withoutUndefined(api), []);
  });
});

/** What the user writes, and models that are opened in their own tests (test/models). */
const untriable = new Set([
  'TextModel.generate',
  'TextModel.stream',
  'Encoder.encode',
  'Reranker.score',
  'SpanReader.read',
  'TimeExtractor.extract',
  'EvaluableSystem.run',
  'TempoOptions.open',
  'TempoOptions.onRun',
  'JudgedQuestion.unjudged',
  'AiSdkEmbeddingModel.doEmbed',
  'AiSdkLanguageModel.doGenerate',
  'AiSdkLanguageModel.doStream',
  'OnnxEncoder.encode',
  'OnnxReader.read',
  'OnnxReranker.score',
  'GgufTextModel.generate',
  'GgufTextModel.stream',
  // Its package is not installed here: test/frameworks/mastra.
  'AsOfVector.createIndex',
  'AsOfVector.query',
  // A filter, of which undefined is refused.
  'AsOfVectorStore.similaritySearch',
  'AsOfVectorStore.similaritySearchWithScore',
  'AsOfVectorStore.similaritySearchVectorWithScore',
  'CorpusServerOptions.log',
  // Records, tried by the names of their types.
  'Metric.of',
  'deriveValidity',
  'toTripletRecord',
]);

/** Optional properties of the declarations that an entry reaches, whose type has no undefined. */
function withoutUndefined({ checker, exportsOf }: PublicApi): string[] {
  const seen = new Set<ts.Node>();
  const found: string[] = [];
  const follow = (name: ts.Node): void => {
    const symbol = checker.getSymbolAtLocation(name);
    const target =
      symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    // What users call of a remote corpus is StoredCorpus; the rest is for authors of storage.
    const isForAuthors = target?.declarations?.some((each) =>
      each.getSourceFile().fileName.includes('/lib/store/remote/'),
    );
    if (target && !isForAuthors && isPublic(target)) target.declarations?.forEach(visit);
  };
  const visit = (node: ts.Node): void => {
    if (seen.has(node) || ts.isBlock(node) || isInternal(node)) return;
    seen.add(node);
    const isProperty = ts.isPropertySignature(node) || ts.isPropertyDeclaration(node);
    const lacks =
      (isProperty &&
        node.questionToken &&
        node.type &&
        !allowsUndefined(node.type) &&
        !isFilter(node)) ||
      (ts.isMethodSignature(node) && node.questionToken) ||
      (ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Partial');
    if (lacks) {
      const file = node.getSourceFile();
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${relative(root, file.fileName)}:${line + 1}: ${node.getText()}`);
    }
    if (ts.isTypeReferenceNode(node)) follow(node.typeName);
    if (ts.isExpressionWithTypeArguments(node)) follow(node.expression);
    ts.forEachChild(node, visit);
  };
  for (const { symbol } of userEntries.flatMap(({ file }) => exportsOf(file)))
    if (isPublic(symbol)) symbol.declarations?.forEach(visit);
  return found;
}

function allowsUndefined(type: ts.TypeNode): boolean {
  const kinds = [
    ts.SyntaxKind.UndefinedKeyword,
    ts.SyntaxKind.UnknownKeyword,
    ts.SyntaxKind.AnyKeyword,
  ];
  return ts.isUnionTypeNode(type) ? type.types.some(allowsUndefined) : kinds.includes(type.kind);
}

/** Filters refuse undefined, since to leave a condition out would widen them. */
function isFilter(node: ts.Node): boolean {
  const name = (node.parent as ts.InterfaceDeclaration).name?.text;
  return name === 'Where' || name === 'WhereCondition';
}

function isInternal(node: ts.Node): boolean {
  return (
    ts.isPrivateIdentifier((node as ts.PropertyDeclaration).name ?? node) ||
    (ts.canHaveModifiers(node) &&
      !!node.modifiers?.some(
        ({ kind }) =>
          kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.ProtectedKeyword,
      )) ||
    ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal')
  );
}
