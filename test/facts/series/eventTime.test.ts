// The time of an event by statements about it: which of several times, which end of a state, and
// how sure.
import assert from 'node:assert/strict';
import { eventTime } from '../../../lib/facts/series/eventTime.js';
import { formatDay } from '../../../lib/time/instant.js';
import { readEvent } from '../../../lib/time/question/eventPhrase.js';
import { matched } from './matches.js';
import type { TestPassage } from './passages.js';

const askedAt = Date.UTC(2020, 0, 1);

/** Passage and days of the event of a question, the last one included. */
function told(text: string, ...passages: TestPassage[]): string | undefined {
  const event = readEvent({ text, askedAt })!;
  const { question, matches } = matched(event.about, ...passages);
  const found = eventTime(question, matches, event, { askedAt });
  if (!found || found.confidence < 0.7) return undefined;
  const { days, passage } = found;
  return `${passage}: ${formatDay(days.start)} to ${formatDay(days.end - 1)}`;
}

describe('eventTime', () => {
  const terms = {
    id: 'terms',
    title: 'Viborg Courier',
    text: 'Its editors were Ida Rowe (1950–1957), Karl Rau (1957–1964) and Ines Holm (1964–1971).',
  };

  it('is that of the name that it stands behind, in a list', () => {
    const question = 'Who was mayor while Karl Rau edited the Viborg Courier?';
    assert.equal(told(question, terms), 'terms: 1957-01-01 to 1964-12-31');
  });

  it('is the end of the state that the question names', () => {
    for (const [words, expected] of [
      ['before Karl Rau became editor of the Viborg Courier', '1957-01-01 to 1957-12-31'],
      ['after Karl Rau left the Viborg Courier', '1964-01-01 to 1964-12-31'],
      ['before Karl Rau was editor of the Viborg Courier', '1957-01-01 to 1957-12-31'],
      ['after Karl Rau edited the Viborg Courier', '1964-01-01 to 1964-12-31'],
    ] as const)
      assert.equal(told(`Who was mayor ${words}?`, terms), `terms: ${expected}`, words);
  });

  it('is that of the sentence with the words, not of others about the same name', () => {
    const life = {
      id: 'life',
      title: 'Karl Rau',
      text: 'Karl Rau moved to Viborg in May 1950. He died on 3 March 1988. 1991.',
    };
    assert.equal(
      told("Who was mayor at the time of Karl Rau's death?", life),
      'life: 1988-03-03 to 1988-03-03',
    );
    assert.equal(
      told('Who was mayor when Karl Rau moved to Viborg?', life),
      'life: 1950-05-01 to 1950-05-31',
    );
    assert.equal(
      told('Who was mayor the year Karl Rau died?', life),
      'life: 1988-01-01 to 1988-12-31',
    );
  });

  it('ends with the time of asking where a state lasts', () => {
    const lasting = { id: 'lasting', text: 'Grell is owned by Ines Holm (2015–present).' };
    const question = 'Who was mayor while Ines Holm owned Grell?';
    assert.equal(told(question, lasting), 'lasting: 2015-01-01 to 2020-01-01');
  });

  it('is none where a statement lacks the names, the end in question, or a time', () => {
    const built = { id: 'built', text: 'The mill was built in 1931 by Karl Rau.' };
    assert.equal(told('Who was mayor when Karl Rau retired?', built), undefined);
    assert.equal(told('Who was mayor when Ida Rowe built the mill?', built), undefined);
    assert.equal(told('Who was mayor when the mill closed?', { text: 'It closed.' }), undefined);
  });
});
