// The decay's kernels at every level: upper bounds within their tolerance of the documented
// formulas in float64, for instants, intervals and lists, ticks of both widths and reserved ticks.
import assert from 'node:assert/strict';
import { addon } from '../addon.js';
import { decayFunctions, nearestDistance } from '../oracle/temporal.js';
import { atEveryLevel, awkwardSizes, random } from './levels.js';

const day = 86_400_000;
const at = Date.UTC(2021, 4, 6);
const scale = { unitMs: day, originMs: Date.UTC(2000, 0, 1) };
const [absent, past, future] = [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1];
const shapes = ['exponential', 'gaussian', 'linear'] as const;
type Curve = Parameters<typeof addon.decay>[0]['curve'];
type Interval = [number, number];

const millisecondsOf = (tick: number): number =>
  tick === past ? -Infinity : tick === future ? Infinity : scale.originMs + tick * day;

function exact(ticks: Interval[], { shape, floor, outside, ...curve }: Curve): number {
  const times = ticks
    .filter(([start]) => start !== absent)
    .map(([start, end]): Interval => [millisecondsOf(start), millisecondsOf(end)]);
  const distance = nearestDistance(times, curve.at);
  if (distance === undefined) return outside;
  const value = decayFunctions[shape](distance, curve.halfLifeMs, curve.offsetMs, 0.5);
  return Math.max(floor, value);
}

/** Whether the kernel's float is a bound of the value, as near as the contract says. */
function assertBounds(bound: number, value: number, what: unknown): void {
  // The oracle rounds too.
  const most =
    value * (1 + 2 ** -20 + 2 ** -22 * Math.max(0, -Math.log2(value || 1))) + 2 ** -49 + 2 ** -99;
  assert.ok(
    bound >= value * (1 - 1e-12) && bound <= most && bound > 0,
    `${bound} for ${value}: ${JSON.stringify(what)}`,
  );
}

function drawCurve(next: () => number): Curve {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)]!;
  const floor = pick([0, 0, 0.2, 0.99]);
  return {
    shape: pick(shapes),
    at: at + Math.floor(next() * 5000) * day + pick([0, 0, 3_723_004]),
    halfLifeMs: pick([1, day, 30 * day, 3650 * day, 100_000 * 365.2425 * day]),
    offsetMs: pick([0, 0, 7 * day, 10_000 * day]),
    floor,
    outside: Math.max(floor, pick([0, 0.5, 1])),
  };
}

describe('decay', () => {
  atEveryLevel(() => {
    for (const n of awkwardSizes) {
      it(`bounds ${n} instants, intervals and lists`, () => {
        const next = random(n);
        const tick = (): number =>
          next() < 0.05 ? absent : Math.floor(next() * 12_000) - (next() < 0.5 ? 2_000 : 0);
        for (let turn = 0; turn < 12; turn += 1) {
          const curve = drawCurve(next);
          const starts = Int32Array.from({ length: n }, tick);
          const ends = starts.map((start) =>
            start === absent ? start : next() < 0.1 ? future : start + Math.floor(next() * 400),
          );
          starts.forEach((start, i) => {
            if (start !== absent && next() < 0.1) starts[i] = past;
          });
          const instants = starts.map((each) => (each === past ? 5 : each));
          addon.decay({ starts: instants, ends: instants, curve, scale }).forEach((bound, i) => {
            assertBounds(bound, exact([[instants[i]!, instants[i]!]], curve), { curve, i });
          });
          const wide = (ticks: Int32Array): BigInt64Array =>
            BigInt64Array.from(ticks, (each) =>
              each === absent
                ? -(2n ** 63n)
                : each === past
                  ? 1n - 2n ** 63n
                  : each === future
                    ? 2n ** 63n - 1n
                    : BigInt(each),
            );
          const intervals = addon.decay({ starts, ends, curve, scale });
          assert.deepEqual(
            addon.decay({ starts: wide(starts), ends: wide(ends), curve, scale }),
            intervals,
          );
          intervals.forEach((bound, i) =>
            assertBounds(bound, exact([[starts[i]!, ends[i]!]], curve), { curve, i }),
          );
          const offsets = [0];
          while (offsets.at(-1)! < n)
            offsets.push(Math.min(n, offsets.at(-1)! + Math.floor(next() * 4)));
          addon
            .decay({ starts, ends, offsets: Uint32Array.from(offsets), curve, scale })
            .forEach((bound, row) => {
              const own: Interval[] = [];
              for (let i = offsets[row]!; i < offsets[row + 1]!; i += 1)
                if (starts[i] !== absent) own.push([starts[i]!, ends[i]!]);
              const value = exact(own, curve);
              // An absent one among others may count as outside.
              if (own.length === offsets[row + 1]! - offsets[row]!)
                assertBounds(bound, value, { curve, row });
              else assert.ok(bound >= value * (1 - 1e-12));
            });
        }
      });
    }

    it('gives 1 within the offset, 0.5 a half-life beyond it and the floor far away', () => {
      const days = Int32Array.of(0, 7, -7, 37, -37, 100_000, absent);
      for (const shape of shapes) {
        const curve = { shape, at: scale.originMs, halfLifeMs: 30 * day, offsetMs: 7 * day };
        const values = addon.decay({
          starts: days,
          ends: days,
          curve: { ...curve, floor: 0.25, outside: 0.5 },
          scale,
        });
        [1, 1, 1, 0.5, 0.5, 0.25, 0.5].forEach((value, i) =>
          assertBounds(values[i]!, value, { shape, i }),
        );
      }
    });
  });
});
