// MRAG's spline at every level against float64: the value printed in the paper, exact values at the
// ends of a window, and any intervals and windows in milliseconds and in ticks of both widths.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import * as oracle from '../oracle/temporal.js';
import { atEveryLevel, awkwardSizes, floatUnit, random } from './levels.js';

const day = 86_400_000;
const utc = (year: number, month = 0, date = 1) => Date.UTC(year, month, date);
const low: oracle.Line = {
  start: utc(1931),
  end: utc(1981),
  atStart: 0.6,
  atEnd: 1,
  outside: 0.5,
  unitMs: day,
};
const falling = { ...low, atStart: 1, atEnd: 0.6 };

type Interval = readonly [number, number];

const offsetsOf = (rows: readonly (readonly Interval[])[]): Uint32Array => {
  let end = 0;
  return Uint32Array.from([0, ...rows.map(({ length }) => (end += length))]);
};

async function scoreRows(
  rows: readonly (readonly Interval[])[],
  line: oracle.Line,
): Promise<number[]> {
  const all = rows.flat();
  const [starts, ends] = ([0, 1] as const).map((side) =>
    Float64Array.from(all, (each) => each[side]),
  );
  return [
    ...(await addon.spline({ starts: starts!, ends: ends!, offsets: offsetsOf(rows), line })),
  ];
}

function assertClose(actual: number, expected: number, line: oracle.Line, what: unknown): void {
  const bound =
    floatUnit * Math.abs(expected) + 2 ** -50 * (Math.abs(line.atStart) + Math.abs(line.atEnd));
  assert.ok(
    Math.abs(actual - expected) <= bound,
    `${actual} instead of ${expected} ${JSON.stringify(what)}`,
  );
}

/** Reserved ticks, and what they mean. */
const reserved = [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1];
const wideReserved = [-(2n ** 63n), 1n - 2n ** 63n, 2n ** 63n - 1n];
const meanings = [NaN, -Infinity, Infinity];

