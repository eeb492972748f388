// Forms of MRAG's six splines: windows and line ends for every relation and condition.
import assert from 'node:assert/strict';
import { addYears, splineForm, type SplineOptions } from '../../lib/time/spline.js';
import { relations, type Constraint } from '../../lib/time/constraint.js';
import type { SplineLine, SplineFactor } from '../../lib/time/temporalForms.js';

const day = (iso: string): number => Date.parse(iso);
const year = (y: number) => ({
  start: day(`${y}-01-01`),
  end: day(`${y + 1}-01-01`),
  granularity: 'year' as const,
});
const queryTime = day('2024-01-01');

function constraint(
  relation: Constraint['relation'],
  condition: Constraint['condition'],
  window?: Constraint['window'],
  interval = year(1981),
): Constraint {
  return {
    relation,
    condition,
    clock: 'content',
    binds: true,
    ...(relation === 'none' ? {} : { interval, text: 'x' }),
    ...(window ? { window } : {}),
  };
}

function spline(form: SplineFactor): SplineLine & { outside: number } {
  assert.ok(form.combine === 'product' && form.lines.length === 1);
  return { ...form.lines[0]!, outside: form.outside };
}

/** The line at an instant, straight from its two ends. */
function at(form: SplineLine, instant: number): number {
  return (
    form.atStart +
    ((form.atEnd - form.atStart) * (instant - form.window.start)) /
      (form.window.end - form.window.start)
  );
}

describe('splineForm', () => {
  const upTo1981 = { start: -Infinity, end: day('1982-01-01') };

  it('has the value of the paper: last, before 1981, in 1970 is about 0.9', () => {
    const form = spline(splineForm(constraint('as of', 'last', upTo1981), queryTime));
    assert.ok(Math.abs(at(form, day('1970-07-01')) - 0.9) < 0.02);
  });

  it('represents the six shapes by lines', () => {
    const long = day('2040-01-01');
    const ends = (
      relation: Constraint['relation'],
      condition: Constraint['condition'],
      window: Constraint['window'],
      options?: SplineOptions,
    ) => {
      const {
        window: w,
        atStart,
        atEnd,
        outside,
      } = spline(splineForm(constraint(relation, condition, window), long, options));
      return [
        new Date(w.start).toISOString().slice(0, 10),
        new Date(w.end).toISOString().slice(0, 10),
        atStart,
        atEnd,
        outside,
      ];
    };
    const after = { start: day('1982-01-01'), end: Infinity };
    const between = { start: day('1970-01-01'), end: day('1980-01-01') };
    assert.deepEqual(ends('before', 'last', upTo1981), ['1932-01-01', '1982-01-01', 0.6, 1, 0.5]);
    assert.deepEqual(ends('by', 'first', upTo1981), ['1932-01-01', '1982-01-01', 1, 0.6, 0.5]);
    assert.deepEqual(ends('after', 'latest', after), ['1982-01-01', '2032-01-01', 0.6, 1, 0.5]);
    assert.deepEqual(ends('since', 'earliest', after), ['1982-01-01', '2032-01-01', 1, 0.6, 0.5]);
    assert.deepEqual(ends('between', 'none', between), ['1970-01-01', '1980-01-01', 0.6, 1, 0.5]);
    assert.deepEqual(ends('from-to', 'first', between), ['1970-01-01', '1980-01-01', 1, 0.6, 0.5]);
  });

  it('is flat inside the interval of in, on and around', () => {
    for (const relation of ['in', 'on', 'around'] as const) {
      const form = spline(
        splineForm(
          constraint(relation, 'last', relation === 'around' ? undefined : year(1981)),
          queryTime,
        ),
      );
      assert.deepEqual(
        [form.window, form.atStart, form.atEnd],
        [{ start: year(1981).start, end: year(1981).end }, 1, 1],
      );
    }
  });

  it('is none without a constraint, and the last until now for a bare "last"', () => {
    assert.deepEqual(splineForm(constraint('none', 'none'), queryTime), { combine: 'none' });
    assert.deepEqual(splineForm(constraint('none', 'first'), queryTime), { combine: 'none' });
    assert.deepEqual(spline(splineForm(constraint('none', 'latest'), queryTime)).window, {
      start: addYears(queryTime, -50),
      end: queryTime,
    });
  });

  it('handles every relation, without empty or infinite windows', () => {
    for (const relation of relations) {
      const form = splineForm(
        constraint(relation, 'none', { start: day('1900-01-01'), end: day('1950-01-01') }),
        queryTime,
      );
      assert.ok(form.combine === 'product' && form.lines.length > 0, relation);
      for (const { window } of form.lines) {
        assert.ok(
          Number.isFinite(window.start) && Number.isFinite(window.end) && window.start < window.end,
          relation,
        );
      }
    }
  });
});
