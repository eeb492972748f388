// Times of a question that are fused into its vector.
import assert from 'node:assert/strict';
import { parseQuestion } from '../../../lib/time/index.js';
import { fusionTimes } from '../../../lib/papers/re3/fusionTimes.js';

const written = (text: string, fuse: 'all' | 'moments' = 'moments'): string[] =>
  fusionTimes(parseQuestion({ text, askedAt: '2022-03-01T12:00:00Z' }), fuse).map(
    ({ year, month, dayOfMonth }) => [year, month, dayOfMonth].join('-'),
  );

describe('the times of a question that are fused', () => {
  it('are those of every question, or of none without a time', () => {
    for (const [text, ...times] of [
      ['Who won the Harvest Cup in May 1998?', '1998-5-0'],
      ['Who led the council from 1950 to 1957?', '1954-0-0'],
      ['Who won the cup before 1990?', '1990-0-0'],
      ['Who was born in the 1950s?', '1955-0-0'],
      ['How warm was it in Lisbon on January 7 and 8, 2022?', '2022-1-7', '2022-1-8'],
      ['Which articles were published on April 3, 2021?'],
      ['Who won the cup?'],
    ] as const)
      assert.deepEqual(written(text, 'all'), times, text);
  });

  it('of moments are the times at which its answer lies', () => {
    assert.deepEqual(written('Who won the Harvest Cup in 1998?'), ['1998-0-0']);
    assert.deepEqual(written('Who won the Harvest Cup in May 1998?'), ['1998-5-0']);
    assert.deepEqual(written('How warm will it get in Lisbon on April 3, 2022?'), ['2022-4-3']);
    assert.deepEqual(written('How many cases had Peru counted by April 3, 2021?'), ['2021-4-3']);
  });

  it('are several for alternative days, in any enumeration', () => {
    const both = ['2022-4-3', '2022-4-4'];
    assert.deepEqual(
      written('What is the forecast for Lisbon on April 3, 2022 and on April 4, 2022?'),
      both,
    );
    assert.deepEqual(
      written('How warm will it get in Lisbon on April 3, 2022, and how warm on April 4, 2022?'),
      both,
    );
  });

  it('are the days of a list, not those between them', () => {
    const apart = ['2022-1-7', '2022-1-12'];
    for (const list of [
      'on January 7 and 12, 2022',
      'on January 7 and on January 12, 2022',
      'on 7 and 12 January 2022',
      'on 2022-01-07 and on 2022-01-12',
      'on the 7th and 12th of January 2022',
    ])
      assert.deepEqual(written(`How warm was it in Lisbon ${list}?`), apart, list);
    assert.deepEqual(written('How warm was it in Lisbon on January 7 and 8, 2022?'), [
      '2022-1-7',
      '2022-1-8',
    ]);
    assert.deepEqual(written('How warm was it in Lisbon on 3 March and on 10 March 2020?'), [
      '2020-3-3',
      '2020-3-10',
    ]);
    assert.deepEqual(written('How many came on May 7, 2021 and 3 other days?'), ['2021-5-7']);
  });

  it('are none for an interval given by its ends', () => {
    for (const stretch of [
      'between January 7 and 12, 2022',
      'between January 7 and January 12, 2022',
      'from January 7 to 12, 2022',
    ])
      assert.deepEqual(written(`How warm was it in Lisbon ${stretch}?`), [], stretch);
  });

  it('are the middle of a few years, but not of an interval of months', () => {
    assert.deepEqual(written('Who won the Harvest Cup between 1996 and 1998?'), ['1997-0-0']);
    assert.deepEqual(written('Who won the Harvest Cup between 1950 and 1998?'), []);
    assert.deepEqual(written('Who owned the mill between May 1911 and July 1911?'), []);
  });

  it('are none for long intervals, open relations and questions without a date', () => {
    for (const text of [
      'Who led the council from 1950 to 1957?',
      'Who won the cup before 1990?',
      'Who won the cup after 1990?',
      'Who was born in the 1950s?',
      'Who won the cup?',
    ])
      assert.deepEqual(written(text), [], text);
  });

  it('are publication times only for counts, which belong to their last day', () => {
    assert.deepEqual(written('Which articles were published on April 3, 2021?'), []);
    assert.deepEqual(written('How many cases had Peru reported by April 3, 2021?'), ['2021-4-3']);
    assert.deepEqual(written('How many cases did Peru have as of April 3, 2021?'), ['2021-4-3']);
    assert.deepEqual(written('Who was the health minister of Peru as of April 3, 2021?'), []);
  });
});
