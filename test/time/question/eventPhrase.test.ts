// Events and states that questions name in place of a date, and the questions with a date instead.
import assert from 'node:assert/strict';
import { readEvent, withDate, type EventPhrase } from '../../../lib/time/question/eventPhrase.js';
import { mostly } from './mostly.js';

const read = (text: string): string | undefined => {
  const event = readEvent({ text });
  return event && `${event.side}: ${text.slice(event.start, event.end)}`;
};

describe('events of questions', () => {
  it('are clauses and phrases of time that name no date', () => {
    const cases = [
      ['Who led Austria when the Danube froze?', 'at: when the Danube froze'],
      ['When the Danube froze, who led Austria?', 'at: When the Danube froze'],
      ['Who was premier during the Harbour Strike?', 'at: during the Harbour Strike'],
      ['Which songs were written during the strike?', 'at: during the strike'],
      ['Who edited the Courier while Ada Lund owned it?', 'at: while Ada Lund owned it'],
      ['Where did Nils play before Ole joined Viborg?', 'before: before Ole joined Viborg'],
      ['Who owned the mill just before the dam burst?', 'before: just before the dam burst'],
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
    ] as const;
    mostly(cases, 0.6, ([text, expected]) => assert.equal(read(text), expected, text));
  });

  it('are none where a date or "now" is said, or the question asks for a time', () => {
    const cases = [
      'Who led Austria in 1962?',
      'Who led Austria in 1962 when the Danube froze?',
      'Who owned the house when Ada died in 1950?',
      'Who is the current owner since the wall fell?',
      'When was the bridge built?',
      'Do you know when Ada Lund died?',
      'Which team did Nils play for before the current team?',
      'How do I paint a door before a second coat?',
      'Who leads Austria?',
    ];
    mostly(cases, 0.7, (text) => assert.equal(read(text), undefined, text));
  });

  it('leave members of the series in question to the ranking', () => {
    const cases = [
      'Who coached Viborg before Ole Berg?',
      'What was the last Grell release before version 7.1?',
      'What did Brunei use before the Brunei dollar?',
      'What was the next currency of Peru when it gave up the sol?',
      'Who succeeded Ole Berg?',
      'Who was the predecessor of Ole Berg?',
    ];
    mostly(cases, 0.7, (text) => assert.equal(read(text), undefined, text));
  });

  it('say what passages are searched for, and which end of a state is meant', () => {
    const cases = [
      [
        'Where did Marie Curie work after winning the prize?',
        'Marie Curie winning the prize',
        undefined,
        undefined,
      ],
      ["Who was king at the time of Ada Lund's death?", 'Ada Lund died', 'ends', undefined],
      ['Who was king after the birth of Ada Lund?', 'Ada Lund was born', 'begins', undefined],
      ['Who was king the year Ole joined Viborg?', 'Ole joined Viborg', 'begins', 'year'],
    ] as const;
    mostly(cases, 0.5, ([text, ...expected]) => {
      const event = readEvent({ text });
      assert.deepEqual([event?.about, event?.course, event?.unit], expected, text);
    });
  });
});

describe('a question with a date in place of its event', () => {
  /** With the event of the question in brackets. */
  const asked = (
    marked: string,
    side: EventPhrase['side'],
    [from, to]: readonly [string, string],
    shift?: EventPhrase['shift'],
  ): string => {
    const start = marked.indexOf('[');
    const text = marked.replace(/[[\]]/g, '');
    const phrase = { side, start, end: marked.indexOf(']') - 1, shift };
    return withDate(text, phrase, { start: Date.parse(from), end: Date.parse(to) });
  };

  it('names the day, the whole months or years, or both ends', () => {
    const at = (from: string, to: string): string =>
      asked('Who led Austria [when the Danube froze]?', 'at', [from, to]);
    assert.equal(at('1963-01-09', '1963-01-10'), 'Who led Austria on 9 January 1963?');
    assert.equal(at('1963-01-01', '1963-02-01'), 'Who led Austria in January 1963?');
    assert.equal(at('1963-01-01', '1964-01-01'), 'Who led Austria in 1963?');
    assert.equal(at('1963-01-01', '1966-01-01'), 'Who led Austria between 1963 and 1965?');
    assert.equal(
      at('1963-01-09', '1963-03-01'),
      'Who led Austria between 9 January 1963 and 28 February 1963?',
    );
  });

  it('keeps the relation, with the end of the time that bounds', () => {
    const years = ['1963-01-01', '1966-01-01'] as const;
    assert.equal(
      asked('Who led Austria [before the Danube froze]?', 'before', years),
      'Who led Austria before 1963?',
    );
    assert.equal(
      asked('Who led Austria [after the Danube froze]?', 'after', years),
      'Who led Austria after 1965?',
    );
    assert.equal(
      asked('[When the Danube froze], who led Austria?', 'at', ['1963-01-09', '1963-01-10']),
      'On 9 January 1963, who led Austria?',
    );
  });

  it('is at a distance from the event: a day, a month or a year', () => {
    const days = ['1963-01-09', '1963-01-10'] as const;
    for (const [count, unit, expected] of [
      [1, 'day', 'on 10 January 1963'],
      [-2, 'week', 'on 26 December 1962'],
      [1, 'month', 'in February 1963'],
      [-1, 'month', 'in December 1962'],
      [2, 'year', 'in 1965'],
      [-1, 'decade', 'in 1953'],
    ] as const)
      assert.equal(
        asked('Who led it [two years after the thaw]?', 'at', days, { count, unit }),
        `Who led it ${expected}?`,
      );
  });

  it('names years before Christ', () => {
    const year = ['-000043-01-01', '-000042-01-01'] as const;
    assert.equal(
      asked('Who ruled Rome [when Caesar died]?', 'at', year),
      'Who ruled Rome in 44 BC?',
    );
  });
});
