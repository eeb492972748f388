// Members of a series: statements at their times, by interpretation, which later publications
// restate them, and how many times the series has.
import assert from 'node:assert/strict';
import { memberTable, type MemberTable } from '../../../lib/facts/series/members.js';
import { matched } from './matches.js';
import type { TestPassage } from './passages.js';

const tableOf = (question: string, ...passages: TestPassage[]): MemberTable => {
  const { question: read, matches } = matched(question, ...passages);
  return memberTable(read, matches, passages.length);
};
/** Members by content for the operator, as "id row" or "id whole", and what restates them. */
function restated(table: MemberTable): [member: string, by: string[]][] {
  const nameOf = (at: number): string => {
    const { passage, statement } = table.matches[table.match[at]!]!;
    return `${passage.record.id} ${statement.whole ? 'whole' : statement.row}`;
  };
  return [...table.match.keys()]
    .filter((at) => table.interpretation[at] === 0)
    .map((at) => [nameOf(at), table.restatements[at]!.map(({ member }) => nameOf(member))]);
}

describe('memberTable', () => {
  const question = 'How many ships did Tannau harbour handle?';
  const [march, revised]: TestPassage[] = [
    {
      id: 'a',
      text: 'Tannau harbour handled 390 ships on 31 March 2011.',
      publishedAt: '2011-05-20',
    },
    {
      id: 'b',
      text: 'Tannau harbour handled 425 ships on 31 March 2011.',
      publishedAt: '2012-06-02',
    },
  ];

  it('restates a statement by later publications for its time', () => {
    assert.deepEqual(restated(tableOf(question, march!, revised!)), [
      ['a 1', ['b 1']],
      ['b 1', []],
    ]);
    const { restatements, interpretation } = tableOf(question, march!, revised!);
    restatements.forEach((list, at) =>
      assert.ok(interpretation[at]! % 2 === 0 || list.length === 0, 'none by publication'),
    );
    const unpublished = { id: 'b', text: revised!.text };
    assert.deepEqual(restated(tableOf(question, march!, unpublished))[0], ['a 1', []]);
  });

  it('restates a passage as a whole, at all of its times, with the one that is restated', () => {
    const text = `${march!.text} It was repaired on 2 April 2011.`;
    const other = {
      id: 'c',
      text: 'Tannau harbour was shut on 9 May 2011.',
      publishedAt: '2012-07-01',
    };
    assert.deepEqual(restated(tableOf(question, { ...march!, text }, revised!, other)), [
      ['a 1', ['b 1']],
      ['a 2', []],
      ['a whole', ['b 1']],
      ['a whole', ['b 1']],
      ['b 1', []],
      ['c 1', []],
    ]);
    // A sentence is restated at each of its times for itself.
    const twice = march!.text.replace('.', ' and 12 boats on 2 April 2011.');
    assert.deepEqual(restated(tableOf(question, { ...march!, text: twice }, revised!)), [
      ['a 1', ['b 1']],
      ['a 1', []],
      ['b 1', []],
    ]);
    // What restates it at the time itself comes first.
    const repaired = { ...other, text: 'Tannau harbour was repaired on 2 April 2011.' };
    assert.deepEqual(restated(tableOf(question, { ...march!, text }, revised!, repaired)), [
      ['a 1', ['b 1']],
      ['a 2', ['c 1']],
      ['a whole', ['b 1']],
      ['a whole', ['c 1']],
      ['b 1', []],
      ['c 1', []],
    ]);
  });

  it('does not restate a passage as a whole by what says less of the question', () => {
    const text = `${march!.text} Ida Rowe led it.`;
    const asked = 'How many ships did Tannau harbour handle under Ida Rowe?';
    assert.deepEqual(restated(tableOf(asked, { ...march!, text }, revised!)), [
      ['a 1', ['b 1']],
      ['a 2', []],
      ['a whole', []],
      ['b 1', []],
    ]);
  });

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
