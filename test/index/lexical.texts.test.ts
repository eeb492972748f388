// The texts that a segment keeps as terms: what is read back is what was analyzed, whatever was
// merged or dropped; tables of it are those of the oracle; bad requests are refused, and forged
// sections, whose checksums hold, give a wrong answer or a clear error, never a crash.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import type { Segment, TextTable } from '../../binding.js';
import { TermRows } from '../../lib/text/termRows.js';
import { textTable, type TextTerms } from '../oracle/textTable.js';
import { rowsOf, TestFolder, writeRows, type TestPassage } from './lexical.corpus.js';

const folder = new TestFolder();
after(() => folder.remove());
const vocabulary = [
  'a',
  'b',
  'c',
  'dd',
  'é',
  '日本',
  'zz',
  '1998',
  ...Array.from({ length: 40 }, (_, i) => `t${i}`),
];
const word = fc.constantFrom(...vocabulary, 'a', 'b', 'b');
interface Titled extends TestPassage {
  title: string[];
}
const passage: fc.Arbitrary<Titled> = fc.record({
  title: fc.array(word, { maxLength: 3 }),
  sentences: fc.array(fc.array(word, { maxLength: 7 }), { minLength: 1, maxLength: 4 }),
});

/** Vectors of some of the words; every other has none. */
const known = vocabulary.filter((_, i) => i % 3 !== 1);
const components = Int8Array.from({ length: 5 * known.length }, (_, i) => ((i * 7919) % 255) - 127);
const scales = Float32Array.from(
  known,
  (_, i) => 1 / Math.hypot(...components.subarray(5 * i, 5 * i + 5)),
);
const vectors = {
  similarity(one: string, other: string): number | undefined {
    const [a, b] = [known.indexOf(one), known.indexOf(other)];
    if (a < 0 || b < 0) return undefined;
    let sum = 0;
    for (let i = 0; i < 5; i += 1) sum += components[5 * a + i]! * components[5 * b + i]!;
    return Math.max(-1, Math.min(1, sum * scales[a]! * scales[b]!));
  },
};
const words = binding.wordTable(known, scales, components);

const sought: fc.Arbitrary<TextTerms> = fc
  .record({
    terms: fc.uniqueArray(fc.oneof(word, fc.constantFrom('nowhere', 'zzz')), { maxLength: 7 }),
    counted: fc.uniqueArray(word, { maxLength: 5 }),
  })
  .chain(({ terms, counted }) => {
    const place = fc.nat({ max: Math.max(0, terms.length - 1) });
    const some =
      terms.length > 0 ? fc.array(fc.tuple(place, place), { maxLength: 5 }) : fc.constant([]);
    return fc.record({
      terms: fc.constant(terms),
      counted: fc.constant(counted),
      pairs: some,
      common: fc.subarray([...terms.keys()].filter((at) => known.includes(terms[at]!))),
    });
  });

/** Rows with their titles before them, as buildSegment packs them. */
async function write(passages: readonly Titled[]) {
  const made = rowsOf(passages as Titled[], 0);
  const titleOf = ({ source }: { source: TestPassage }): string[] => (source as Titled).title;
  const terms = new TermRows();
  for (const row of made.rows) terms.add([...titleOf(row), ...row.tokens]);
  const rowPassage = Uint32Array.from(made.rows, (row) => row.passage);
  const titleLengths = Uint32Array.from(made.ordered, (each) => (each as Titled).title.length);
  const sections = await binding.buildPostings({
    ...terms.pack(),
    parts: made.parts,
    rowPassage,
    titleLengths,
  });
  return {
    ...made,
    sections,
    segment: await writeRows(folder.next(), made.rows, made.parts, sections),
  };
}

type Written = Awaited<ReturnType<typeof write>>;

/** Every passage's title and sentences, in rows and as terms. */
function everything({ ordered, rows, parts }: Written) {
  const texts: string[][] = [];
  const own = ordered.map((source, passage) => {
    const sentences = rows.filter(
      (row) => row.passage === passage && row.row >= parts.multiSentence,
    );
    texts.push((source as Titled).title, ...sentences.map(({ tokens }) => tokens));
    return sentences.map(({ row }) => row);
  });
  const counts = Uint32Array.from(own, ({ length }) => length);
  return {
    texts,
    source: { passages: Uint32Array.from(own.keys()), counts, rows: Uint32Array.from(own.flat()) },
  };
}

