// Restatements: later publications for one time, and revisions in mostly the same words.
import assert from 'node:assert/strict';
import { memberTable, type MemberTable } from '../../../lib/facts/series/members.js';
import { isRevision, subjectOf, termsOf } from '../../../lib/facts/series/restatements.js';
import { matched } from './matches.js';
import { lexicon } from './passages.js';
import type { TestPassage } from './passages.js';

const tableOf = (question: string, ...passages: TestPassage[]): Promise<MemberTable> => {
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

describe('restatementsOf', () => {
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

  it('restates a statement by later publications for its time', async () => {
    assert.deepEqual(restated(await tableOf(question, march!, revised!)), [
      ['a 1', ['b 1']],
      ['b 1', []],
    ]);
    const { restatements, interpretation } = await tableOf(question, march!, revised!);
    restatements.forEach((list, at) =>
      assert.ok(interpretation[at]! % 2 === 0 || list.length === 0, 'none by publication'),
    );
    const unpublished = { id: 'b', text: revised!.text };
    assert.deepEqual(restated(await tableOf(question, march!, unpublished))[0], ['a 1', []]);
  });

  it('restates a passage as a whole, at all of its times, with one that is restated', async () => {
    const text = `${march!.text} It was repaired on 2 April 2011.`;
    const other = {
      id: 'c',
      text: 'Tannau harbour was shut on 9 May 2011.',
      publishedAt: '2012-07-01',
    };
    assert.deepEqual(restated(await tableOf(question, { ...march!, text }, revised!, other)), [
      ['a 1', ['b 1']],
      ['a 2', []],
      ['a whole', ['b 1']],
      ['a whole', ['b 1']],
      ['b 1', []],
      ['c 1', []],
    ]);
    // A sentence is restated at each of its times for itself.
    const twice = march!.text.replace('.', ' and 12 boats on 2 April 2011.');
    assert.deepEqual(restated(await tableOf(question, { ...march!, text: twice }, revised!)), [
      ['a 1', ['b 1']],
      ['a 1', []],
      ['b 1', []],
    ]);
    // What restates it at the time itself comes first.
    const repaired = { ...other, text: 'Tannau harbour was repaired on 2 April 2011.' };
    assert.deepEqual(restated(await tableOf(question, { ...march!, text }, revised!, repaired)), [
      ['a 1', ['b 1']],
      ['a 2', ['c 1']],
      ['a whole', ['b 1']],
      ['a whole', ['c 1']],
      ['b 1', []],
      ['c 1', []],
    ]);
  });

  it('does not restate a passage as a whole by what says less of the question', async () => {
    const text = `${march!.text} Ida Rowe led it.`;
    const asked = 'How many ships did Tannau harbour handle under Ida Rowe?';
    assert.deepEqual(restated(await tableOf(asked, { ...march!, text }, revised!)), [
      ['a 1', ['b 1']],
      ['a 2', []],
      ['a whole', []],
      ['b 1', []],
    ]);
  });

  describe('revisions', () => {
    const old: TestPassage = {
      id: 'a',
      title: 'Lohr Abbey',
      text: 'The abbey has a tower of 41 metres and two bells.',
      publishedAt: '2011-05-20',
    };
    const newer: TestPassage = {
      ...old,
      id: 'b',
      text: 'The abbey has a tower of 44 metres and three bells.',
      publishedAt: '2012-06-02',
    };
    const tower = 'How high is the tower of the abbey?';
    const isRestated = async (question: string, ...passages: TestPassage[]): Promise<boolean> =>
      restated(await tableOf(question, ...passages))[0]![1].length > 0;

    it('restates what states no time in mostly the same words under the same title', async () => {
      assert.deepEqual(restated(await tableOf(tower, old, newer)), [
        ['a 1', ['b 1']],
        ['b 1', []],
      ]);
      const elsewhere = { ...newer, title: 'Ulm Abbey' };
      const otherwise = { ...newer, text: 'Its tower is 44 metres high.' };
      const untitled = [old, newer].map(({ title: _, ...each }) => each);
      assert.ok(!(await isRestated(tower, old, elsewhere)));
      assert.ok(!(await isRestated(tower, old, otherwise)));
      assert.ok(!(await isRestated(tower, ...untitled)), 'of whatever abbey');
      assert.ok(!(await isRestated(tower, old, { ...newer, publishedAt: old.publishedAt! })));
      // Versions in a title are no subject of their own.
      const [first, second] = [old, newer].map((each, at) => ({ ...each, title: `Abbey 1.${at}` }));
      assert.ok(await isRestated(tower, first!, second!));
    });

    it('restates nothing by what was published after the window', async () => {
      assert.ok(
        await isRestated('How high is the tower of the abbey as of July 2012?', old, newer),
      );
      assert.ok(
        !(await isRestated('How high is the tower of the abbey as of May 2012?', old, newer)),
      );
    });

    it('restates another time only where the time is asked for', async () => {
      const [built, rebuilt] = [1480, 1482].map((year, at) => ({
        ...[old, newer][at]!,
        text: `Monks from Ulm built the tower of the abbey in ${year}.`,
      }));
      assert.ok(await isRestated('When did monks build the tower of the abbey?', built!, rebuilt!));
      assert.ok(!(await isRestated('Who built the tower of the abbey?', built!, rebuilt!)));
    });

    it('compares each statement with few others, whatever their number', async () => {
      const many = Array.from({ length: 400 }, (_, day) => ({
        ...old,
        id: `p${day}`,
        publishedAt: new Date(Date.UTC(2010, 0, day + 1)).toISOString().slice(0, 10),
      }));
      const counts = restated(await tableOf(tower, ...many)).map(([, by]) => by.length);
      assert.equal(Math.max(...counts), 32);
      assert.equal(counts.at(-1), 0);
    });

    it('counts words in common by half of all', () => {
      const pair = (one: string, other: string): boolean => {
        const { matches } = matched(tower, { ...old, text: one }, { ...old, text: other });
        return isRevision(matches[0]!, matches[1]!);
      };
      assert.ok(pair('Bells ring at noon.', 'Bells ring at dawn.'));
      assert.ok(!pair('Bells ring at noon.', 'Bells fell at dawn.'));
      const [match] = matched(tower, old).matches;
      assert.equal(subjectOf(match!), 'lohr abbey');
      assert.ok(termsOf(match!).has(lexicon.numberOf('41')));
    });
  });
});
