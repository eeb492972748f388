// Re3's time encoder at every level against float64: every kind, awkward sizes, masks, rows without
// a time and rows that cannot be fused, and the laws of tables: company, order and threads change
// nothing.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import type { TimeColumns, TimeNetwork } from '../../binding.js';
import * as oracle from '../oracle/timeEncoder.js';
import { walk } from '../oracle/calendar.js';
import { atEveryLevel, awkwardSizes, floatUnit, normals, random, shifted } from './levels.js';

const kinds = ['film', 'concatenated', 'direct', 'absolute'] as const;
const network = (
  kind: TimeNetwork['kind'],
  dimensions: number,
  width = 5,
  waves = 3,
): TimeNetwork => ({
  kind,
  dimensions,
  waves,
  width,
  meanYear: 1997.25,
  deviationYear: 13.5,
});

/** Dates of every kind of mask, with the first and last day that a year may have. */
function someTimes(count: number, seed: number): oracle.Time[] {
  const days = [...walk(-800, 4000)];
  const next = random(seed);
  return Array.from({ length: count }, (_, i) => {
    const { year, month, day } = days[Math.floor(next() * days.length)]!;
    const dayOfYear =
      1 +
      days.filter(
        (each) =>
          each.year === year && (each.month < month || (each.month === month && each.day < day)),
      ).length;
    if (i === 0) return { year: 2024, month: 12, day: 31, dayOfYear: 366 };
    if (i === 1) return { year: -43, month: 3 };
    if (i === 2) return { year: 275_760 };
    // Years at the ends of the walk are not whole in it: their day of year is not known here.
    const whole = days.some((each) => each.year === year && each.month === 1 && each.day === 1);
    return [
      { year, month, day, ...(whole ? { dayOfYear } : {}) },
      { year, month },
      { year },
      {},
      { month },
      { year, day },
    ][i % 6]!;
  });
}

function columns(times: readonly oracle.Time[]): TimeColumns {
  const of = (pick: (time: oracle.Time) => number | undefined): number[] =>
    times.map((time) => pick(time) ?? 0);
  return {
    year: Int32Array.from(of((time) => time.year)),
    month: Uint8Array.from(of((time) => time.month)),
    day: Uint8Array.from(of((time) => time.day)),
    dayOfYear: Uint16Array.from(of((time) => time.dayOfYear)),
    mask: Uint8Array.from(
      times,
      ({ year, month, day, dayOfYear }) =>
        (year === undefined ? 0 : 1) +
        (month === undefined ? 0 : 2) +
        (day === undefined ? 0 : 4) +
        (dayOfYear === undefined ? 0 : 8),
    ),
  };
}

function some(kind: TimeNetwork['kind'], dimensions: number, seed: number) {
  const shape = network(kind, dimensions);
  const parameters = normals(oracle.parameterCount(shape), seed).map((value) => value / 2);
  const times = someTimes(14, seed);
  const vectors = normals(times.length * dimensions, seed + 1);
  return {
    shape,
    parameters,
    times,
    vectors,
    row: (i: number) => [...vectors.subarray(i * dimensions, (i + 1) * dimensions)],
  };
}

const untimed = (kind: TimeNetwork['kind'], time: oracle.Time): boolean =>
  kind === 'absolute' ? time.year === undefined : Object.keys(time).length === 0;