const question = ({ terms, pairs = [], common = [], counted = [] }: TextTerms) => ({
  terms,
  pairs: Uint32Array.from(pairs.flat()),
  common: Uint32Array.from(common),
  counted,
});

const plain = ({ present, nearest, pairs, counts, lengths }: TextTable) => ({
  present: [...present],
  nearest: [...nearest],
  pairs: [...pairs],
  counts: [...counts],
  lengths: [...lengths],
});

/** Of a segment and of its texts given as terms. */
async function tables(written: Written, wanted: TextTerms): Promise<void> {
  const { texts, source } = everything(written);
  const expected = plain(textTable(texts, wanted, vectors));
  assert.deepEqual(
    plain(
      await binding.readTexts({ segment: written.segment, ...source }, question(wanted), words),
    ),
    expected,
  );
  const given = new TermRows();
  for (const text of texts) given.add(text);
  assert.deepEqual(plain(await binding.readTexts(given.pack(), question(wanted), words)), expected);
}

describe('texts as terms', () => {
  it('are read as they were analysed, in tables of whatever is looked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(passage, { maxLength: 30 }), sought, async (passages, wanted) => {
        const written = await write(passages);
        await tables(written, wanted);
        written.segment.close();
      }),
      { numRuns: 150 },
    );
  });

  it(
    'are those of the passages kept where segments are merged, and are left out where one ' +
      'has none',
    async () => {
      const group = fc.array(fc.record({ passage, dropped: fc.boolean() }), { maxLength: 25 });
      await fc.assert(
        fc.asyncProperty(
          fc.array(group, { minLength: 1, maxLength: 3 }),
          sought,
          async (groups, wanted) => {
            const kept = groups
              .flat()
              .filter(({ dropped }) => !dropped)
              .map((each) => each.passage);
            const merged = await write(kept);
            const sources: { segment: Segment; newRows: Uint32Array; newPassages: Uint32Array }[] =
              [];
            for (const each of groups) {
              const source = await write(each.map((one) => one.passage));
              const isKept = new Set(
                each.filter(({ dropped }) => !dropped).map((one) => one.passage as TestPassage),
              );
              const newPassages = Uint32Array.from(source.ordered, (one) =>
                isKept.has(one) ? merged.ordered.indexOf(one) : 0xffffffff,
              );
              const newRows = Uint32Array.from(source.rows, ({ row, passage: number }) => {
                const own = (made: Written, p: number) =>
                  made.rows.filter((one) => one.passage === p).map((one) => one.row);
                return newPassages[number] === 0xffffffff
                  ? 0xffffffff
                  : own(merged, newPassages[number]!)[own(source, number).indexOf(row)]!;
              });
              sources.push({ segment: source.segment, newRows, newPassages });
            }
            const sections = await binding.mergePostings(sources, merged.parts);
            assert.deepEqual(sections, merged.sections);
            await tables(
              {
                ...merged,
                segment: await writeRows(folder.next(), merged.rows, merged.parts, sections),
              },
              wanted,
            );
            const without = sources.map(({ newPassages: _, ...source }, at) =>
              at === sources.length - 1 ? source : sources[at]!,
            );
            assert.deepEqual(
              await binding.mergePostings(without, merged.parts),
              merged.sections.slice(0, 11),
            );
            for (const { segment } of sources) segment.close();
          },
        ),
        { numRuns: 40 },
      );
    },
  );

  it('are refused where rows, places or lists are wrong', async () => {
    const written = await write([
      { title: ['a'], sentences: [['b'], ['c']] },
      { title: [], sentences: [['b', 'b']] },
    ]);
    const { segment } = written;
    const numbers = (...list: number[]): Uint32Array => Uint32Array.from(list);
    const good = { segment, passages: numbers(0), counts: numbers(2), rows: numbers(2, 3) };
    const asks = question({ terms: ['a', 'b'] });
    assert.deepEqual([...(await binding.readTexts(good, asks, null)).present], [1, 0, 0, 1, 0, 0]);
    const invalid = { code: 'ERR_INVALID_ARGUMENT', message: /Expected .*, received/ };
    for (const wrong of [
      { passages: numbers(2) },
      { rows: numbers(2, 4) },
      { rows: numbers(0, 2) },
      { rows: numbers(2, 1) },
      { passages: numbers(1) },
    ]) {
      await assert.rejects(binding.readTexts({ ...good, ...wrong }, asks, null), invalid);
    }
    for (const wrong of [
      { counts: numbers(1) },
      { counts: numbers(2, 0) },
      { rows: numbers(2) },
      { rows: [2, 3] as never },
      { segment: {} as Segment },
    ]) {
      assert.throws(() => binding.readTexts({ ...good, ...wrong }, asks, null), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    }
    for (const wrong of [
      { terms: ['a', 'a'] },
      { counted: ['b', 'b'] },
      { pairs: numbers(0, 2) },
      { common: numbers(2) },
      { common: numbers(0) },
    ]) {
      await assert.rejects(binding.readTexts(good, { ...asks, ...wrong }, null), invalid);
    }
    await assert.rejects(
      binding.readTexts(good, { ...question({ terms: ['nowhere'] }), common: numbers(0) }, words),
      invalid,
    );
    assert.throws(() => binding.readTexts(good, { ...asks, pairs: numbers(0) }, null), invalid);
    assert.throws(() => binding.readTexts(good, asks, {} as never), invalid);
    assert.throws(
      () => binding.wordTable(['a', 'a'], new Float32Array(2), new Int8Array(4)),
      invalid,
    );
    assert.throws(
      () => binding.wordTable(['a', 'b'], new Float32Array(2), new Int8Array(5)),
      invalid,
    );
    const packed = {
      termBytes: Uint8Array.of(97),
      termOffsets: numbers(0, 1),
      rowOffsets: numbers(0, 1),
      rowTerms: numbers(0),
    };
    for (const wrong of [
      { termOffsets: numbers(0, 2) },
      { rowOffsets: numbers(1) },
      { rowTerms: numbers(1) },
      { termOffsets: numbers() },
    ]) {
      assert.throws(() => binding.readTexts({ ...packed, ...wrong }, asks, null), invalid);
    }
    const before = await writeRows(folder.next(), written.rows, written.parts);
    await assert.rejects(binding.readTexts({ ...good, segment: before }, asks, null), {
      code: 'ERR_CORPUS_CORRUPT',
      message: /forward_offset/,
    });
    const cancellation = new binding.Cancellation();
    cancellation.cancel();
    await assert.rejects(binding.readTexts(good, asks, null, cancellation), {
      code: 'ERR_ABORTED',
    });
    const rows = { ...packed, parts: { multiSentence: 0, passages: 1, rows: 1 } };
    for (const wrong of [
      { rowPassage: numbers(1) },
      { rowPassage: numbers() },
      { titleLengths: numbers(2) },
      { titleLengths: numbers() },
    ]) {
      await assert.rejects(
        binding.buildPostings({
          ...rows,
          rowPassage: numbers(0),
          titleLengths: numbers(1),
          ...wrong,
        }),
        invalid,
      );
    }
  });

  it('that are forged give an error or a wrong answer', async () => {
    const passages = Array.from({ length: 200 }, (_, i) => ({
      title: [`t${i % 11}`],
      sentences: [
        ['a', 'b', `t${i % 40}`],
        [`t${i % 7}`, 'a'],
      ].slice(i % 2),
    }));
    const written = await write(passages);
    const { source } = everything(written);
    const identity = {
      newRows: Uint32Array.from(written.rows.keys()),
      newPassages: Uint32Array.from(written.ordered.keys()),
    };
    let state = 17;
    const random = (below: number): number => (state = (state * 48271) % 2147483647) % below;
    let refused = 0;
    for (let round = 0; round < 200; round += 1) {
      const damaged = written.sections.map(({ name, data }) => ({ name, data: data.slice() }));
      const victim = damaged[11 + (round % 2)]!;
      const bytes = new Uint8Array(victim.data.buffer);
      for (let times = 1 + random(8); times > 0; times -= 1)
        bytes[random(bytes.length)] = random(256);
      if (round % 5 === 0) victim.data = victim.data.slice(0, random(victim.data.length));
      const segment = await writeRows(folder.next(), written.rows, written.parts, damaged);
      const attempts = [
        binding.readTexts(
          { segment, ...source },
          question({ terms: ['a', 't3'], counted: ['a'], common: [0] }),
          words,
        ),
        binding.mergePostings([{ segment, ...identity }], written.parts),
      ];
      for (const outcome of await Promise.allSettled<unknown>(attempts)) {
        if (outcome.status === 'fulfilled') continue;
        assert.equal((outcome.reason as { code: string }).code, 'ERR_CORPUS_CORRUPT');
        refused += 1;
      }
      segment.close();
    }
    assert.ok(refused > 100, `${refused} refused`);
  });
});
