// Years of the published re-implementation: a question's range, a passage's years, and their score.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  parseYearQuestion,
  yearScore,
  yearsIn,
} from '../../../lib/papers/reimplementation/windows.js';

describe('years of the published re-implementation', () => {
  it('reads and removes a range, else the year after a preposition, else the first', () => {
    assert.deepEqual(parseYearQuestion('Who kept the light between 1990 and 1985?'), {
      mainContent: 'Who kept the light ?',
      range: { first: 1985, last: 1990 },
    });
    assert.deepEqual(parseYearQuestion('From 1900 - 1905 who kept it?').range, {
      first: 1900,
      last: 1905,
    });
    assert.deepEqual(parseYearQuestion('Who kept the light of 1850 in 1990?'), {
      mainContent: 'Who kept the light of 1850 ?',
      range: { first: 1990, last: 1990 },
    });
    assert.deepEqual(parseYearQuestion('Who won the 1988 regatta?'), {
      mainContent: 'Who won the regatta?',
      range: { first: 1988, last: 1988 },
    });
    assert.deepEqual(
      parseYearQuestion('Who kept it before 1970?'),
      { mainContent: 'Who kept it before ?', range: { first: 1970, last: 1970 } },
      'before is no relation there',
    );
    assert.deepEqual(parseYearQuestion(' Who keeps it? '), { mainContent: 'Who keeps it?' });
    assert.deepEqual(
      parseYearQuestion('in 1990').mainContent,
      'in 1990',
      'what would be empty stays',
    );
    assert.equal(parseYearQuestion('Who counted 1400 ships?').range, undefined);
  });

  it('reads the distinct years from 1500 to 2100 of a passage', () => {
    assert.deepEqual(
      yearsIn('Built in 1899, lit 1901; rebuilt 1901. Not 1499, 2101, 19010 or 1900s.'),
      [1899, 1901],
    );
    assert.deepEqual(yearsIn(''), []);
  });

  it(
    'scores 1 inside, a line over the span outside, a half without years, 1 where nothing ' +
      'is in the question',
    () => {
      const range = { first: 1990, last: 1995 };
      assert.equal(yearScore(range, [1950, 1992]), 1);
      assert.equal(yearScore(range, [1985]), 0.75);
      assert.equal(yearScore(range, [2000, 2010]), 0.75);
      assert.equal(yearScore(range, [1900]), 0);
      assert.equal(yearScore(range, []), 0.5);
      assert.equal(yearScore(undefined, []), 1);
    },
  );

  it("is the maximum over a passage's years, and falls with the distance", () => {
    const year = fc.integer({ min: 1500, max: 2100 });
    fc.assert(
      fc.property(year, year, fc.array(year, { minLength: 1, maxLength: 6 }), (a, b, years) => {
        const range = { first: Math.min(a, b), last: Math.max(a, b) };
        const score = yearScore(range, years);
        const of = (each: number): number => {
          for (let away = 0; away < 20; away += 1)
            if (each + away >= range.first && each - away <= range.last) return 1 - away / 20;
          return 0;
        };
        assert.equal(score, Math.max(...years.map(of)));
      }),
    );
  });
});
