// Members of a series: how many times it has.
import assert from 'node:assert/strict';
import { memberTable, type MemberTable } from '../../../lib/facts/series/members.js';
import { matched } from './matches.js';
import type { TestPassage } from './passages.js';

const tableOf = (question: string, ...passages: TestPassage[]): MemberTable => {
  const { question: read, matches } = matched(question, ...passages);
  return memberTable(read, matches, passages.length);
};
describe('memberTable', () => {
  it('counts the times of the series, of its publication where it states none', () => {
    const size = (...passages: TestPassage[]): number =>
      Math.round(Math.expm1(3 * tableOf('Who chairs the club?', ...passages).stateInputs[1]!));
    const [text, publishedAt] = ['The club has chairs.', '2012-01-01'];
    assert.equal(size(), 0);
    assert.equal(size({ text }), 0);
    assert.equal(size({ text, publishedAt }, { text, publishedAt: '2013-01-01' }), 2);
    assert.equal(size({ text, publishedAt }, { text, publishedAt }), 1);
    const title = 'Clubs in 2011';
    assert.equal(size({ text, title, publishedAt }, { text, title }), 1);
    const dated = 'The club has chairs in 2009.';
    assert.equal(size({ text: dated, title, publishedAt }, { text, title }), 2);
    // What says less of the question is of another series.
    assert.equal(size({ text: dated }, { text: 'The club met in 2008.' }), 1);
  });
});
