// The decay's kernels at every level: upper bounds within their tolerance of the documented
// formulas in float64, for instants, intervals and lists, ticks of both widths and reserved ticks.
import assert from 'node:assert/strict';
import { addon } from '../addon.js';
import { forms, formKinds, type DecayForm } from '../../lib/time/temporalForms.js';
import { decayFunctions, decayKinds, nearestDistance } from '../oracle/temporal.js';
import { atEveryLevel, awkwardSizes, random } from './levels.js';

const day = 86_400_000;
const at = Date.UTC(2021, 4, 6);
const scale = { unitMs: day, originMs: Date.UTC(2000, 0, 1) };
const [absent, past, future] = [-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1];
type Curve = Omit<DecayForm, 'clock'>;
type DecayRows = Parameters<typeof addon.decay>[0];
type Interval = [number, number];

const millisecondsOf = (tick: number): number =>
  tick === past ? -Infinity : tick === future ? Infinity : scale.originMs + tick * day;

function exact(ticks: Interval[], { kind, floor, outside, ...curve }: Curve): number {
  const times = ticks
    .filter(([start]) => start !== absent)
    .map(([start, end]): Interval => [millisecondsOf(start), millisecondsOf(end)]);
  const distance = nearestDistance(times, curve.at);
  if (distance === undefined) return outside;
  const value = decayFunctions[kind](distance, curve.halfLifeMs, curve.offsetMs, 0.5);
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
    kind: pick(decayKinds),
    at: at + Math.floor(next() * 5000) * day + pick([0, 0, 3_723_004]),
    halfLifeMs: pick([1, day, 30 * day, 3650 * day, 100_000 * 365.2425 * day]),
    offsetMs: pick([0, 0, 7 * day, 10_000 * day]),
    floor,
    outside: Math.max(floor, pick([0, 0.5, 1])),
  };
}

function bounds(
  { kind, ...curve }: Curve,
  rows: Omit<DecayRows, 'kind' | 'numbers'>,
): Float32Array {
  const numbers = Float64Array.from(forms[kind].numbers({ kind, clock: 'published', ...curve }));
  return addon.decay({ ...rows, kind: 1 + formKinds.indexOf(kind), numbers });
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
          bounds(curve, { starts: instants, ends: instants, scale }).forEach((bound, i) => {
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
          const intervals = bounds(curve, { starts, ends, scale });
          assert.deepEqual(
            bounds(curve, { starts: wide(starts), ends: wide(ends), scale }),
            intervals,
          );
          intervals.forEach((bound, i) =>
            assertBounds(bound, exact([[starts[i]!, ends[i]!]], curve), { curve, i }),
          );
          const offsets = [0];
          while (offsets.at(-1)! < n)
            offsets.push(Math.min(n, offsets.at(-1)! + Math.floor(next() * 4)));
          bounds(curve, { starts, ends, offsets: Uint32Array.from(offsets), scale }).forEach(
            (bound, row) => {
              const own: Interval[] = [];
              for (let i = offsets[row]!; i < offsets[row + 1]!; i += 1)
                if (starts[i] !== absent) own.push([starts[i]!, ends[i]!]);
              const value = exact(own, curve);
              // An absent one among others may count as outside.
              if (own.length === offsets[row + 1]! - offsets[row]!)
                assertBounds(bound, value, { curve, row });
              else assert.ok(bound >= value * (1 - 1e-12));
            },
          );
        }
      });
    }

    it('gives 1 within the offset, 0.5 a half-life beyond it and the floor far away', () => {
      const days = Int32Array.of(0, 7, -7, 37, -37, 100_000, absent);
      for (const kind of decayKinds) {
        const curve = { kind, at: scale.originMs, halfLifeMs: 30 * day, offsetMs: 7 * day };
        const given = { ...curve, floor: 0.25, outside: 0.5 };
        const values = bounds(given, { starts: days, ends: days, scale });
        [1, 1, 1, 0.5, 0.5, 0.25, 0.5].forEach((value, i) =>
          assertBounds(values[i]!, value, { kind, i }),
        );
      }
    });
  });
});
