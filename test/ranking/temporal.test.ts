// MRAG's temporal score by option: the form chosen, and the gain of the exact time.
import assert from 'node:assert/strict';
import { splineValue } from '../../lib/ranking/formValue.js';
import { exactTimeMatch, temporalForm, type TemporalOptions } from '../../lib/ranking/temporal.js';
import { splineForm } from '../../lib/ranking/spline.js';
import { jointConstraint } from '../../lib/time/question/jointConstraint.js';
import { parseQuestion } from '../../lib/time/question/question.js';
import type { Interval } from '../../lib/time/interval.js';

const parsed = (text: string) => parseQuestion({ text, askedAt: Date.parse('2024-01-01') });
const years = (first: number, last = first): Interval => ({
  start: Date.UTC(first, 0),
  end: Date.UTC(last + 1, 0),
  granularity: 'year',
});

describe('temporalForm', () => {
  const value = (text: string, dates: Interval[], options: TemporalOptions = {}): number => {
    const form = temporalForm({ parsed: parsed(text) }, options);
    assert.ok(form.combine === 'product');
    return splineValue(form, dates).value;
  };

  it("values states that began before the question's time, and ended ones little", () => {
    const question = 'Who kept the light from 1911 to 1914?';
    const [inside, began, older, ended, undated] = [
      years(1912),
      years(1909),
      years(1890),
      years(1880, 1905),
      undefined,
    ].map((date) => value(question, date ? [date] : []));
    assert.equal(inside, 1);
    assert.ok(inside > began! && began! > older! && older! > ended!, `${began} ${older} ${ended}`);
    assert.deepEqual([ended, undated], [0.4, 0.4]);
  });

  it('is the published shape if selected', () => {
    const question = parsed('Who was the last keeper of the light before 1981?');
    for (const shape of ['line', 'curve'] as const) {
      assert.deepEqual(
        temporalForm({ parsed: question }, { shape, low: 0.5 }),
        splineForm(jointConstraint(question), question.askedAt, { shape, low: 0.5 }),
      );
    }
    assert.equal(value('Who kept the light in 1911?', [years(1909)], { shape: 'curve' }), 0.5);
  });

  it('is none without a constraint', () => {
    assert.equal(temporalForm({ parsed: parsed('Who kept the light?') }, {}).combine, 'none');
  });
});

describe('exactTimeMatch', () => {
  const exactly = (text: string, ...dates: Interval[]): number | undefined =>
    exactTimeMatch(jointConstraint(parsed(text)))?.of(dates);

  it('counts equal dates, and each equal end of a two-sided time', () => {
    const question = 'Who kept the light from 1811 to 1827?';
    assert.equal(exactly(question, years(1811, 1827)), 1);
    assert.equal(exactly(question, years(1811), years(1827)), 1);
    assert.equal(exactly(question, years(1811)), 0.5);
    assert.equal(exactly(question, years(1815)), 0);
    assert.equal(exactly('Who kept the light in the 1850s?', years(1850)), 0);
    assert.equal(exactly('Who has kept the light since 1842?', years(1842)), 1);
  });

  it('is undefined if the question excludes its own time', () => {
    assert.equal(
      exactTimeMatch(jointConstraint(parsed('Who kept the light before 1811?'))),
      undefined,
    );
    assert.equal(exactTimeMatch(jointConstraint(parsed('Who kept the light?'))), undefined);
  });
});
