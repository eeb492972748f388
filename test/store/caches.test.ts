// Caches of an open corpus: owned by it and its segments, freed when it closes.
import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Corpus, hybrid } from '../../lib/index.js';
import { passageRecord } from '../../lib/retrieval/passageTexts.js';
import { passageNumber, temporaryFolder } from './fixtures.js';

setFlagsFromString('--expose-gc');
/** Turns of the event loop in which everything must have been collected. */
const maxTurns = 100;
const collectGarbage = runInNewContext('gc') as () => void;

describe('caches of a corpus', () => {
  const folder = temporaryFolder();
  before(async () => {
    await using corpus = await Corpus.open(folder.path('corpus'));
    await corpus.add(Array.from({ length: 60 }, (_, i) => passageNumber(i)));
  });
  const ask = async (corpus: Corpus): Promise<void> => {
    const { evidence } = await hybrid({ corpus }).run({
      text: 'When did the bridge open in 1932?',
      askedAt: '2020-01-01',
    });
    assert.ok(evidence.length > 0);
  };

  it('fill with questions, are shared by snapshots, and are emptied on close', async () => {
    const corpus = await Corpus.open(folder.path('corpus'));
    await ask(corpus);
    using snapshot = corpus.snapshot();
    using other = corpus.snapshot();
    assert.equal(snapshot.caches, other.caches);
    const [segment] = snapshot.segments;
    const { caches } = snapshot;
    assert.ok(caches.size > 0 && segment!.caches.size > 0);
    const pool = snapshot.restrictedTo([{ segment: 0, passage: 0 }]);
    assert.equal(pool.caches, caches);
    await corpus.close();
    assert.deepEqual([caches.size, segment!.caches.size], [0, 0]);
  });

  it('keep nothing of any closed corpus alive', async () => {
    const askAndClose = async (): Promise<WeakRef<object>[]> => {
      await using corpus = await Corpus.open(folder.path('corpus'));
      await ask(corpus);
      using snapshot = corpus.snapshot();
      const record = passageRecord(snapshot, { segment: 0, passage: 0 });
      assert.equal(passageRecord(snapshot, { segment: 0, passage: 0 }), record);
      const { segment, caches } = snapshot.segments[0]!;
      return [corpus, snapshot.caches, segment, caches, record].map((each) => new WeakRef(each));
    };
    const references: WeakRef<object>[] = [];
    for (let round = 0; round < 10; round += 1) references.push(...(await askAndClose()));
    // A WeakRef keeps its target until the turn ends, and finalizers may free what others refer to.
    const alive = (): number => references.filter((each) => each.deref() !== undefined).length;
    for (let turn = 0; turn < maxTurns && alive() > 0; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      collectGarbage();
    }
    assert.equal(alive(), 0);
  });
});
