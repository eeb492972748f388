// Which times of a question are fused into its vector.
import assert from 'node:assert/strict';
import { parseQuestion } from '../../../lib/index.js';
import { timesToFuse } from '../../../lib/time/question/fusing.js';

const written = (text: string): string[] =>
  timesToFuse(parseQuestion({ text, askedAt: '2022-03-01T12:00:00Z' })).map(({ year, month, dayOfMonth }) => [year, month, dayOfMonth].join('-'));

describe('the times of a question that are fused', () => {
  it('are the moment at which its answer lies', () => {
    assert.deepEqual(written('Who won the Harvest Cup in 1998?'), ['1998-0-0']);
    assert.deepEqual(written('Who won the Harvest Cup in May 1998?'), ['1998-5-0']);
    assert.deepEqual(written('How warm will it get in Lisbon on April 3, 2022?'), ['2022-4-3']);
    assert.deepEqual(written('How many cases had Peru counted by April 3, 2021?'), ['2021-4-3']);
  });

  it('are several where days serve as well as each other, however they are joined', () => {
    const both = ['2022-4-3', '2022-4-4'];
    assert.deepEqual(written('What is the forecast for Lisbon on April 3, 2022 and on April 4, 2022?'), both);
    assert.deepEqual(written('How warm will it get in Lisbon on April 3, 2022, and how warm on April 4, 2022?'), both);
  });

  it('are the middle of a few years that a prize may be of, not of a stretch of months', () => {
    assert.deepEqual(written('Who won the Harvest Cup between 1996 and 1998?'), ['1997-0-0']);
    assert.deepEqual(written('Who won the Harvest Cup between 1950 and 1998?'), []);
    assert.deepEqual(written('Who owned the mill between May 1911 and July 1911?'), []);
  });

  it('are none for what held over years, came before or after, or is asked without a date', () => {
    for (const text of [
      'Who led the council from 1950 to 1957?', 'Who won the cup before 1990?', 'Who won the cup after 1990?', 'Who was born in the 1950s?',
      'Who won the cup?',
    ])
      assert.deepEqual(written(text), [], text);
  });

  it('are those of publication of counts alone, and a count is of the day that it goes up to', () => {
    assert.deepEqual(written('Which articles were published on April 3, 2021?'), []);
    assert.deepEqual(written('How many cases had Peru reported by April 3, 2021?'), ['2021-4-3']);
    assert.deepEqual(written('How many cases did Peru have as of April 3, 2021?'), ['2021-4-3']);
    assert.deepEqual(written('Who was the health minister of Peru as of April 3, 2021?'), []);
  });
});
