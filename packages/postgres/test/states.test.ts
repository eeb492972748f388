// Every public member of a corpus in PostgreSQL in every state: open, read-only, closed, with a
// signal that has fired, and with options that are undefined or unknown.
import assert from 'node:assert/strict';
import { AsOfError, type ErrorCode } from '../../../lib/errors.js';
import { CorpusHandle } from '../../../lib/store/corpusHandle.js';
import { RemoteCorpus } from '../../../lib/store/remote/remoteCorpus.js';
import { PostgresCorpus } from '../lib/index.js';
import { failsWith } from '../../../test/failsWith.js';
import { hashEncoder, passageNumber, passagesFrom } from '../../../test/store/fixtures.js';
import { skipWithoutPostgres } from './binaries.js';
import { PostgresServers } from './servers.js';

const encoder = hashEncoder();
type Options = { signal?: AbortSignal | undefined };

/** What a member does; what it answers with where it refuses. */
const members: Record<
  string,
  {
    use: (corpus: PostgresCorpus, options?: Options) => unknown;
    whenClosed?: 'fine';
    whenReadOnly?: ErrorCode;
    takesSignal?: false;
  }
> = {
  isOpen: { use: (corpus) => corpus.isOpen, whenClosed: 'fine', takesSignal: false },
  encoder: { use: (corpus) => corpus.encoder, takesSignal: false },
  passageRules: {
    use: (corpus) => corpus.passageRules,
    whenClosed: 'fine',
    takesSignal: false,
  },
  add: {
    use: (corpus, options) => corpus.add([passageNumber(1)], options),
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  delete: {
    use: (corpus, options) => corpus.delete(['p1'], options),
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  update: {
    use: (corpus, options) =>
      corpus.update({ where: {} }, { metadata: { state: 'closed' } }, options),
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  compact: {
    use: (corpus, options) => corpus.compact(options),
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  buildVectorIndex: {
    use: (corpus, options) => corpus.buildVectorIndex(options),
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  get: { use: (corpus, options) => corpus.get('p1', options) },
  getMany: { use: (corpus, options) => corpus.getMany(['p1'], options) },
  has: { use: (corpus) => corpus.has('p1'), takesSignal: false },
  count: { use: (corpus, options) => corpus.count(options) },
  list: { use: (corpus, options) => corpus.list(options) },
  info: { use: (corpus, options) => corpus.info(options) },
  verify: { use: (corpus, options) => corpus.verify(options) },
  snapshot: { use: (corpus) => corpus.snapshot().release(), takesSignal: false },
  close: { use: (corpus) => corpus.close(), whenClosed: 'fine', takesSignal: false },
};

describe('a corpus in PostgreSQL', function () {
  this.timeout(120_000);
  let servers: PostgresServers;
  before(async function () {
    skipWithoutPostgres(this);
    servers = await PostgresServers.start();
    await using made = await connect();
    await made.add(passagesFrom(0, 3));
  });
  after(() => servers?.stop());
  const connect = (options: Options & { readOnly?: boolean } = {}): Promise<PostgresCorpus> =>
    PostgresCorpus.connect({ shards: servers.urls, encoder, ...options });

  for (const [name, { use, whenClosed, whenReadOnly, takesSignal = true }] of Object.entries(
    members,
  ))
    it(`has its specified result in every state: ${name}`, async () => {
      const run = async (corpus: PostgresCorpus, options?: Options): Promise<unknown> =>
        use(corpus, options);
      const reader = await connect({ readOnly: true });
      if (whenReadOnly) await assert.rejects(run(reader), failsWith(whenReadOnly));
      else await run(reader);
      await reader.close();
      if (whenClosed) await run(reader);
      else await assert.rejects(run(reader), failsWith('ERR_CLOSED'));
      await using corpus = await connect();
      await run(corpus);
      if (!takesSignal) return;
      await run(corpus, { signal: undefined });
      const reason = new Error('too late');
      await assert.rejects(run(corpus, { signal: AbortSignal.abort(reason) }), (error) => {
        assert.ok(AsOfError.is(error), String(error));
        assert.deepEqual(
          [error.name, error.code, error.cause],
          ['AbortError', 'ERR_ABORTED', reason],
        );
        return true;
      });
    });

  it('is not connected to by a signal that has fired', () =>
    assert.rejects(connect({ signal: AbortSignal.abort() }), failsWith('ERR_ABORTED')));

  it('has no member that is not named here, but for what all corpora refuse', () => {
    const own = [PostgresCorpus, RemoteCorpus, CorpusHandle].flatMap(({ prototype }) =>
      Object.getOwnPropertyNames(prototype),
    );
    const hidden =
      'constructor versions derive manifest whileOpen infoOf viewOf writer checkOpen checkWritable';
    const others = hidden.split(' ');
    assert.deepEqual(
      own.filter((name) => !others.includes(name) && !(name in members)),
      [],
    );
  });
});