describe('spline', () => {
  atEveryLevel(() => {
    it('gives the published value: "last, before 1981" at 1970 is about 0.9', async () => {
      const [value] = await scoreRows([[[utc(1970), utc(1971)]]], low);
      assert.ok(value! > 0.9 && value! < 0.93, String(value));
    });

    it('gives the first and the last unit of a window exactly the ends of the line', async () => {
      const { start, end } = low;
      const units = [start - day, start, end - day, end].map((at) => [[at, at + day]] as const);
      const within: Interval[][] = [[[end - 1, end]], [[end - 1, end + day]], [[start, end]]];
      for (const line of [low, falling])
        assert.deepEqual(
          await scoreRows([...units, ...within], line),
          [0.5, line.atStart, line.atEnd, 0.5, line.atEnd, line.atEnd, 1].map(Math.fround),
        );
      const year: Interval[][] = [[[utc(1970), utc(1971)]]];
      for (const [changes, expected] of [
        [{ start: -Infinity }, 1],
        [{ end: Infinity }, 0.6],
        [{ start: -Infinity, end: Infinity }, 1],
        [{ start: utc(1970), end: utc(1970) + day }, 1],
        [{ start: utc(1970), end: utc(1970) + 1000 }, 1],
        [{ start: utc(1970), end: utc(1970) }, 0.5],
        [{ start: utc(1970), end: utc(1970) - day }, 0.5],
      ] as const)
        assert.deepEqual(await scoreRows(year, { ...low, ...changes }), [Math.fround(expected)]);
    });

    it('knows continuous time: an interval counts by its very ends', async () => {
      const line = { ...low, start: 0, end: 100 * day, unitMs: 0 };
      const spans = [0, 1, 50, 51, 99, 100, 25, 25, 100, 100, 0, 0].map((each) => each * day);
      const rows = Array.from({ length: 6 }, (_, at) => [
        [spans[2 * at]!, spans[2 * at + 1]!] as const,
      ]);
      const expected = [0.604, 0.804, 1, 0.7, 0.5, 0.6];
      assert.deepEqual(await scoreRows(rows, line), expected.map(Math.fround));
    });

    for (const n of [...awkwardSizes, 1500]) {
      it(`agrees with float64 and between milliseconds and ticks for ${n} rows`, async () => {
        const next = random(n);
        const below = (count: number): number => Math.floor(next() * count);
        const scale = { unitMs: day, originMs: utc(2000) };
        const lines: oracle.Line[] = [
          low,
          falling,
          { ...low, start: low.start + 0.5, outside: 0.95 },
          { ...low, start: -Infinity },
          { ...falling, end: Infinity },
          { ...low, atStart: next(), atEnd: next(), outside: next(), unitMs: 0 },
          { ...low, end: low.start + next() * 3 * day },
        ];
        for (const [l, line] of lines.entries()) {
          // Near the ends of the window, anywhere, or a reserved tick.
          const edge = (at: number): number =>
            Number.isFinite(at) ? Math.round((at - utc(2000)) / day) : 0;
          const tick = (): number =>
            [reserved[below(3)]!, edge(line.start) + below(5) - 2, edge(line.end) + below(5) - 2][
              below(20)
            ] ?? below(40_000) - 30_000;
          const dated = (each: number): boolean => each > reserved[1]! && each < reserved[2]!;
          const several = (row: number): number => (l % 2 === 0 ? 1 : row % 3 === 1 ? below(4) : 1);
          const rows = Array.from({ length: n }, (_, row) =>
            Array.from({ length: several(row) }, (): Interval => {
              const [start, end] = [tick(), tick()];
              return [start, next() < 0.8 && dated(start) ? start + below(3000) : end];
            }),
          );
          const time = (each: number): number =>
            meanings[reserved.indexOf(each)] ?? each * day + utc(2000);
          const asTimes = rows.map((row) => row.map(([a, b]): Interval => [time(a), time(b)]));
          const values = await scoreRows(asTimes, line);
          asTimes.forEach((row, at) =>
            assertClose(values[at]!, oracle.spline(row, line), line, { row, line }),
          );
          const all = rows.flat();
          const ticks = (side: 0 | 1) => Int32Array.from(all, (each) => each[side]);
          const wide = (side: 0 | 1) =>
            BigInt64Array.from(
              all,
              (each) => wideReserved[reserved.indexOf(each[side])] ?? BigInt(each[side]),
            );
          const offsets = offsetsOf(rows);
          const parts = { offsets, line, scale };
          for (const of of [ticks, wide]) {
            const [starts, ends] = [of(0), of(1)] as [Int32Array, Int32Array];
            assert.deepEqual([...(await addon.spline({ starts, ends, ...parts }))], values);
            if (all.length === n && l % 2 === 0)
              assert.deepEqual([...(await addon.spline({ starts, ends, line, scale }))], values);
          }
        }
      });
    }

    it('reads only the intervals that its offsets name', async () => {
      const rows = Array.from(
        { length: 40 },
        (_, at): Interval => [utc(1940 + at), utc(1941 + at)],
      );
      const [starts, ends] = ([0, 1] as const).map((side) =>
        Float64Array.from(rows, (row) => row[side]),
      );
      const offsets = Uint32Array.of(3, 5, 5, 17);
      const values = await addon.spline({ starts: starts!, ends: ends!, offsets, line: low });
      [rows.slice(3, 5), [], rows.slice(5, 17)].forEach((row, at) =>
        assertClose(values[at]!, oracle.spline(row, low), low, row),
      );
    });
  });

  it('is monotone inside the window, and follows a shift of all dates', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 30000 }),
        fc.integer({ min: -40000, max: 40000 }),
        fc.uniqueArray(fc.integer({ min: -100, max: 30100 }), { minLength: 1, maxLength: 40 }),
        async (length, shift, drawn) => {
          const days = drawn.sort((a, b) => a - b);
          const valuesFrom = (origin: number) =>
            scoreRows(
              days.map((each) => [[origin + each * day, origin + (each + 1) * day] as const]),
              { ...low, start: origin, end: origin + length * day },
            );
          const values = await valuesFrom(0);
          assert.deepEqual(await valuesFrom(shift * day), values);
          const inside = values.filter((_, at) => days[at]! >= 0 && days[at]! < length);
          assert.ok(inside.every((value, at) => value <= 1 && value >= (inside[at - 1] ?? 0.5999)));
          assert.equal(values.filter((value) => value === 0.5).length, days.length - inside.length);
        },
      ),
      { numRuns: 50 },
    ));

  it('refuses arrays that do not belong together', () => {
    const two = new Float64Array(2);
    for (const [given, message] of [
      [{ starts: two, ends: new Float64Array(3) }, /./],
      [{ starts: two, ends: new Int32Array(2) }, /./],
      [{ starts: two, ends: two, offsets: Uint32Array.of(0, 3) }, /./],
      [{ starts: new Int32Array(2), ends: new Int32Array(2) }, /scale/],
    ] as const)
      assert.throws(() => addon.spline({ ...given, line: low }), {
        code: 'ERR_INVALID_ARGUMENT',
        message,
      });
  });
});
