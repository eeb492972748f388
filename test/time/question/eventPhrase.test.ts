// Events and states that questions name in place of a date, and the questions with a date instead.
import assert from 'node:assert/strict';
import { withDate } from '../../../lib/time/question/eventDate.js';
import { readEvent } from '../../../lib/time/question/eventPhrase.js';

const read = (text: string): string | undefined => {
  const event = readEvent({ text });
  return event && `${event.side}: ${text.slice(event.start, event.end)}`;
};

describe('events of questions', () => {
  it('are clauses and phrases of time that name no date', () => {
    for (const [text, expected] of [
      ['Who led Austria when the Danube froze?', 'at: when the Danube froze'],
      ['When the Danube froze, who led Austria?', 'at: When the Danube froze'],
      ['Who was premier during the Harbour Strike?', 'at: during the Harbour Strike'],
      ['Which songs were written during the strike?', 'at: during the strike'],
      ['Who edited the Courier while Ada Lund owned it?', 'at: while Ada Lund owned it'],
      ['Where did Nils play before Ole joined Viborg?', 'before: before Ole joined Viborg'],
      ['Who owned the mill just before the dam burst?', 'before: before the dam burst'],
      ['Who ran the club after the death of Ada Lund?', 'after: after the death of Ada Lund'],
      ['Who has led the union since the merger failed?', 'since: since the merger failed'],
      ['Who was mayor until the bridge opened?', 'until: until the bridge opened'],
      ['Who won the cup in the year that Ada Lund died?', 'at: in the year that Ada Lund died'],
      ['Who won the cup in the same year as Viborg?', 'at: in the same year as Viborg'],
      ['In the Taisho era, who was emperor?', 'at: In the Taisho era'],
      ['Who was mayor before World War II?', 'before: before World War II'],
      ['Who led it when Alfred Drury worked in Paris?', 'at: when Alfred Drury worked in Paris'],
      [
        'Who owned it before Ole Berg, 6th Earl of Skive bought Spottrup?',
        'before: before Ole Berg, 6th Earl of Skive bought Spottrup',
      ],
    ] as const)
      assert.equal(read(text), expected, text);
  });

  it('are none where a date or "now" is said, or the question asks for a time', () => {
    for (const text of [
      'Who led Austria in 1962?',
      'Who led Austria in 1962 when the Danube froze?',
      'Who owned the house when Ada died in 1950?',
      'Who is the current owner since the wall fell?',
      'When was the bridge built?',
      'Do you know when Ada Lund died?',
      'Which team did Nils play for before the current team?',
      'How do I paint a door before a second coat?',
      'Who leads Austria?',
      `${'Well. '.repeat(700)}Who led Austria when the Danube froze?`,
    ])
      assert.equal(read(text), undefined, text);
  });

  it('leave members of the series in question to the ranking', () => {
    for (const text of [
      'Who coached Viborg before Ole Berg?',
      'What was the last Grell release before version 7.1?',
      'What did Brunei use before the Brunei dollar?',
      'What was the next currency of Peru when it gave up the sol?',
      'Who succeeded Ole Berg?',
      'Who was the predecessor of Ole Berg?',
    ])
      assert.equal(read(text), undefined, text);
  });

  it('say what passages are searched for, and which end of a state is meant', () => {
    const about = (text: string): unknown[] => {
      const { about: words, course, unit } = readEvent({ text })!;
      return [words, course, unit];
    };
    assert.deepEqual(about('Where did Marie Curie work after winning the prize?'), [
      'Marie Curie winning the prize',
      undefined,
      undefined,
    ]);
    assert.deepEqual(about("Who was king at the time of Ada Lund's death?"), [
      'Ada Lund died',
      'ends',
      undefined,
    ]);
    assert.deepEqual(about('Who was king after the birth of Ada Lund?'), [
      'Ada Lund was born',
      'begins',
      undefined,
    ]);
    assert.deepEqual(about('Who was king the year Ole joined Viborg?'), [
      'Ole joined Viborg',
      'begins',
      'year',
    ]);
  });
});

describe('a question with a date in place of its event', () => {
  const asked = (text: string, from: string, to: string): string =>
    withDate(text, readEvent({ text })!, { start: Date.parse(from), end: Date.parse(to) });

  it('names the day, the whole months or years, or both ends', () => {
    const text = 'Who led Austria when the Danube froze?';
    assert.equal(asked(text, '1963-01-09', '1963-01-10'), 'Who led Austria on 9 January 1963?');
    assert.equal(asked(text, '1963-01-01', '1963-02-01'), 'Who led Austria in January 1963?');
    assert.equal(asked(text, '1963-01-01', '1964-01-01'), 'Who led Austria in 1963?');
    assert.equal(asked(text, '1963-01-01', '1966-01-01'), 'Who led Austria between 1963 and 1965?');
    assert.equal(
      asked(text, '1963-01-09', '1963-03-01'),
      'Who led Austria between 9 January 1963 and 28 February 1963?',
    );
  });

  it('keeps the relation, with the end of the time that bounds', () => {
    const years = ['1963-01-01', '1966-01-01'] as const;
    assert.equal(
      asked('Who led Austria before the Danube froze?', ...years),
      'Who led Austria before 1963?',
    );
    assert.equal(
      asked('Who led Austria after the Danube froze?', ...years),
      'Who led Austria after 1965?',
    );
    assert.equal(
      asked('When the Danube froze, who led Austria?', '1963-01-09', '1963-01-10'),
      'On 9 January 1963, who led Austria?',
    );
  });

  it('names years before Christ', () => {
    const text = 'Who ruled Rome when Caesar died?';
    assert.equal(asked(text, '-000043-01-01', '-000042-01-01'), 'Who ruled Rome in 44 BC?');
  });
});
