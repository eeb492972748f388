// Packed clocks: whatever times rows have come back exactly, in the narrowest ticks, and block
// summaries are what a loop finds.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SectionArray } from '../../binding.js';
import { binding } from '../../lib/binding.js';

const day = 86_400_000;
const [absent32, past32, future32] = [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1];
const [absent64, past64, future64] = [-(2n ** 63n), -(2n ** 63n) + 1n, 2n ** 63n - 1n];

function decode(tick: number | bigint, unit: number, origin: number): number {
  if (tick === absent32 || tick === absent64) return NaN;
  if (tick === past32 || tick === past64) return -Infinity;
  if (tick === future32 || tick === future64) return Infinity;
  return origin + Number(tick) * unit;
}

interface Rows {
  published: number[];
  valid: [number, number][];
  contents: [number, number][][];
}

async function pack({ published, valid, contents }: Rows): Promise<Map<string, SectionArray>> {
  const flat = contents.flat();
  const contentOffset = new Uint32Array(contents.length + 1);
  contents.forEach(
    (each, row) => void (contentOffset[row + 1] = contentOffset[row]! + each.length),
  );
  const sections = await binding.packClocks({
    published: Float64Array.from(published),
    validStart: Float64Array.from(valid, ([start]) => start),
    validEnd: Float64Array.from(valid, ([, end]) => end),
    contentOffset,
    contentStart: Float64Array.from(flat, ([start]) => start),
    contentEnd: Float64Array.from(flat, ([, end]) => end),
    contentGranularity: new Uint8Array(flat.length).fill(5),
  });
  return new Map(sections.map(({ name, data }) => [name, data]));
}

/**
 * [lowest start, highest end] of each block of 256 rows, in ticks; a block without any is not
 * compared.
 */
function compareBlocks(
  blocks: SectionArray,
  rows: number,
  rangesOf: (row: number) => [number, number][],
  unit: number,
  origin: number,
): void {
  assert.equal(blocks.length, 2 * Math.ceil(rows / 256));
  for (let block = 0; block < blocks.length / 2; block += 1) {
    const ranges = Array.from({ length: Math.min(256, rows - block * 256) }, (_, i) =>
      rangesOf(block * 256 + i),
    ).flat();
    const [low, high] = [blocks[2 * block]!, blocks[2 * block + 1]!];
    if (ranges.length === 0) assert.ok(low > high, 'a block without the clock has no range');
    else {
      const [first, last] = [
        Math.min(...ranges.map(([start]) => start)),
        Math.max(...ranges.map(([, end]) => end)),
      ];
      assert.deepEqual([decode(low, unit, origin), decode(high, unit, origin)], [first, last]);
    }
  }
}