describe('time encoder', () => {
  it('counts its parameters as the equations do, and gives their time vectors', async () => {
    for (const kind of kinds) {
      for (const d of [1, 2, 3, 4, 7, 33]) {
        const { shape, parameters, times } = some(kind, d, d);
        assert.equal(binding.timeParameterCount(shape), parameters.length);
        const made = await addon.timeVectors(
          await binding.openTimeEncoder(shape, parameters),
          columns(times),
        );
        const features = oracle.featuresOf(shape);
        times.forEach((time, i) => {
          oracle.timeVector(oracle.numbers, shape, [...parameters], time).forEach((exact, c) => {
            const found = made[i * features + c]!;
            assert.ok(
              Math.abs(found - exact) <= floatUnit * Math.abs(exact) + 1e-9,
              `${kind} ${d}, row ${i}, component ${c}: ${found} instead of ${exact}`,
            );
          });
        });
      }
    }
  });

  atEveryLevel(() => {
    for (const d of awkwardSizes) {
      it(`agrees with float64 in ${d} dimensions, and leaves rows without a time bit for bit`, async () => {
        for (const kind of d > 100 ? (['film', 'concatenated'] as const) : kinds) {
          const { shape, parameters, times, vectors, row } = some(kind, d, d * 7);
          const encoder = await binding.openTimeEncoder(shape, shifted(parameters, 3));
          const rows = await binding.fuseTimes(encoder, shifted(vectors, 1), columns(times));
          const width = kind === 'film' ? d : d + shape.width;
          times.forEach((time, i) => {
            const found = rows.subarray(i * width, (i + 1) * width);
            const exact = oracle.fused(oracle.numbers, shape, [...parameters], time, row(i));
            if (untimed(kind, time)) return assert.deepEqual([...found], exact);
            const bound = oracle.fusedBound(shape, [...parameters], time, row(i));
            exact.forEach((value, c) =>
              assert.ok(
                Math.abs(found[c]! - value) <= bound[c]!,
                `${kind}, row ${i}, component ${c}: ${found[c]} instead of ${value}`,
              ),
            );
          });
        }
      });
    }

    it('a row with NaN, or weights with NaN, leave the row bit for bit', async () => {
      for (const kind of kinds) {
        const { shape, parameters, times, vectors } = some(kind, 9, 5);
        vectors[9 * 0 + 4] = NaN;
        vectors[9 * 1] = Infinity;
        const width = kind === 'film' ? 9 : 14;
        const whole = await binding.fuseTimes(
          await binding.openTimeEncoder(shape, parameters),
          vectors,
          columns(times),
        );
        for (const i of [0, 1])
          assert.deepEqual(
            whole.subarray(i * width, i * width + 9),
            vectors.subarray(i * 9, i * 9 + 9),
          );
        const broken = await binding.fuseTimes(
          await binding.openTimeEncoder(
            shape,
            parameters.map(() => NaN),
          ),
          vectors,
          columns(times),
        );
        times.forEach((_, i) =>
          assert.deepEqual(
            broken.subarray(i * width, i * width + 9),
            vectors.subarray(i * 9, i * 9 + 9),
          ),
        );
      }
    });

    it('a day of year without the rest of its date counts for nothing', async () => {
      const { shape, parameters, vectors } = some('film', 17, 8);
      const encoder = await binding.openTimeEncoder(shape, parameters);
      const date = (mask: number): TimeColumns => ({
        year: Int32Array.of(2001),
        month: Uint8Array.of(5),
        day: Uint8Array.of(9),
        dayOfYear: Uint16Array.of(129),
        mask: Uint8Array.of(mask),
      });
      const row = vectors.subarray(0, 17);
      assert.deepEqual(await binding.fuseTimes(encoder, row, date(8)), row.slice());
      assert.deepEqual(
        await binding.fuseTimes(encoder, row, date(11)),
        await binding.fuseTimes(encoder, row, date(3)),
      );
      assert.notDeepEqual(
        await binding.fuseTimes(encoder, row, date(15)),
        await binding.fuseTimes(encoder, row, date(7)),
      );
    });
  });

  it('has the same bits whatever the company, the order and the threads', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...kinds),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(1000),
        async (kind, d, threads, seed) => {
          const { shape, parameters, times, vectors } = some(kind, d, seed);
          const encoder = await binding.openTimeEncoder(shape, parameters);
          const many = Array.from({ length: 12 }, () => times).flat();
          const repeated = Float32Array.from(
            { length: 12 * vectors.length },
            (_, i) => vectors[i % vectors.length]!,
          );
          addon.setThreadCount(threads);
          const all = await binding.fuseTimes(encoder, repeated, columns(many));
          addon.setThreadCount(0);
          const width = all.length / many.length;
          for (const i of [1, 77, many.length - 1]) {
            const alone = await binding.fuseTimes(
              encoder,
              repeated.subarray(i * d, (i + 1) * d),
              columns([many[i]!]),
            );
            assert.deepEqual(alone, all.slice(i * width, (i + 1) * width));
          }
        },
      ),
      { numRuns: 30 },
    ));

  it('refuses shapes, parameters and dates that are none', async () => {
    const { shape, parameters, vectors, times } = some('film', 8, 2);
    await assert.rejects(binding.openTimeEncoder(shape, parameters.subarray(1)), {
      code: 'ERR_INVALID_ARGUMENT',
      message: /parameters of a time encoder/,
    });
    for (const wrong of [
      { kind: 'other' },
      { dimensions: 0 },
      { width: 0 },
      { waves: -1 },
      { deviationYear: 0 },
      { meanYear: NaN },
      { dimensions: 16384, width: 4096 },
    ]) {
      assert.throws(
        () => binding.openTimeEncoder({ ...shape, ...wrong } as TimeNetwork, parameters),
        { code: 'ERR_INVALID_ARGUMENT' },
      );
    }
    const encoder = await binding.openTimeEncoder(shape, parameters);
    const good = columns(times);
    const spoil = (change: Partial<TimeColumns>): void =>
      assert.throws(() => binding.fuseTimes(encoder, vectors, { ...good, ...change }), {
        code: 'ERR_INVALID_ARGUMENT',
      });
    spoil({ month: good.month.map(() => 13) });
    spoil({ day: good.day.map(() => 32) });
    spoil({ dayOfYear: good.dayOfYear.map(() => 367) });
    spoil({ year: good.year.map(() => -275_761) });
    spoil({ year: good.year.subarray(1) });
    assert.throws(() => binding.fuseTimes(encoder, vectors.subarray(1), good), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.deepEqual(
      await binding.fuseTimes(encoder, new Float32Array(0), columns([])),
      new Float32Array(0),
    );
  });
});
