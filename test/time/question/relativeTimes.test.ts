// Question parsing relative to the query time: "current", "now", relative intervals, and "as of".
import assert from 'node:assert/strict';
import { AsOfError } from '../../../lib/errors.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { toTimeQuestionRecord } from '../../../lib/time/records.js';

const record = (text: string, askedAt = '2024-06-15') =>
  toTimeQuestionRecord(null, parseQuestion({ text, askedAt }));
const brief = (text: string, askedAt?: string) => {
  const { constraint_text, condition, relation, window_start, window_end } = record(text, askedAt);
  return [constraint_text, condition, relation, window_start, window_end];
};

describe('questions: times relative to the query time', () => {
  it('reads "current" as the query day, and keeps it in the main content', () => {
    const parsed = parseQuestion({
      text: 'Who is the current mayor of Ghent?',
      askedAt: '2024-06-15',
    });
    assert.equal(parsed.mainContent, 'Who is the current mayor of Ghent?');
    assert.equal(parsed.constraint.relation, 'as of');
    assert.equal(parsed.constraint.window!.end, Date.parse('2024-06-16'));
    const printed = toTimeQuestionRecord(null, parsed);
    assert.deepEqual(
      [
        printed.constraint_text,
        printed.relation,
        printed.window_end,
        printed.constraints[0]!.window_end,
      ],
      [null, 'none', null, '2024-06-15'],
    );
    for (const text of [
      'How strong is the current in the strait?',
      'Who won the current affairs quiz?',
      'What is a direct current motor?',
    ]) {
      assert.equal(
        parseQuestion({ text, askedAt: '2024-06-15' }).constraint.relation,
        'none',
        text,
      );
    }
    assert.equal(
      record('Who was the current mayor of Ghent as of 1990?').constraint_text,
      'as of 1990',
    );
  });

  it('ignores "now" where it is not the query time', () => {
    for (const text of [
      'What is now Turkey?',
      'Who ran the now defunct club?',
      'Who wrote Apocalypse Now?',
      'Which town, which is now in Poland, has a fort?',
      'How far is the moon?',
    ]) {
      assert.equal(record(text).constraint_text, null, text);
    }
    assert.deepEqual(brief('Who is now the mayor?'), ['now', 'none', 'as of', null, '2024-06-15']);
    assert.deepEqual(brief('How many goals has she scored so far?'), [
      'so far',
      'none',
      'as of',
      null,
      '2024-06-15',
    ]);
    assert.deepEqual(brief('Who has led it until now?'), [
      'until now',
      'none',
      'until',
      null,
      '2024-06-15',
    ]);
  });

  it('counts relative intervals from the query day', () => {
    assert.deepEqual(brief('What changed in the last two weeks?'), [
      'in the last two weeks',
      'none',
      'in',
      '2024-06-02',
      '2024-06-15',
    ]);
    assert.deepEqual(brief('What changed in the past month?', '2024-03-31'), [
      'in the past month',
      'none',
      'in',
      '2024-03-01',
      '2024-03-31',
    ]);
    assert.deepEqual(brief('What will change over the next three days?'), [
      'over the next three days',
      'none',
      'in',
      '2024-06-16',
      '2024-06-18',
    ]);
    assert.deepEqual(brief('What changed in the last 24 hours?', '2024-06-15T09:00Z'), [
      'in the last 24 hours',
      'none',
      'in',
      '2024-06-14',
      '2024-06-15',
    ]);
    assert.deepEqual(brief('What did he do in the last year of the war?'), [
      null,
      'last',
      'none',
      null,
      null,
    ]);
  });

  it("accepts a data set's parts of a decade", () => {
    const parts = (text: string) => {
      const { interval } = parseQuestion({ text }, { partsOfDecade: [3, 7] }).constraint;
      return [
        new Date(interval!.start).getUTCFullYear(),
        new Date(interval!.end - 1).getUTCFullYear(),
      ];
    };
    assert.deepEqual(parts('Who was born in the early 1930s?'), [1930, 1932]);
    assert.deepEqual(parts('Who was born in the mid 1930s?'), [1933, 1936]);
    assert.deepEqual(parts('Who was born in the late 1930s?'), [1937, 1939]);
    assert.deepEqual(parts('Who was born in the 1930s?'), [1930, 1939]);
    for (const partsOfDecade of [
      [7, 3],
      [0, 4],
      [4, 10],
      [1.5, 4],
    ] as [number, number][]) {
      assert.throws(
        () => parseQuestion({ text: 'When?' }, { partsOfDecade }),
        (error) => AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT',
      );
    }
  });

  it('reads relative words against the date after "as of"', () => {
    const [first] = parseQuestion({
      text: 'who hosts the show this year as of October 25, 2019',
      askedAt: '2024-06-15',
    }).constraints;
    assert.equal(first!.window!.start, Date.parse('2019-01-01'));
  });
});
