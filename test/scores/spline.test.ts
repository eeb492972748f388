// The forms that MRAG's six splines become: windows and ends of the line for every relation and condition.
import assert from 'node:assert/strict';
import { addYears, splineForm, type SplineOptions } from '../../lib/scores/spline.js';
import { relations, type Constraint } from '../../lib/time/constraint.js';
import type { SplineLine, TemporalForm } from '../../lib/time/forms.js';

const day = (iso: string): number => Date.parse(iso);
const year = (y: number) => ({ start: day(`${y}-01-01`), end: day(`${y + 1}-01-01`), granularity: 'year' as const });
const asked = day('2024-01-01');

function constraint(relation: Constraint['relation'], condition: Constraint['condition'], window?: Constraint['window'], interval = year(1981)): Constraint {
  return { relation, condition, clock: 'content', binds: true, ...(relation === 'none' ? {} : { interval, text: 'x' }), ...(window ? { window } : {}) };
}

function spline(form: TemporalForm): SplineLine & { outside: number } {
  assert.ok(form.combine === 'product' && form.lines.length === 1);
  return { ...form.lines[0]!, outside: form.outside };
}

/** The line at an instant, straight from its two ends. */
function at(form: SplineLine, instant: number): number {
  return form.atStart + ((form.atEnd - form.atStart) * (instant - form.window.start)) / (form.window.end - form.window.start);
}

describe('splineForm', () => {
  const upTo1981 = { start: -Infinity, end: day('1982-01-01') };

  it('gives the value the paper prints: last, before 1981, in 1970 is about 0.9', () => {
    const form = spline(splineForm(constraint('as of', 'last', upTo1981), asked));
    assert.ok(Math.abs(at(form, day('1970-07-01')) - 0.9) < 0.02);
  });

  it('draws the six shapes', () => {
    const ends = (relation: Constraint['relation'], condition: Constraint['condition'], window: Constraint['window'], options?: SplineOptions) => {
      const { window: w, atStart, atEnd, outside } = spline(splineForm(constraint(relation, condition, window), asked, options));
      return [new Date(w.start).toISOString().slice(0, 10), new Date(w.end).toISOString().slice(0, 10), atStart, atEnd, outside];
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
      const form = spline(splineForm(constraint(relation, 'last', relation === 'around' ? undefined : year(1981)), asked));
      assert.deepEqual([form.window, form.atStart, form.atEnd], [{ start: year(1981).start, end: year(1981).end }, 1, 1]);
    }
  });

  it('has no form without a constraint, and the last before asking for a bare "last"', () => {
    assert.deepEqual(splineForm(constraint('none', 'none'), asked), { combine: 'none' });
    assert.deepEqual(splineForm(constraint('none', 'first'), asked), { combine: 'none' });
    assert.deepEqual(spline(splineForm(constraint('none', 'latest'), asked)).window, { start: addYears(asked, -50), end: asked });
  });

  it('answers every relation, and never with a window that is empty or infinite', () => {
    for (const relation of relations) {
      const form = splineForm(constraint(relation, 'none', { start: day('1900-01-01'), end: day('1950-01-01') }), asked);
      const { window } = spline(form);
      assert.ok(Number.isFinite(window.start) && Number.isFinite(window.end) && window.start < window.end, relation);
    }
  });
});
