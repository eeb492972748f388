// One result per document, and neighbours of chunks: exact for every system, by comparison with the
// ranking of all passages.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { chunk } from '../../packages/documents/lib/index.js';
import { bm25, hybrid, type Corpus, type Evidence, type Passage } from '../../lib/index.js';
import { createSystem, systemNames } from '../../lib/papers/registry.js';
import { withCorpus } from '../corpus.js';
import { failsWith } from '../failsWith.js';
import { needed } from '../reranker.js';
import { assertEach } from '../assertEach.js';

const question = { text: 'Who led the mill in 1990?', askedAt: '2024-01-01' };
const names = ['Ann Lee', 'Bo Dahl', 'Cleo Marsh', 'Dan Ives'];

/** Documents of 1 to 60 chunks, of which the first has most of the best ones. */
const documents: Passage[] = Array.from({ length: 12 }, (_, d) => ({
  id: `doc${d}`,
  publishedAt: `20${10 + d}-01-01`,
  text: Array.from({ length: d === 0 ? 60 : 1 + (d % 4) }, (_, n) =>
    d === 0
      ? `The mill was led by ${names[n % 4]} in ${1960 + n}.`
      : `In ${1950 + 3 * d + n} the mill of parish ${d} was led by ${names[(d + n) % 4]}.`,
  ).join(' '),
}));
const passages = [
  ...documents.flatMap((each, d) => chunk(each, { maxTokens: d % 3 === 2 ? 40 : 14 })),
  { id: 'plain', text: 'Eve Holt led the mill in 1990.' },
  { id: 'doc3', text: 'Summary: the mill of parish 3 in 1990.' },
];

const documentOf = ({ id, chunk: place }: Evidence): string => place?.parent ?? id;

/** The first passage of each document, in the order of the ranking. */
function bestOfEach(evidence: readonly Evidence[], k: number): string[] {
  const seen = new Set<string>();
  return evidence
    .filter((each) => !seen.has(documentOf(each)) && seen.add(documentOf(each)))
    .slice(0, k)
    .map(({ id }) => id);
}

describe('one result per document', function () {
  this.timeout(60_000);
  let corpus: Corpus;
  withCorpus(passages, (opened) => (corpus = opened));

  for (const name of systemNames)
    it(`is the best passage of each document in the ranking of ${name}`, async () => {
      const system = createSystem(name, { corpus, ...needed(name) });
      const all = await system.run(question, { k: 10_000 });
      for (const k of [1, 3, 10, 40]) {
        const { evidence } = await system.run(question, { k, perDocument: true });
        assertEach(evidence, ({ id }) => id, bestOfEach(all.evidence, k), `k ${k}`);
        assertEach(
          evidence,
          ({ rank }) => rank,
          evidence.map((_, at) => at + 1),
        );
      }
    });

  it('is the same among given candidates', () =>
    fc.assert(
      fc.asyncProperty(
        fc.subarray(passages.map(({ id }) => id)),
        fc.integer({ min: 1, max: 12 }),
        async (candidateIds, k) => {
          const system = bm25({ corpus });
          const all = await system.run(question, { k: 10_000, candidateIds });
          const { evidence } = await system.run(question, { k, candidateIds, perDocument: true });
          assertEach(evidence, ({ id }) => id, bestOfEach(all.evidence, k));
        },
      ),
      { numRuns: 30 },
    ));

  it('reads one answer, of the documents that are returned', async () => {
    const { answer, trace } = await hybrid({ corpus }).run(question, { perDocument: true });
    assert.ok(answer);
    assert.equal(trace.filter(({ stage }) => stage === 'read').length, 1);
  });

  it('evidence says where the chunk and its sentence lie', async () => {
    const { evidence } = await hybrid({ corpus, sentences: true }).run(question, { k: 60 });
    let sentences = 0;
    for (const { chunk: place, id, text, sentence } of evidence) {
      const source = documents.find((each) => each.id === place?.parent)?.text;
      assert.equal(source === undefined, id === 'plain' || id === 'doc3');
      if (!place) continue;
      assert.equal(source!.slice(place.start, place.end), text);
      assert.equal(place.sentence === undefined, sentence === undefined);
      if (!place.sentence) continue;
      sentences += 1;
      assert.equal(source!.slice(place.sentence.start, place.sentence.end), sentence);
    }
    assert.ok(sentences > 0);
  });

  it('neighbours are the chunks before and after', async () => {
    const { evidence } = await bm25({ corpus }).run(question, { k: 80, neighbours: 2 });
    for (const { id, chunk: place, neighbours } of evidence) {
      assert.equal(place === undefined, neighbours === undefined);
      if (!place) continue;
      const own = passages.filter((each) => each.chunk?.parent === place.parent);
      const at = own.findIndex((each) => each.id === id);
      const expected = own.filter((_, i) => i !== at && Math.abs(i - at) <= 2);
      assert.deepEqual(
        neighbours,
        expected.map((each) => ({
          id: each.id,
          start: each.chunk!.start,
          end: each.chunk!.end,
          text: each.text,
        })),
      );
    }
  });

  it('neighbours outside the candidates, or of another publication, are absent', async () => {
    const run = async (candidateIds?: string[]) => {
      const { evidence } = await bm25({ corpus }).run(
        { ...question, text: 'parish 7' },
        { k: 100, neighbours: 1, ...(candidateIds ? { candidateIds } : {}) },
      );
      return evidence.find(({ id }) => id === 'doc7#1')!.neighbours!.map(({ id }) => id);
    };
    assert.deepEqual(await run(), ['doc7#0', 'doc7#2']);
    assert.deepEqual(await run(['doc7#1', 'doc7#2']), ['doc7#2']);
    await corpus.add([
      { ...passages.find(({ id }) => id === 'doc7#2')!, publishedAt: '2023-01-01' },
    ]);
    assert.deepEqual(await run(), ['doc7#0']);
  });

  it('options of the wrong kind are refused', async () => {
    const system = bm25({ corpus });
    await assert.rejects(
      system.run(question, { perDocument: 1 as never }),
      failsWith('ERR_INVALID_ARGUMENT', /perDocument to be a boolean/),
    );
    await assert.rejects(
      system.run(question, { neighbours: -1 }),
      failsWith('ERR_INVALID_ARGUMENT', /neighbours to be a whole number from 0 to 100/),
    );
  });
});
