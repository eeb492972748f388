// Random sequences of operations against a model in memory: equal content after each.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Corpus } from '../../lib/store/corpus.js';
import type { Passage } from '../../lib/records.js';
import { contents, hashEncoder, passageNumber, temporaryFolder } from './fixtures.js';

const encoder = hashEncoder();
const number = fc.nat(25);
const operation = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      passages: fc.array(fc.tuple(number, fc.nat(2)), { maxLength: 12 }),
      batchSize: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      numbers: fc.array(number, { maxLength: 10 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('compact' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

describe('corpus against a model (property)', () => {
  const folder = temporaryFolder();

  it('equals the model after any sequence of operations', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 10 }), async (operations) => {
        const path = folder.path(`${(run += 1)}`);
        const model = new Map<string, Passage>();
        let corpus = await Corpus.open(path, { encoder });
        for (const each of operations) {
          if (each.kind === 'add') {
            const passages = each.passages.map(([i, version]) => passageNumber(i, version));
            const counts = await corpus.add(passages, { batchSize: each.batchSize });
            assert.deepEqual(counts, modelled(model, passages));
          } else if (each.kind === 'delete') {
            const ids = each.numbers.map((i) => `p${i}`);
            const expected = new Set(ids.filter((id) => model.has(id))).size;
            assert.equal(await corpus.delete(ids), expected);
            ids.forEach((id) => model.delete(id));
          } else if (each.kind === 'compact') {
            await corpus.compact();
            assert.equal(corpus.info().deleted, 0);
          } else {
            await corpus.close();
            corpus = await Corpus.open(path, { encoder });
          }
          compare(corpus, model);
        }
        await corpus.verify();
        await corpus.close();
      }),
      { numRuns: 25 },
    );
  });
});

function modelled(
  model: Map<string, Passage>,
  passages: readonly Passage[],
): { added: number; replaced: number; unchanged: number } {
  const counts = { added: 0, replaced: 0, unchanged: 0 };
  for (const passage of passages) {
    const known = model.get(passage.id);
    counts[!known ? 'added' : known.text === passage.text ? 'unchanged' : 'replaced'] += 1;
    model.set(passage.id, passage);
  }
  return counts;
}

function compare(corpus: Corpus, model: Map<string, Passage>): void {
  const held = contents(corpus);
  assert.deepEqual([...held.keys()].sort(), [...model.keys()].sort());
  for (const [id, passage] of model) {
    assert.equal(held.get(id)!.text, passage.text);
    assert.deepEqual(corpus.get(id), held.get(id));
  }
  const info = corpus.info();
  assert.equal(info.passages, model.size);
  const sentences = [...model.values()].map(({ text }) => text.split(/(?<=\.) /).length);
  assert.equal(
    info.sentences,
    sentences.reduce((sum, count) => sum + count, 0),
  );
  assert.equal(
    info.rows,
    sentences.reduce((sum, count) => sum + (count > 1 ? count + 1 : 1), 0),
  );
}
