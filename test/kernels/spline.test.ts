// MRAG's spline at every level against float64: the value printed in the paper, the two ends of a
// window, coarse and open intervals, absent clocks, ticks of both widths, and its laws.
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

type Interval = readonly [number, number];

async function scoreRows(
  rows: readonly (readonly Interval[])[],
  line: oracle.Line,
): Promise<number[]> {
  const all = rows.flat();
  const offsets = Uint32Array.from([
    0,
    ...rows.map((_, at) => rows.slice(0, at + 1).flat().length),
  ]);
  const starts = Float64Array.from(all, ([start]) => start);
  return [
    ...(await addon.spline({
      starts,
      ends: Float64Array.from(all, ([, end]) => end),
      offsets,
      line,
    })),
  ];
}

function assertClose(
  actual: number,
  expected: number,
  line: oracle.Line,
  what: unknown = '',
): void {
  const bound =
    floatUnit * Math.abs(expected) + 2 ** -50 * (Math.abs(line.atStart) + Math.abs(line.atEnd));
  assert.ok(
    Math.abs(actual - expected) <= bound,
    `${actual} instead of ${expected} ${JSON.stringify(what)}`,
  );
}

describe('spline', () => {
  atEveryLevel(() => {
    it('gives the published value: "last, before 1981" at 1970 is about 0.9', async () => {
      const [value] = await scoreRows([[[utc(1970), utc(1971)]]], low);
      assert.ok(value! > 0.9 && value! < 0.93, String(value));
    });

    it(
      'gives the first unit atStart and the last atEnd, exactly, and the units around them ' +
        'outside',
      async () => {
        const rows = [-1, 0, 1].map((shift) => [
          [low.start + shift * day, low.start + (shift + 1) * day] as const,
        ]);
        const ends = [-2, -1, 0].map((shift) => [
          [low.end + shift * day, low.end + (shift + 1) * day] as const,
        ]);
        const [before, first, second, penultimate, last, after] = await scoreRows(
          [...rows, ...ends],
          low,
        );
        assert.equal(before, Math.fround(0.5));
        assert.equal(first, Math.fround(0.6));
        assert.ok(second! > first && penultimate! < last!);
        assert.equal(last, 1);
        assert.equal(after, Math.fround(0.5));
        const falling = { ...low, atStart: 1, atEnd: 0.6 };
        assert.deepEqual(await scoreRows([rows[1]!, ends[1]!], falling), [1, Math.fround(0.6)]);
      },
    );

    it('scores an instant within the last unit atEnd, however short it is', async () => {
      assert.deepEqual(
        await scoreRows([[[low.end - 1, low.end]], [[low.end - 1, low.end + day]]], low),
        [1, 1],
      );
    });

    it('takes the best instant of a coarse interval and the best of several', async () => {
      const falling = { ...low, atStart: 1, atEnd: 0.6 };
      assert.deepEqual(await scoreRows([[[utc(1900), utc(2000)]]], low), [1]);
      assert.deepEqual(await scoreRows([[[utc(1900), utc(2000)]]], falling), [1]);
      const dates: Interval[] = [
        [utc(1940), utc(1941)],
        [utc(1975), utc(1976)],
        [utc(2000), utc(2001)],
      ];
      assertClose(
        (await scoreRows([dates], low))[0]!,
        oracle.spline([[utc(1975), utc(1976)]], low),
        low,
      );
      assertClose(
        (await scoreRows([dates], falling))[0]!,
        oracle.spline([[utc(1940), utc(1941)]], falling),
        falling,
      );
    });

    it('clips open intervals to the window; an open window has the limit of its line', async () => {
      const open: Interval[][] = [
        [[-Infinity, Infinity]],
        [[-Infinity, utc(1950)]],
        [[utc(1990), Infinity]],
        [[-Infinity, utc(1900)]],
      ];
      const values = await scoreRows(open, low);
      open.forEach((row, at) => assertClose(values[at]!, oracle.spline(row, low), low, row));
      const inside: Interval[][] = [[[utc(1970), utc(1971)]], open[0]!];
      assert.deepEqual(await scoreRows(inside, { ...low, start: -Infinity }), [1, 1]);
      assert.deepEqual(
        await scoreRows(inside, { ...low, start: -Infinity, end: Infinity }),
        [1, 1],
      );
      assert.deepEqual(await scoreRows(inside, { ...low, end: Infinity }), [
        Math.fround(0.6),
        Math.fround(0.6),
      ]);
      assert.deepEqual(
        await scoreRows([[[utc(1920), utc(1921)]]], { ...low, end: Infinity }),
        [0.5],
      );
    });

    it('knows continuous time: an interval counts by its very ends', async () => {
      const line = { ...low, start: 0, end: 100 * day, unitMs: 0 };
      const rows: Interval[][] = [
        [[0, day]],
        [[50 * day, 51 * day]],
        [[99 * day, 100 * day]],
        [[25 * day, 25 * day]],
        [[100 * day, 100 * day]],
        [[0, 0]],
      ];
      assert.deepEqual(
        await scoreRows(rows, line),
        [0.604, 0.804, 1, 0.7, 0.5, 0.6].map(Math.fround),
      );
      const falling = await scoreRows(rows, { ...line, atStart: 1, atEnd: 0.6 });
      assert.deepEqual(falling, [1, 0.8, 0.604, 0.9, 0.5, 1].map(Math.fround));
    });

    it('gives a window of at most one unit the higher end, an empty window outside', async () => {
      const inside: Interval[][] = [[[utc(1970, 5, 3), utc(1970, 5, 4)]], [[utc(1970), utc(1971)]]];
      for (const length of [day, 1000]) {
        const line = { ...low, start: utc(1970, 5, 3), end: utc(1970, 5, 3) + length };
        assert.deepEqual(await scoreRows(inside, line), [1, 1]);
        assert.deepEqual(await scoreRows(inside, { ...line, atStart: 1, atEnd: 0.6 }), [1, 1]);
      }
      for (const length of [0, -day]) {
        assert.deepEqual(
          await scoreRows(inside, {
            ...low,
            start: utc(1970, 5, 3),
            end: utc(1970, 5, 3) + length,
          }),
          [0.5, 0.5],
        );
      }
    });

    it('gives rows without a usable clock outside', async () => {
      assert.deepEqual(
        await scoreRows(
          [[], [[NaN, NaN]], [[NaN, utc(1970)]], [[utc(1970), NaN]], [[utc(1971), utc(1970)]], []],
          low,
        ),
        Array(6).fill(0.5),
      );
      const above = { ...low, outside: 0.95 };
      assert.deepEqual(
        await scoreRows(
          [
            [
              [NaN, NaN],
              [utc(1931), utc(1932)],
            ],
            [
              [utc(2000), utc(2001)],
              [utc(1931), utc(1932)],
            ],
          ],
          above,
        ),
        await scoreRows([[[utc(1931), utc(1932)]], []], above),
      );
      assert.deepEqual(
        await scoreRows(
          [
            [
              [NaN, NaN],
              [utc(1980, 11, 31), utc(1981)],
            ],
          ],
          low,
        ),
        [1],
      );
    });

    for (const n of awkwardSizes) {
      it(`agrees with float64 and between milliseconds and ticks for ${n} rows`, async () => {
        const next = random(n);
        const line = {
          ...low,
          atStart: next(),
          atEnd: next(),
          outside: next(),
          unitMs: next() < 0.3 ? 0 : day,
        };
        const rows = Array.from({ length: n }, () =>
          Array.from({ length: Math.floor(next() * 4) }, () => {
            const start = utc(1900) + Math.floor(next() * 40000) * day;
            return [start, start + Math.ceil(next() * 3000) * day] as Interval;
          }),
        );
        const values = await scoreRows(rows, line);
        rows.forEach((row, at) => assertClose(values[at]!, oracle.spline(row, line), line, row));
        const all = rows.flat();
        const offsets = Uint32Array.from([
          0,
          ...rows.map((_, at) => rows.slice(0, at + 1).flat().length),
        ]);
        const ticks = (side: 0 | 1) => all.map((interval) => (interval[side] - utc(2000)) / day);
        const scale = { unitMs: day, originMs: utc(2000) };
        assert.deepEqual(
          [
            ...(await addon.spline({
              starts: Int32Array.from(ticks(0)),
              ends: Int32Array.from(ticks(1)),
              offsets,
              line,
              scale,
            })),
          ],
          values,
        );
        const wide = (side: 0 | 1) => BigInt64Array.from(ticks(side), BigInt);
        assert.deepEqual(
          [...(await addon.spline({ starts: wide(0), ends: wide(1), offsets, line, scale }))],
          values,
        );
        const single = await addon.spline({
          starts: Int32Array.from(ticks(0)),
          ends: Int32Array.from(ticks(1)),
          line,
          scale,
        });
        all.forEach((interval, at) =>
          assertClose(single[at]!, oracle.spline([interval], line), line),
        );
      });
    }

    it(
      'gives ticks the bits of milliseconds whether rows have one interval or several, and ' +
        'reserved ticks among them',
      async () => {
        const next = random(41);
        const n = 1500;
        const reserved = [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1];
        const ticks = () =>
          Int32Array.from({ length: n }, () =>
            next() < 0.05
              ? reserved[Math.floor(next() * 3)]!
              : Math.floor(next() * 20_000) - 10_000,
          );
        const starts = ticks();
        const dated = (tick: number) => tick > reserved[1]! && tick < reserved[2]!;
        const ends = ticks().map((end, at) =>
          next() < 0.8 && dated(starts[at]!) ? starts[at]! + (at % 300) : end,
        );
        const scale = { unitMs: day, originMs: utc(2000) };
        const meanings = [NaN, -Infinity, Infinity];
        const clock = (tick: number) => meanings[reserved.indexOf(tick)] ?? tick * day + utc(2000);
        const [from, until] = [Float64Array.from(starts, clock), Float64Array.from(ends, clock)];
        const ones = Uint32Array.from({ length: n + 1 }, (_, row) => row);
        const mixed = ones.map((each, row) =>
          row > 400 && row < 700 && row % 3 === 1 ? each - 1 : each,
        );
        const falling = { ...low, atStart: 1, atEnd: 0.6, unitMs: 0 };
        const lines = [
          low,
          falling,
          { ...low, start: low.start + 0.5 },
          { ...low, start: -Infinity },
          { ...low, end: Infinity },
        ];
        for (const line of lines) {
          const single = await addon.spline({ starts: from, ends: until, line });
          assert.deepEqual(await addon.spline({ starts, ends, line, scale }), single);
          assert.deepEqual(
            await addon.spline({ starts, ends, offsets: ones, line, scale }),
            single,
          );
          const several = await addon.spline({ starts: from, ends: until, offsets: mixed, line });
          assert.deepEqual(
            await addon.spline({ starts, ends, offsets: mixed, line, scale }),
            several,
          );
          single.forEach((value, at) =>
            assertClose(value, oracle.spline([[from[at]!, until[at]!]], line), line, [
              from[at],
              until[at],
            ]),
          );
        }
      },
    );

    it('reads the reserved ticks as absent, infinite past and infinite future', async () => {
      const [absent, past, future] = [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1];
      const scale = { unitMs: day, originMs: 0 };
      const starts = Int32Array.of(absent, past, past, 0, absent);
      const ends = Int32Array.of(absent, future, 0, future, future);
      const line = { ...low, start: -10 * day, end: 11 * day };
      const expected = [0.5, 1, oracle.spline([[-Infinity, 0]], line), 1, 0.5].map(Math.fround);
      assert.deepEqual([...(await addon.spline({ starts, ends, line, scale }))], expected);
      const widen = (ticks: Int32Array) =>
        BigInt64Array.from(ticks, (tick) =>
          tick === absent
            ? -(2n ** 63n)
            : tick === past
              ? -(2n ** 63n) + 1n
              : tick === future
                ? 2n ** 63n - 1n
                : BigInt(tick),
        );
      assert.deepEqual(
        [...(await addon.spline({ starts: widen(starts), ends: widen(ends), line, scale }))],
        expected,
      );
    });

    it('reads only the intervals that its offsets name', async () => {
      const starts = Float64Array.from({ length: 40 }, (_, at) => utc(1940 + at));
      const ends = Float64Array.from({ length: 40 }, (_, at) => utc(1941 + at));
      const values = await addon.spline({
        starts,
        ends,
        offsets: Uint32Array.of(3, 5, 5, 17),
        line: low,
      });
      const interval = (from: number, to: number) =>
        Array.from(
          { length: to - from },
          (_, at) => [starts[from + at]!, ends[from + at]!] as const,
        );
      [interval(3, 5), [], interval(5, 17)].forEach((row, at) =>
        assertClose(values[at]!, oracle.spline(row, low), low),
      );
    });
  });

  it(
    'stays between its three values, is monotone inside the window, and follows a shift of ' +
      'all dates',
    () =>
      fc.assert(
        fc.asyncProperty(
          fc.integer({ min: 2, max: 30000 }),
          fc.integer({ min: -40000, max: 40000 }),
          fc.array(fc.integer({ min: -100, max: 30100 }), { minLength: 1, maxLength: 40 }),
          async (length, shift, days) => {
            const at = (origin: number) => ({ ...low, start: origin, end: origin + length * day });
            const rows = (origin: number) =>
              days.map((each) => [[origin + each * day, origin + (each + 1) * day] as const]);
            const values = await scoreRows(rows(0), at(0));
            assert.deepEqual(await scoreRows(rows(shift * day), at(shift * day)), values);
            const order = days.map((_, index) => index).sort((a, b) => days[a]! - days[b]!);
            let previous = 0.6 - floatUnit;
            for (const index of order) {
              const inside = days[index]! >= 0 && days[index]! < length;
              if (!inside) assert.equal(values[index], 0.5);
              else {
                assert.ok(values[index]! >= previous && values[index]! <= 1);
                previous = values[index]!;
              }
            }
          },
        ),
        { numRuns: 50 },
      ),
  );

  it('refuses arrays that do not belong together', () => {
    const two = new Float64Array(2);
    assert.throws(() => addon.spline({ starts: two, ends: new Float64Array(3), line: low }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(() => addon.spline({ starts: two, ends: new Int32Array(2), line: low }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(
      () => addon.spline({ starts: two, ends: two, offsets: Uint32Array.of(0, 3), line: low }),
      {
        code: 'ERR_INVALID_ARGUMENT',
      },
    );
    assert.throws(
      () => addon.spline({ starts: new Int32Array(2), ends: new Int32Array(2), line: low }),
      {
        code: 'ERR_INVALID_ARGUMENT',
        message: /scale/,
      },
    );
  });
});
