// Aborted calls: every public function that takes a signal rejects with one error, of the name that
// frameworks look for, with the signal's reason as its cause.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { AsOfError } from '../../lib/index.js';
import { isPublic, publicApi, userEntries } from '../publicApi.js';
import { callsWithSignal } from './calls.js';

/** What the user gives, which rejects as the user likes. */
const implemented = [
  'TextModel.generate',
  'TextModel.stream',
  'Encoder.encode',
  'Reranker.score',
  'SpanReader.read',
  'TimeExtractor.extract',
  'EvaluableSystem.run',
  'ServerOptions.fetch',
  'HttpRerankerOptions.fetch',
  'OpenAiCompatibleOptions.fetch',
  'OpenAiCompatibleEncoderOptions.fetch',
];
/** Of corpora: by folders here, by servers in packages/postgres and packages/opensearch. */
const ofCorpora = /^(?:StoredCorpus|PostgresCorpus|OpenSearchCorpus)\./;
/** Models that are opened in their own tests (test/models). */
const ofModels = ['OnnxEncoder.encode', 'OnnxReader.read', 'OnnxReranker.score'];

describe('an aborted call', function () {
  this.timeout(60_000);
  const calls = callsWithSignal();

  /** Whether it is the error of a call that was aborted for this reason. */
  function checkAbort(error: unknown, reason: unknown): void {
    assert.ok(AsOfError.is(error), String(error));
    assert.deepEqual([error.name, error.code], ['AbortError', 'ERR_ABORTED'], error.stack);
    assert.equal(error.cause, reason);
  }

  for (const [name, call] of Object.entries(calls)) {
    it(`rejects with the reason as cause: ${name}`, async () => {
      const reason = new Error('too late');
      await assert.rejects(
        async () => call({ signal: AbortSignal.abort(reason) }),
        (error) => (checkAbort(error, reason), true),
      );
    });
  }

  for (const [name, call] of Object.entries(calls)) {
    it(`ends, or rejects likewise, if the signal fires later: ${name}`, async () => {
      const controller = new AbortController();
      const reason = new DOMException('The operation timed out.', 'TimeoutError');
      const running = (async () => call({ signal: controller.signal }))();
      setImmediate(() => controller.abort(reason));
      const error: unknown = await running.then(
        () => undefined,
        (fault: unknown) => fault,
      );
      if (controller.signal.aborted && AsOfError.is(error) && error.name === 'AbortError')
        checkAbort(error, reason);
      else if (error !== undefined && AsOfError.is(error))
        assert.doesNotMatch(error.code, /CLOSED/);
    });
  }

  it('is covered of every public function that takes a signal', () => {
    const { checker, exportsOf } = publicApi();
    const takesSignal = (type: ts.Type): boolean =>
      checker
        .getNonNullableType(type)
        .getCallSignatures()
        .some(({ parameters }) =>
          parameters.some((parameter) => {
            const given = checker.getNonNullableType(checker.getTypeOfSymbol(parameter));
            const signal = given.getProperty('signal');
            return (
              checker.typeToString(given) === 'AbortSignal' ||
              (signal !== undefined && isPublic(signal)) ||
              (signal !== undefined && checker.typeToString(given).startsWith('RunnableConfig'))
            );
          }),
        );
    const found = new Set<string>();
    for (const { name, symbol } of userEntries.flatMap(({ file }) => exportsOf(file))) {
      if (takesSignal(checker.getTypeOfSymbol(symbol))) found.add(name);
      if (!(symbol.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Interface))) continue;
      const members = [
        ...checker.getTypeOfSymbol(symbol).getProperties(),
        ...checker.getDeclaredTypeOfSymbol(symbol).getProperties(),
      ];
      for (const member of members)
        if (isPublic(member) && takesSignal(checker.getTypeOfSymbol(member)))
          found.add(`${name}.${member.name}`);
    }
    const others = new Set([...Object.keys(calls), ...implemented, ...ofModels]);
    assert.deepEqual(
      [...found].filter((name) => !others.has(name) && !ofCorpora.test(name)),
      [],
    );
    assert.ok(found.size > 60, `${found.size} functions`);
  });
});
