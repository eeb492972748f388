// Year extraction and question parsing of MRAG's published code, by facts recorded from it.
import assert from 'node:assert/strict';
import {
  keywordText,
  officialQuestion,
  officialYears,
} from '../../../../lib/papers/mrag/official/question.js';

describe("a question as MRAG's published code reads it", () => {
  it('extracts years by digits', () => {
    assert.deepEqual(officialYears('chair 1971-73, treasurer 1980'), [1971, 1972, 1973, 1980]);
    assert.deepEqual(officialYears('from 1998–2000'), [1998, 1999, 2000]);
    assert.deepEqual(officialYears('hits of the 1950s'), [1950]);
    assert.deepEqual(
      [officialYears('season 1999-05'), officialYears('on 2019-03-04'), officialYears('no year')],
      [undefined, undefined, undefined],
    );
  });

  it('parses by the last relation before a year, and by the order word', () => {
    assert.deepEqual(officialQuestion('Who was the last keeper of the tower before 1981?'), {
      text: 'Who was the keeper of the tower?',
      constraint: { type: 'before', years: [1981], order: 'last' },
    });
    assert.deepEqual(officialQuestion('Who kept it between 1990 and 2000?').constraint, {
      type: 'between',
      years: [1990, 2000],
    });
    assert.deepEqual(officialQuestion('Who kept it in 1990?'), { text: 'Who kept it in 1990?' });
    assert.deepEqual(officialQuestion('Who kept it?'), { text: 'Who kept it?' });
    assert.deepEqual(officialQuestion('Who kept it from 1998-02?'), {
      text: 'Who kept it from 1998-02?',
    });
    assert.equal(
      keywordText('How many times did it ring? How many bells?'),
      'When did it ring? What bells?',
    );
  });
});
