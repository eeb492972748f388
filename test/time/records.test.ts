// Command-line records: inclusive ISO dates to the day, times of day only if the text has one,
// nulls otherwise.
import assert from 'node:assert/strict';
import { parseQuestion } from '../../lib/time/question/question.js';
import { toTimeQuestionRecord, toTimeTagRecord } from '../../lib/time/records.js';
import { tagText } from '../../lib/time/tagger.js';

describe('time records', () => {
  it('a tagged text', () => {
    const text = 'It stood 😀 from 1914 to 1927, in May, since 2022-01-07T13:50:07+01:00.';
    assert.deepEqual(toTimeTagRecord('a', text, tagText(text)), {
      id: 'a',
      mode: 'narrative',
      mentions: [
        {
          start: 12,
          end: 29,
          text: 'from 1914 to 1927',
          relation: 'from-to',
          start_iso: '1914-01-01',
          end_iso: '1927-12-31',
          granularity: 'year',
          timex_type: 'DATE',
          timex_value: '1914/1927',
        },
        {
          start: 31,
          end: 37,
          text: 'in May',
          relation: 'in',
          start_iso: '1927-05-01',
          end_iso: '1927-05-31',
          granularity: 'month',
          timex_type: 'DATE',
          timex_value: '1927-05',
        },
        {
          start: 39,
          end: 70,
          text: 'since 2022-01-07T13:50:07+01:00',
          relation: 'since',
          start_iso: '2022-01-07T12:50:07Z',
          end_iso: '2022-01-07T12:50:07Z',
          granularity: 'second',
          timex_type: 'TIME',
          timex_value: '2022-01-07T13:50:07',
        },
      ],
      timex: [
        { start: 17, end: 21, text: '1914', type: 'DATE', value: '1914' },
        { start: 25, end: 29, text: '1927', type: 'DATE', value: '1927' },
        { start: 34, end: 37, text: 'May', type: 'DATE', value: '1927-05' },
        {
          start: 45,
          end: 70,
          text: '2022-01-07T13:50:07+01:00',
          type: 'TIME',
          value: '2022-01-07T13:50:07',
        },
      ],
    });
    assert.deepEqual(
      toTimeTagRecord(3, 'It opened yesterday.', tagText('It opened yesterday.')).mentions.map(
        ({ start_iso, granularity }) => [start_iso, granularity],
      ),
      [[null, null]],
    );
  });

  it('a question', () => {
    assert.deepEqual(
      toTimeQuestionRecord('q', parseQuestion({ text: 'Who was the last consul before 44 BC?' })),
      {
        id: 'q',
        main_content: 'Who was the last consul?',
        constraint_text: 'before 44 BC',
        condition: 'last',
        relation: 'before',
        start_iso: '-0043-01-01',
        end_iso: '-0043-12-31',
        window_start: null,
        window_end: '-0044-12-31',
        granularity: 'year',
        constraints: [
          {
            constraint_text: 'before 44 BC',
            relation: 'before',
            start_iso: '-0043-01-01',
            end_iso: '-0043-12-31',
            window_start: null,
            window_end: '-0044-12-31',
            granularity: 'year',
            clock: 'content',
            binds: true,
          },
        ],
        asks: 'thing',
        order: 'latest',
        n: null,
        anchor: null,
        shift: null,
      },
    );
    assert.deepEqual(toTimeQuestionRecord(null, parseQuestion({ text: 'Who won?' })), {
      id: null,
      main_content: 'Who won?',
      constraint_text: null,
      condition: 'none',
      relation: 'none',
      start_iso: null,
      end_iso: null,
      window_start: null,
      window_end: null,
      granularity: null,
      constraints: [],
      asks: 'thing',
      order: 'none',
      n: null,
      anchor: null,
      shift: null,
    });
  });
});
