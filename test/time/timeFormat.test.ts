// Intervals and constraints in words: short where that says the same, both ends inclusive.
import assert from 'node:assert/strict';
import { formatConstraint, formatTimestamp, formatInterval } from '../../lib/time/timeFormat.js';
import type { Granularity, Interval } from '../../lib/time/index.js';

function interval(
  start: string | number,
  end: string | number,
  granularity: Granularity = 'day',
): Interval {
  const at = (value: string | number): number =>
    typeof value === 'number' ? value : Date.parse(value);
  return { start: at(start), end: at(end), granularity };
}

describe('readable times', () => {
  it('prints years, months, days, minutes and ranges', () => {
    assert.equal(formatInterval(interval('2021-01-01', '2022-01-01', 'year')), '2021');
    assert.equal(formatInterval(interval('1990-01-01', '2000-01-01', 'decade')), '1990 to 1999');
    assert.equal(formatInterval(interval('2024-02-01', '2024-03-01', 'month')), '2024-02');
    assert.equal(formatInterval(interval('2021-05-06', '2021-05-07')), '2021-05-06');
    assert.equal(formatInterval(interval('2016-07-13', '2019-07-25')), '2016-07-13 to 2019-07-24');
    assert.equal(
      formatInterval(interval('2021-01-01', '2021-04-01', 'quarter')),
      '2021-01-01 to 2021-03-31',
    );
    assert.equal(
      formatInterval(interval('2021-05-06T14:30Z', '2021-05-06T14:31Z', 'minute')),
      '2021-05-06T14:30Z',
    );
  });

  it('prints open ends', () => {
    assert.equal(formatInterval(interval(-Infinity, '2021-05-07')), 'until 2021-05-06');
    assert.equal(formatInterval(interval('2021-05-06', Infinity)), 'from 2021-05-06');
    assert.equal(formatInterval(interval(-Infinity, Infinity)), 'any time');
  });

  it('prints instants and constraints', () => {
    assert.equal(formatTimestamp(Date.parse('2021-05-06')), '2021-05-06');
    assert.equal(formatTimestamp(Date.parse('2021-05-06T14:30:00Z')), '2021-05-06T14:30Z');
    const year = interval('2021-01-01', '2022-01-01', 'year');
    assert.equal(
      formatConstraint({
        condition: 'last',
        relation: 'before',
        interval: year,
        clock: 'published',
        binds: true,
      }),
      'last, before 2021 (published)',
    );
    assert.equal(
      formatConstraint({ condition: 'none', relation: 'none', clock: 'content', binds: true }),
      'none',
    );
  });
});
