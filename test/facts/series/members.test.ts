// Members of a series: how many times it has.
import assert from 'node:assert/strict';
import { memberTable, type MemberTable } from '../../../lib/facts/series/members.js';
import { matched } from './matches.js';
import type { TestPassage } from './passages.js';

const tableOf = (question: string, ...passages: TestPassage[]): Promise<MemberTable> => {
  const { question: read, matches } = matched(question, ...passages);
  return memberTable(read, matches, passages.length);
};
describe('memberTable', () => {
  it('counts the times of the series, of its publication where it states none', async () => {
    const size = async (...passages: TestPassage[]): Promise<number> => {
      const { stateInputs } = await tableOf('Who chairs the club?', ...passages);
      return Math.round(Math.expm1(3 * stateInputs[1]!));
    };
    const [text, publishedAt] = ['The club has chairs.', '2012-01-01'];
    assert.equal(await size(), 0);
    assert.equal(await size({ text }), 0);
    assert.equal(await size({ text, publishedAt }, { text, publishedAt: '2013-01-01' }), 2);
    assert.equal(await size({ text, publishedAt }, { text, publishedAt }), 1);
    const title = 'Clubs in 2011';
    assert.equal(await size({ text, title, publishedAt }, { text, title }), 1);
    const dated = 'The club has chairs in 2009.';
    assert.equal(await size({ text: dated, title, publishedAt }, { text, title }), 2);
    // What says less of the question is of another series.
    assert.equal(await size({ text: dated }, { text: 'The club met in 2008.' }), 1);
  });
});
