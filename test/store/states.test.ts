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

type Use = (corpus: Corpus) => unknown;
const time = () => timeEncoder(encoder, timeWeights(encoder, 0));

/** What members do that answer in every state. */
const always: Record<string, Use> = {
  path: (corpus) => corpus.path,
  readOnly: (corpus) => corpus.readOnly,
  isOpen: (corpus) => corpus.isOpen,
  close: (corpus) => corpus.close(),
  dispose: (corpus) => corpus[Symbol.dispose](),
  asyncDispose: (corpus) => corpus[Symbol.asyncDispose](),
};
/** Of members that an open corpus answers. */
const whileOpen: Record<string, Use> = {
  encoder: (corpus) => corpus.encoder,
  passageRules: (corpus) => corpus.passageRules,
  fuse: async (corpus) => corpus.fuse(await time()),
  derive: async (corpus) => {
    const recipe = fusedVectorColumn(await time());
    using snapshot = corpus.snapshot();
    await corpus.derive(snapshot, recipe);
  },
  verify: (corpus) => corpus.verify(),
  backup: (corpus) => corpus.backup(`${corpus.path}.backup`),
  get: (corpus) => corpus.get('p1'),
  versions: (corpus) => corpus.versions('p1'),
  getMany: (corpus) => corpus.getMany(['p1']),
  count: (corpus) => corpus.count(),
  list: (corpus) => corpus.list(),
  has: (corpus) => corpus.has('p1'),
  info: (corpus) => corpus.info(),
  refresh: (corpus) => corpus.refresh(),
  snapshot: (corpus) => corpus.snapshot().release(),
};
/** Of members that an open corpus answers which can be written. */
const writing: Record<string, Use> = {
  add: (corpus) => corpus.add([passageNumber(1)]),
  delete: (corpus) => corpus.delete(['p1']),
  update: (corpus) => corpus.update({ where: {} }, { metadata: { state: 'closed' } }),
  alterFields: (corpus) => corpus.alterFields({ add: { state: 'keyword' } }),
  compact: (corpus) => corpus.compact(),
};
const members = { ...always, ...whileOpen, ...writing };

/** The code that a member refuses with; undefined where it answers. */
function refusal(name: string, state: State): ErrorCode | undefined {
  if (name in always) return undefined;
  if (closed(state)) return 'ERR_CLOSED';
  return name in writing && state === 'read-only' ? 'ERR_INVALID_ARGUMENT' : undefined;
}

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
      for (const [name, use] of Object.entries(members)) {
        const corpus = await inState(state);
        const code = refusal(name, state);
        const run = async (): Promise<unknown> => use(corpus);
        if (code === undefined) await run();
        else await assert.rejects(run(), fails(code), `${name} when ${state}`);
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
