// Every public member in every state: defined results, no hang, no crash.
import assert from 'node:assert/strict';
import { CorpusHandle } from '../../lib/store/corpusHandle.js';
import { Corpus } from '../../lib/store/corpus.js';
import { fusedVectorColumn } from '../../lib/store/derived/fusedVectorColumn.js';
import { timeEncoder } from '../../lib/vectors/timeEncoder.js';
import type { ErrorCode } from '../../lib/errors.js';
import {
  fails,
  hashEncoder,
  passageNumber,
  passagesFrom,
  temporaryFolder,
  timeWeights,
} from './fixtures.js';

const encoder = hashEncoder();
type State = 'empty' | 'filled' | 'read-only' | 'closed' | 'closed twice' | 'disposed';
const states: State[] = ['empty', 'filled', 'read-only', 'closed', 'closed twice', 'disposed'];
const closed = (state: State) => state.startsWith('closed') || state === 'disposed';

/** What a member does; the codes that it answers with where it refuses. */
const members: Record<
  string,
  {
    use: (corpus: Corpus) => unknown;
    whenClosed: ErrorCode | 'fine';
    whenReadOnly: ErrorCode | 'fine';
  }
> = {
  path: { use: (corpus) => corpus.path, whenClosed: 'fine', whenReadOnly: 'fine' },
  readOnly: { use: (corpus) => corpus.readOnly, whenClosed: 'fine', whenReadOnly: 'fine' },
  isOpen: { use: (corpus) => corpus.isOpen, whenClosed: 'fine', whenReadOnly: 'fine' },
  encoder: { use: (corpus) => corpus.encoder, whenClosed: 'ERR_CLOSED', whenReadOnly: 'fine' },
  passageRules: {
    use: (corpus) => corpus.passageRules,
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'fine',
  },
  add: {
    use: (corpus) => corpus.add([passageNumber(1)]),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  delete: {
    use: (corpus) => corpus.delete(['p1']),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  update: {
    use: (corpus) => corpus.update({ where: {} }, { metadata: { state: 'closed' } }),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  alterFields: {
    use: (corpus) => corpus.alterFields({ add: { state: 'keyword' } }),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  compact: {
    use: (corpus) => corpus.compact(),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'ERR_INVALID_ARGUMENT',
  },
  fuse: {
    use: async (corpus) => corpus.fuse(await timeEncoder(encoder, timeWeights(encoder, 0))),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'fine',
  },
  derive: {
    use: async (corpus) => {
      const recipe = fusedVectorColumn(await timeEncoder(encoder, timeWeights(encoder, 0)));
      using snapshot = corpus.snapshot();
      await corpus.derive(snapshot, recipe);
    },
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'fine',
  },
  verify: { use: (corpus) => corpus.verify(), whenClosed: 'ERR_CLOSED', whenReadOnly: 'fine' },
  backup: {
    use: (corpus) => corpus.backup(`${corpus.path}.backup`),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'fine',
  },
  get: { use: (corpus) => corpus.get('p1'), whenClosed: 'ERR_CLOSED', whenReadOnly: 'fine' },
  versions: {
    use: (corpus) => corpus.versions('p1'),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'fine',
  },
  getMany: {
    use: (corpus) => corpus.getMany(['p1']),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'fine',
  },
  count: { use: (corpus) => corpus.count(), whenClosed: 'ERR_CLOSED', whenReadOnly: 'fine' },
  list: { use: (corpus) => corpus.list(), whenClosed: 'ERR_CLOSED', whenReadOnly: 'fine' },
  has: { use: (corpus) => corpus.has('p1'), whenClosed: 'ERR_CLOSED', whenReadOnly: 'fine' },
  info: { use: (corpus) => corpus.info(), whenClosed: 'ERR_CLOSED', whenReadOnly: 'fine' },
  refresh: { use: (corpus) => corpus.refresh(), whenClosed: 'ERR_CLOSED', whenReadOnly: 'fine' },
  snapshot: {
    use: (corpus) => corpus.snapshot().release(),
    whenClosed: 'ERR_CLOSED',
    whenReadOnly: 'fine',
  },
  close: { use: (corpus) => corpus.close(), whenClosed: 'fine', whenReadOnly: 'fine' },
  dispose: { use: (corpus) => corpus[Symbol.dispose](), whenClosed: 'fine', whenReadOnly: 'fine' },
  asyncDispose: {
    use: (corpus) => corpus[Symbol.asyncDispose](),
    whenClosed: 'fine',
    whenReadOnly: 'fine',
  },
};

describe('corpus states', () => {
  const folder = temporaryFolder();
  let number = 0;

  async function inState(state: State): Promise<Corpus> {
    const path = folder.path(`${(number += 1)}`);
    const made = await Corpus.open(path, { encoder, history: true });
    if (state !== 'empty') await made.add(passagesFrom(0, 3));
    if (state === 'read-only') {
      await made.close();
      return Corpus.open(path, { encoder, readOnly: true });
    }
    if (state === 'disposed') made[Symbol.dispose]();
    if (state.startsWith('closed')) await made.close();
    if (state === 'closed twice') await made.close();
    return made;
  }

  for (const state of states) {
    it(`${state}: every member has its specified result`, async () => {
      for (const [name, { use, whenClosed, whenReadOnly }] of Object.entries(members)) {
        const corpus = await inState(state);
        const expected = closed(state) ? whenClosed : state === 'read-only' ? whenReadOnly : 'fine';
        const run = async (): Promise<unknown> => use(corpus);
        if (expected === 'fine') await run();
        else await assert.rejects(run(), fails(expected), `${name} when ${state}`);
        await corpus.close();
      }
    });
  }

  it('the matrix names every public member', () => {
    const own = [Corpus, CorpusHandle].flatMap(({ prototype }) =>
      Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor'),
    );
    const hidden =
      'whileOpen look view merge mergeTiers write manifest checkOpen checkWritable'.split(' ');
    assert.deepEqual(
      own.filter((name) => !hidden.includes(name) && !(name in members)),
      [],
    );
  });

  it('closing during an add ends it with ERR_CLOSED and leaves an intact corpus', async () => {
    const corpus = await inState('filled');
    const adding = corpus.add(passagesFrom(10, 400), { batchSize: 5 });
    const waiting = corpus.delete(['p1']);
    await new Promise((resolve) => setTimeout(resolve, 60));
    const [added, deleted] = await Promise.allSettled([adding, waiting, corpus.close()]);
    assert.equal(added.status, 'rejected');
    assert.ok(fails('ERR_CLOSED')(added.reason));
    if (deleted.status === 'rejected') assert.ok(fails('ERR_CLOSED')(deleted.reason));
    const again = await Corpus.open(corpus.path, { encoder });
    await again.verify();
    assert.equal(again.info().passages % 5, deleted.status === 'fulfilled' ? 2 : 3);
    await again.close();
  });

  it('closing ends a running verification and compaction', async () => {
    const corpus = await inState('filled');
    await corpus.add(passagesFrom(0, 300), { batchSize: 50 });
    const running = [corpus.verify(), corpus.compact()];
    await corpus.close();
    for (const { status, reason } of (await Promise.allSettled(
      running,
    )) as PromiseRejectedResult[]) {
      if (status === 'rejected') assert.ok(fails('ERR_CLOSED')(reason));
    }
    const again = await Corpus.open(corpus.path, { encoder });
    await again.verify();
    await again.close();
  });

  it('another handle can write a synchronously disposed corpus at once', async () => {
    const corpus = await inState('filled');
    corpus[Symbol.dispose]();
    const again = await Corpus.open(corpus.path, { encoder });
    assert.equal((await again.add([passageNumber(50)])).added, 1);
    await again.close();
  });

  it('a snapshot of a closed corpus reports it', async () => {
    const corpus = await inState('filled');
    const snapshot = corpus.snapshot();
    await corpus.close();
    assert.equal(snapshot.isOpen, false);
    assert.throws(() => snapshot.passage(0, 0), fails('ERR_CLOSED'));
    assert.throws(() => snapshot.segments[0]!.segment.read('counts'), fails('ERR_CLOSED'));
    snapshot.release();
  });
});
