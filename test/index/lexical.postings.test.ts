// Postings as they are built, merged and damaged: merging equals building, bad input is refused,
// and no damage to a section's bytes does more than a wrong answer or a clear error.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { scoreLexical, searchLexical } from '../../lib/retrieval/lexicalSearch.js';
import {
  lexicalSections,
  rowsOf,
  TestFolder,
  writeRows,
  type TestPassage,
} from './lexical.corpus.js';

const folder = new TestFolder();
const invalid = { code: 'ERR_INVALID_ARGUMENT' };
const word = fc.constantFrom('a', 'b', 'c', 'dd', 'é', '日本', 'zz', '1998');
const passage: fc.Arbitrary<TestPassage> = fc.record({
  sentences: fc.array(fc.array(word, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
});

async function open(passages: TestPassage[]) {
  const made = rowsOf(passages, 0);
  return { ...made, segment: await writeRows(folder.next(), made.rows, made.parts) };
}

describe('lexical postings', () => {
  it('merge to what building from the text would have given, dropped rows aside', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.record({ passage, dropped: fc.boolean() }), { maxLength: 60 }), {
          minLength: 1,
          maxLength: 3,
        }),
        async (groups) => {
          const merged = rowsOf(
            groups
              .flat()
              .filter(({ dropped }) => !dropped)
              .map((each) => each.passage),
            0,
          );
          const numbers = new Map(
            merged.ordered.map((source, p) => [
              source,
              merged.rows.filter((row) => row.passage === p).map((row) => row.row),
            ]),
          );
          const sources = [];
          for (const group of groups) {
            const { segment, rows } = await open(group.map((each) => each.passage));
            const kept = new Set(
              group.filter(({ dropped }) => !dropped).map((each) => each.passage),
            );
            const seen = new Map<TestPassage, number>();
            const newRows = Uint32Array.from(rows, ({ source }) => {
              const nth = seen.get(source) ?? 0;
              seen.set(source, nth + 1);
              return kept.has(source) ? numbers.get(source)![nth]! : 0xffffffff;
            });
            sources.push({ segment, newRows });
          }
          assert.deepEqual(
            await binding.mergePostings(sources, merged.parts),
            await lexicalSections(merged.rows, merged.parts),
          );
          for (const { segment } of sources) segment.close();
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are refused where offsets, numbers or maps are wrong', async () => {
    const good = {
      termBytes: Uint8Array.of(97, 98),
      termOffsets: Uint32Array.of(0, 1, 2),
      rowOffsets: Uint32Array.of(0, 1, 2),
      rowTerms: Uint32Array.of(0, 1),
    };
    const parts = { multiSentence: 0, passages: 2, rows: 2 };
    assert.equal((await binding.buildPostings({ ...good, parts })).length, 11);
    for (const wrong of [
      { termOffsets: Uint32Array.of(0, 2, 1) },
      { termOffsets: new Uint32Array(0) },
      { rowOffsets: Uint32Array.of(0, 2, 1) },
      { rowOffsets: Uint32Array.of(0, 2) },
      { rowTerms: Uint32Array.of(0, 2) },
      { termBytes: Uint8Array.of(97, 97) },
    ]) {
      await assert.rejects(binding.buildPostings({ ...good, parts, ...wrong }), invalid);
    }
    assert.throws(
      () => binding.buildPostings({ ...good, parts: { multiSentence: 0, passages: 3, rows: 2 } }),
      invalid,
    );
    assert.throws(
      () => binding.buildPostings({ ...good, parts, rowTerms: [0, 1] as never }),
      invalid,
    );
    const detached = Uint32Array.of(0, 1);
    structuredClone(detached.buffer, { transfer: [detached.buffer] });
    assert.throws(() => binding.buildPostings({ ...good, parts, rowTerms: detached }), invalid);
    const { segment } = await open([{ sentences: [['a']] }]);
    for (const newRows of [new Uint32Array(2), Uint32Array.of(1), Uint32Array.of(0xffffffff)]) {
      await assert.rejects(
        binding.mergePostings([{ segment, newRows }], { multiSentence: 0, passages: 1, rows: 1 }),
        invalid,
      );
    }
  });

  it('of terms beyond ASCII and rows beyond a block are found again', async () => {
    const passages = Array.from({ length: 1000 }, (_, i) => ({
      sentences: [
        [`t${i}`, 'common', ...(i % 3 === 0 ? ['日本'] : []), ...Array<string>(i % 7).fill('é')],
      ],
    }));
    const { segment } = await open(passages);
    const found = await searchLexical(
      [{ rows: segment }],
      ['日本', 'é', 'common', 't999'].map((term) => ({ terms: [term] })),
      { k: 2000 },
    );
    assert.deepEqual([...found.offsets], [0, 334, 334 + 857, 334 + 857 + 1000, 334 + 857 + 1001]);
  });

  it('that are damaged give an error or a wrong answer, never a crash', async () => {
    const passages = Array.from({ length: 500 }, (_, i) => ({
      sentences: [
        ['a', 'b', `t${i % 50}`],
        [`t${i % 7}`, 'a'],
      ].slice(i % 2),
    }));
    const { rows, parts } = rowsOf(passages, 0);
    const sound = await lexicalSections(rows, parts);
    let state = 99;
    const random = (below: number) => (state = (state * 48271) % 2147483647) % below;
    let refused = 0;
    for (let round = 0; round < 300; round++) {
      const damaged = sound.map(({ name, data }) => ({ name, data: data.slice() }));
      const victim = damaged[round % damaged.length]!;
      const bytes = new Uint8Array(victim.data.buffer);
      for (let times = 1 + random(8); times > 0; times--) bytes[random(bytes.length)] = random(256);
      if (round % 5 === 0) victim.data = victim.data.slice(0, random(victim.data.length));
      const segment = await writeRows(folder.next(), rows, parts, damaged);
      const newRows = Uint32Array.from(rows, (_, row) => row);
      const attempts = [
        searchLexical([{ rows: segment }], [{ terms: ['a', 'b', 't3', 't44'] }, { terms: ['a'] }], {
          k: 3,
          pool: true,
        }),
        searchLexical([{ rows: segment }], [{ terms: ['a', 't1'] }], { k: 1000, exhaustive: true }),
        scoreLexical([{ rows: segment }], ['a', 'b', 't3']),
        binding.mergePostings([{ segment, newRows }], parts),
      ];
      for (const outcome of await Promise.allSettled<unknown>(attempts)) {
        if (outcome.status === 'fulfilled') continue;
        assert.match(outcome.reason.code, /ERR_CORPUS_CORRUPT|ERR_CORPUS_NEWER/);
        refused += 1;
      }
      segment.close();
    }
    assert.ok(refused > 100, `${refused} refused`);
  });
});

