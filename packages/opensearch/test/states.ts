// Every public member of a corpus in OpenSearch in every state: open, read-only, closed, with a
// signal that has fired, and with options that are undefined.
import assert from 'node:assert/strict';
import { AsOfError, type ErrorCode } from '../../../lib/errors.js';
import { CorpusHandle } from '../../../lib/store/corpusHandle.js';
import { RemoteCorpus } from '../../../lib/store/remote/remoteCorpus.js';
import { OpenSearchCorpus } from '../lib/index.js';
import { failsWith } from '../../../test/failsWith.js';
import { hashEncoder, passageNumber, passagesFrom } from '../../../test/store/fixtures.js';
import type { OpenSearchNodes } from './servers.js';

const encoder = hashEncoder();
type Options = { signal?: AbortSignal | undefined };
type Use = (corpus: OpenSearchCorpus, options?: Options) => unknown;

/** What a member does; what it answers with where it refuses. */
const members: Record<
  string,
  { use: Use; isFineClosed?: true; writes?: true; takesSignal?: false }
> = {
  isOpen: { use: (corpus) => corpus.isOpen, isFineClosed: true, takesSignal: false },
  encoder: { use: (corpus) => corpus.encoder, takesSignal: false },
  passageRules: {
    use: (corpus) => corpus.passageRules,
    isFineClosed: true,
    takesSignal: false,
  },
  add: { use: (corpus, options) => corpus.add([passageNumber(1)], options), writes: true },
  delete: { use: (corpus, options) => corpus.delete(['p1'], options), writes: true },
  update: {
    use: (corpus, options) => corpus.update({ where: {} }, { metadata: { a: 1 } }, options),
    writes: true,
  },
  compact: { use: (corpus, options) => corpus.compact(options), writes: true },
  get: { use: (corpus, options) => corpus.get('p1', options) },
  getMany: { use: (corpus, options) => corpus.getMany(['p1'], options) },
  has: { use: (corpus) => corpus.has('p1'), takesSignal: false },
  count: { use: (corpus, options) => corpus.count(options) },
  list: { use: (corpus, options) => corpus.list(options) },
  info: { use: (corpus, options) => corpus.info(options) },
  verify: { use: (corpus, options) => corpus.verify(options) },
  snapshot: { use: (corpus) => corpus.snapshot().release(), takesSignal: false },
  close: { use: (corpus) => corpus.close(), isFineClosed: true, takesSignal: false },
};

/** Defines the tests over the cluster. */
export function itHasStates(cluster: () => OpenSearchNodes): void {
  const connect = (options: Options & { readOnly?: boolean } = {}): Promise<OpenSearchCorpus> =>
    OpenSearchCorpus.connect({ nodes: cluster().urls, index: 'states', encoder, ...options });

  for (const [name, { use, isFineClosed, writes, takesSignal = true }] of Object.entries(members))
    it(`has its specified result in every state: ${name}`, async () => {
      await using made = await connect();
      await made.add(passagesFrom(0, 3));
      const run = async (corpus: OpenSearchCorpus, options?: Options): Promise<unknown> =>
        use(corpus, options);
      const refused: ErrorCode = 'ERR_INVALID_ARGUMENT';
      const reader = await connect({ readOnly: true });
      if (writes) await assert.rejects(run(reader), failsWith(refused));
      else await run(reader);
      await reader.close();
      if (isFineClosed) await run(reader);
      else await assert.rejects(run(reader), failsWith('ERR_CLOSED'));
      await using corpus = await connect();
      await run(corpus);
      if (!takesSignal) return;
      await run(corpus, { signal: undefined });
      const reason = new Error('too late');
      await assert.rejects(run(corpus, { signal: AbortSignal.abort(reason) }), (error) => {
        assert.ok(AsOfError.is(error), String(error));
        assert.deepEqual([error.name, error.cause], ['AbortError', reason]);
        return true;
      });
    });

  it('is not connected to by a signal that has fired', () =>
    assert.rejects(connect({ signal: AbortSignal.abort() }), failsWith('ERR_ABORTED')));

  it('has no member that is not named here, but for what all corpora refuse', () => {
    const own = [OpenSearchCorpus, RemoteCorpus, CorpusHandle].flatMap(({ prototype }) =>
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
}