describe('clock sections', () => {
  const instant = (unit: number) =>
    fc.integer({ min: -200_000, max: 200_000 }).map((count) => count * unit);
  const instants = fc.oneof(
    ...[day, 60_000, 1_000, 1].map(instant),
    fc.integer({ min: -8.64e15, max: 8.64e15 }),
  );
  const open = fc.oneof(
    { weight: 8, arbitrary: instants },
    { weight: 1, arbitrary: fc.constantFrom(-Infinity, Infinity) },
  );
  const interval = fc
    .tuple(open, open)
    .map(([a, b]): [number, number] => (a <= b ? [a, b] : [b, a]));
  const none: [number, number] = [NaN, NaN];
  const row = fc.record({
    published: fc.oneof(instants, fc.constant(NaN)),
    valid: fc.oneof(interval, fc.constant(none)),
    contents: fc.array(interval, { maxLength: 3 }),
  });

  it('come back exactly (property)', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 20 }),
        fc.integer({ min: 1, max: 40 }),
        async (some, repeats) => {
          // over the edge of a block now and then
          const all = Array.from({ length: repeats }, () => some).flat();
          const rows: Rows = {
            published: all.map((each) => each.published),
            valid: all.map((each) => each.valid),
            contents: all.map((each) => each.contents),
          };
          const sections = await pack(rows);
          const [pu, po, vu, vo, cu, co] = sections.get(
            'clock.encoding',
          ) as Float64Array as unknown as [number, number, number, number, number, number];
          const column = (name: string, unit: number, origin: number): number[] =>
            Array.from(sections.get(name)! as ArrayLike<number | bigint>, (tick) =>
              decode(tick, unit, origin),
            );
          assert.deepEqual(
            column('clock.published', pu, po),
            rows.published.map((value) => value + 0),
          );
          assert.deepEqual(
            column('clock.valid_start', vu, vo),
            rows.valid.map(([start]) => start + 0),
          );
          assert.deepEqual(
            column('clock.valid_end', vu, vo),
            rows.valid.map(([, end]) => end + 0),
          );
          assert.deepEqual(
            column('clock.content_start', cu, co),
            rows.contents.flat().map(([start]) => start + 0),
          );
          assert.deepEqual(
            column('clock.content_end', cu, co),
            rows.contents.flat().map(([, end]) => end + 0),
          );
          compareBlocks(
            sections.get('blocks.published')!,
            all.length,
            (r) =>
              Number.isNaN(rows.published[r]!) ? [] : [[rows.published[r]!, rows.published[r]!]],
            pu,
            po,
          );
          compareBlocks(
            sections.get('blocks.valid')!,
            all.length,
            (r) => (Number.isNaN(rows.valid[r]![0]) ? [] : [rows.valid[r]!]),
            vu,
            vo,
          );
          compareBlocks(
            sections.get('blocks.content')!,
            all.length,
            (r) => rows.contents[r]!,
            cu,
            co,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('take the coarsest unit that loses nothing', async () => {
    const cases: [number[], number, 'narrow' | 'wide'][] = [
      [[], day, 'narrow'],
      [[0, day, -day, NaN], day, 'narrow'],
      [[0, 60_000], 60_000, 'narrow'],
      [[0, 1_000], 1_000, 'narrow'],
      [[0, 1], 1, 'wide'],
      [[1_000 * 2 ** 31, 1_000], 1, 'wide'], // seconds that do not fit 32 bits
      [[8.64e15, -8.64e15], day, 'narrow'],
    ];
    for (const [published, unit, width] of cases) {
      const sections = await pack({
        published,
        valid: published.map(() => none),
        contents: published.map(() => []),
      });
      assert.equal((sections.get('clock.encoding') as Float64Array)[0], unit);
      assert.ok(
        sections.get('clock.published') instanceof (width === 'wide' ? BigInt64Array : Int32Array),
        `${published.join()} is ${width}`,
      );
    }
  });

  it('refuse columns that do not fit together', () => {
    const good = {
      published: new Float64Array(2),
      validStart: new Float64Array(2),
      validEnd: new Float64Array(2),
      contentOffset: Uint32Array.of(0, 1, 1),
      contentStart: new Float64Array(1),
      contentEnd: new Float64Array(1),
      contentGranularity: new Uint8Array(1),
    };
    const wrong: Partial<Record<keyof typeof good, unknown>>[] = [
      { published: undefined },
      { published: [1, 2] },
      { published: new Float32Array(2) },
      { validStart: new Float64Array(3) },
      { validEnd: new Float64Array(1) },
      { contentOffset: Uint32Array.of(0, 1) },
      { contentOffset: Uint32Array.of(1, 1, 1) },
      { contentOffset: Uint32Array.of(0, 2, 1) },
      { contentOffset: Uint32Array.of(0, 1, 2) },
      { contentStart: new Float64Array(2) },
      { contentEnd: new Float64Array(0) },
      { contentGranularity: new Uint8Array(2) },
    ];
    for (const change of wrong)
      assert.throws(() => void binding.packClocks({ ...good, ...change } as never), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    assert.throws(() => void binding.packClocks(undefined as never), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