describe('lexical search with invalid arguments', () => {
  after(() => folder.remove());

  it(
    'refuses parameters out of range, closed segments and bitmaps of the wrong length; an ' +
      'aborted search says so',
    async () => {
      const { segment } = await open([{ sentences: [['a']] }]);
      const segments = [{ rows: segment }];
      const queries = [{ terms: ['a'] }];
      for (const options of [
        { k: -1 },
        { k: 1.5 },
        { k: 1, k1: -1 },
        { k: 1, k1: Infinity },
        { k: 1, b: 1.1 },
        { k: 1, b: Number.NaN },
        { k: 1, scope: 'rows' as never },
      ]) {
        await assert.rejects(searchLexical(segments, queries, options), invalid);
      }
      await assert.rejects(searchLexical(segments, [{ terms: [3 as never] }], { k: 1 }), invalid);
      await assert.rejects(
        searchLexical(segments, [{ terms: Array<string>(16_385).fill('a') }], { k: 1 }),
        invalid,
      );
      await assert.rejects(
        searchLexical(segments, [{ terms: ['a'], mask: { publishedUntil: Number.NaN } }], { k: 1 }),
        invalid,
      );
      await assert.rejects(
        searchLexical([{ rows: segment, liveDocs: new Uint8Array(2) }], queries, { k: 1 }),
        invalid,
      );
      await assert.rejects(searchLexical([{ rows: {} as never }], queries, { k: 1 }), invalid);
      await assert.rejects(
        searchLexical(segments, queries, { k: 1, signal: AbortSignal.abort() }),
        {
          code: 'ERR_ABORTED',
        },
      );
      assert.deepEqual([...(await searchLexical([], queries, { k: 1 })).offsets], [0, 0]);
      assert.deepEqual([...(await searchLexical(segments, [], { k: 1 })).offsets], [0]);
      segment.close();
      await assert.rejects(searchLexical(segments, queries, { k: 1 }), { code: 'ERR_CLOSED' });
    },
  );

  it('stops when its signal fires', async () => {
    const passages = Array.from({ length: 20_000 }, (_, i) => ({ sentences: [['a', `t${i}`]] }));
    const { segment } = await open(passages);
    const controller = new AbortController();
    const running = searchLexical(
      [{ rows: segment }],
      Array.from({ length: 20_000 }, () => ({ terms: ['a'] })),
      { k: 10, exhaustive: true, signal: controller.signal },
    );
    setTimeout(() => controller.abort(), 5);
    await assert.rejects(running, { code: 'ERR_ABORTED' });
  });

  it('refuses a segment without lexical sections', async () => {
    const { rows, parts } = rowsOf([{ sentences: [['a']] }], 0);
    const segment = await writeRows(folder.next(), rows, parts, []);
    await assert.rejects(searchLexical([{ rows: segment }], [{ terms: ['a'] }], { k: 1 }), {
      code: 'ERR_CORPUS_CORRUPT',
    });
  });
});
