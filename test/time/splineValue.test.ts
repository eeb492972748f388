// The spline's value in JavaScript against the oracle of the native kernel.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { splineValue } from '../../lib/time/splineValue.js';
import { spline } from '../oracle/temporal.js';

const instant = fc.integer({ min: -50, max: 50 });
const span = fc.tuple(instant, instant).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);

describe('splineValue', () => {
  it('equals the oracle, line by line', () => {
    const value = fc.double({ min: 0, max: 2, noNaN: true });
    const window = span.filter(([a, b]) => a < b);
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 4 }),
        window,
        value,
        value,
        value,
        (intervals, [start, end], atStart, atEnd, outside) => {
          const line = { window: { start, end }, atStart, atEnd };
          const got = splineValue(
            { lines: [line], outside },
            intervals.map(([from, to]) => ({ start: from, end: to })),
          );
          assert.ok(
            Math.abs(
              got.value - spline(intervals, { start, end, atStart, atEnd, outside, unitMs: 0 }),
            ) < 1e-12,
          );
        },
      ),
    );
  });

  it('returns the index of the best interval, and -1 outside all lines', () => {
    const lines = [{ window: { start: 0, end: 10 }, atStart: 0, atEnd: 1 }];
    assert.deepEqual(
      splineValue({ lines, outside: 0.5 }, [
        { start: 0, end: 1 },
        { start: 9, end: 10 },
      ]),
      { value: 1, interval: 1 },
    );
    assert.deepEqual(splineValue({ lines, outside: 0.5 }, [{ start: 20, end: 21 }]), {
      value: 0.5,
      interval: -1,
    });
    assert.deepEqual(splineValue({ lines, outside: 0.5 }, []), { value: 0.5, interval: -1 });
    assert.deepEqual(
      splineValue({ lines: [{ ...lines[0]!, longestMs: 2 }], outside: 0.5 }, [
        { start: 0, end: 5 },
      ]),
      { value: 0.5, interval: -1 },
    );
  });
});
