// The window that a neighbour sets, from all statements that tell of it, for holders, events and
// versions.
import assert from 'node:assert/strict';
import { neighbourWindow } from '../../../lib/facts/series/neighbour.js';
import { formatDay } from '../../../lib/time/instant.js';
import { matched } from './matches.js';
import type { TestPassage } from './passages.js';

/** The days of the window, the last one included; null where it is open. */
function days(text: string, ...passages: TestPassage[]): [string | null, string | null] {
  const { question, matches } = matched(text, ...passages);
  const { start, end } = neighbourWindow(question, matches).window;
  return [
    Number.isFinite(start) ? formatDay(start) : null,
    Number.isFinite(end) ? formatDay(end - 1) : null,
  ];
}

describe('neighbourWindow', () => {
  const came = { text: 'Anna Wirth was replaced by Karl Rau as mayor of Tannau in 1950.' };
  const went = { text: 'Karl Rau was replaced by Ines Holm as mayor of Tannau in 1964.' };

  it('begins in the unit in which a holder ends, and ends in that in which one begins', () => {
    const after = 'Who was the mayor of Tannau after Karl Rau?';
    const before = 'Who was the mayor of Tannau before Karl Rau?';
    for (const passages of [
      [came, went],
      [went, came],
    ]) {
      assert.deepEqual(days(after, ...passages), ['1964-01-01', null]);
      assert.deepEqual(days(before, ...passages), [null, '1950-12-31']);
    }
    const term = { text: 'Karl Rau was mayor of Tannau from 1950 to 1964.' };
    assert.deepEqual(days(after, term), ['1964-12-31', null]);
    assert.deepEqual(days(before, term), [null, '1950-01-01']);
  });

  it('begins when a version is over', () => {
    const release = { text: 'On 3 May 2019 Grell 3.1 was out.' };
    assert.deepEqual(days('Which Grell was out after 3.1?', release), ['2019-05-04', null]);
  });

  it('ends with the event at which a state is asked for, in whatever words that has', () => {
    const closed = { text: 'On 9 May 1957 the owners closed the mill.' };
    const question = 'Who was the mayor of Tannau when the mill closed?';
    assert.deepEqual(days(question, came, closed), [null, '1957-05-09']);
  });

  it('stays open where no statement tells of it', () =>
    assert.deepEqual(days('Who was the mayor of Tannau after Ida Rowe?', came), [null, null]));
});
