// Cache of passage records between questions: one read each, never of another version, segment or
// corpus.
import assert from 'node:assert/strict';
import { CacheRegistry } from '../../lib/runtime/cacheRegistry.js';
import { passageRecord } from '../../lib/retrieval/passageTexts.js';
import { Corpus } from '../../lib/store/corpus.js';
import type { Snapshot } from '../../lib/store/views/snapshot.js';
import { temporaryFolder } from '../store/fixtures.js';

describe('passageRecord', () => {
  const folder = temporaryFolder();
  const textsIn = (snapshot: Snapshot): string[] =>
    Array.from(snapshot.livePassages(), (place) => passageRecord(snapshot, place).text).sort();

  it("returns each snapshot's records after replacements and merges", async () => {
    await using corpus = await Corpus.open(folder.path('c'));
    await using other = await Corpus.open(folder.path('other'));
    await corpus.add([
      { id: 'mill', text: 'The mill grinds rye.' },
      { id: 'ferry', text: 'The ferry runs daily.' },
    ]);
    await other.add([{ id: 'mill', text: 'Another mill.' }]);
    const before = corpus.snapshot();
    const old = ['The ferry runs daily.', 'The mill grinds rye.'];
    assert.deepEqual(textsIn(before), old);
    await corpus.add([{ id: 'mill', text: 'The mill stands empty.' }]);
    const replaced = corpus.snapshot();
    await corpus.compact();
    const merged = corpus.snapshot();
    for (const snapshot of [replaced, merged, merged])
      assert.deepEqual(textsIn(snapshot), ['The ferry runs daily.', 'The mill stands empty.']);
    assert.deepEqual(textsIn(before), old);
    const elsewhere = other.snapshot();
    assert.deepEqual(textsIn(elsewhere), ['Another mill.']);
    for (const snapshot of [before, replaced, merged, elsewhere]) snapshot.release();
  });

  it('reads a record once', () => {
    let reads = 0;
    const passage = (): { id: string; text: string } => ({
      id: 'mill',
      text: `Read ${(reads += 1)} times.`,
    });
    const caches = new CacheRegistry(undefined);
    const snapshot = { segments: [{ number: 1 }], passage, caches } as unknown as Snapshot;
    const place = { segment: 0, passage: 3 };
    assert.equal(passageRecord(snapshot, place), passageRecord(snapshot, place));
    assert.equal(reads, 1);
  });
});
