// Times at an offset from a date: recognised cases, excluded intervals, and the round trip of
// offsets.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { formatDay } from '../../../lib/time/instant.js';

const read = (text: string) => {
  const { constraint } = parseQuestion({ text, askedAt: '2024-06-15' });
  return [
    constraint.text,
    constraint.relation,
    formatDay(constraint.window!.start),
    formatDay(constraint.window!.end - 1),
  ];
};

describe('a time at an offset from a date', () => {
  const cases: [string, unknown[]][] = [
    [
      'Who was mayor two weeks before 3 May 2021?',
      ['two weeks before 3 May 2021', 'on', '2021-04-19', '2021-04-19'],
    ],
    [
      'Who was mayor five years after 1969?',
      ['five years after 1969', 'in', '1974-01-01', '1974-12-31'],
    ],
    [
      'What was the rate a month after January 2020?',
      ['a month after January 2020', 'in', '2020-02-01', '2020-02-29'],
    ],
    [
      'Who led it exactly one month after 31 January 2021?',
      ['exactly one month after 31 January 2021', 'on', '2021-02-28', '2021-02-28'],
    ],
    [
      '10 days after 2020-02-25, who led it?',
      ['10 days after 2020-02-25', 'on', '2020-03-06', '2020-03-06'],
    ],
    [
      'Who won the cup the year after 2003?',
      ['the year after 2003', 'in', '2004-01-01', '2004-12-31'],
    ],
    [
      'Who won in the year before 2003?',
      ['in the year before 2003', 'in', '2002-01-01', '2002-12-31'],
    ],
    [
      'Who led it the day after 18 May 2011?',
      ['the day after 18 May 2011', 'on', '2011-05-19', '2011-05-19'],
    ],
    [
      'Who held the title a decade before the 1960s?',
      ['a decade before the 1960s', 'in', '1950-01-01', '1959-12-31'],
    ],
  ];
  for (const [text, expected] of cases) it(text, () => assert.deepEqual(read(text), expected));

  const stretches = [
    'Who won within five years after 1969?',
    'Who won in the years after 1969?',
    'What changed the month after 1969?',
    'Who won in the five years after 1969?',
    'Who was mayor more than five years after 1969?',
    'What changed three months after 1969?',
    'How many years after 1969 did he win?',
  ];
  for (const text of stretches) {
    it(`leaves ${text}`, () => {
      const { relation, interval } = parseQuestion({ text, askedAt: '2024-06-15' }).constraint;
      assert.deepEqual([relation, formatDay(interval!.start)], ['after', '1969-01-01']);
    });
  }

  it('has inverse offsets before and after', () => {
    const steps = fc.integer({ min: 1, max: 300 });
    fc.assert(
      fc.property(
        steps,
        fc.constantFrom('days', 'weeks'),
        fc.integer({ min: 0, max: 20_000 }),
        (by, unit, days) => {
          const day = (instant: number): string => formatDay(instant);
          const from = day(days * 86_400_000);
          const after = parseQuestion({
            text: `Who led it ${by} ${unit} after ${from}?`,
            askedAt: '2060-01-01',
          }).constraint.interval!;
          const back = parseQuestion({
            text: `Who led it ${by} ${unit} before ${day(after.start)}?`,
            askedAt: '2060-01-01',
          }).constraint.interval!;
          assert.equal(day(back.start), from);
        },
      ),
      { numRuns: 300 },
    );
  });
});
