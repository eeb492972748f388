// Question parsing: our own cases of every relation and pitfall, of which the reader gets most,
// properties, and floors on the shared cases.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  casesPresent,
  ownQuestionCases,
  questionAccuracy,
  readCases,
} from '../../../bench/quality/time/time.js';
import { AsOfError } from '../../../lib/errors.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { toTimeQuestionRecord } from '../../../lib/time/records.js';
import { mostly } from './mostly.js';

const record = (text: string, askedAt = '2024-06-15') =>
  toTimeQuestionRecord(null, parseQuestion({ text, askedAt }));
const brief = (text: string, askedAt?: string) => {
  const { constraint_text, condition, relation, window_start, window_end } = record(text, askedAt);
  return [constraint_text, condition, relation, window_start, window_end];
};

describe('questions', () => {
  const cases: [string, unknown[]][] = [
    [
      'Who was the earliest chair after 1950?',
      ['after 1950', 'earliest', 'after', '1951-01-01', null],
    ],
    [
      'Who chaired the council in the 1850s and 1860s?',
      ['in the 1850s and 1860s', 'none', 'in', '1850-01-01', '1869-12-31'],
    ],
    [
      'Who chaired the council at the turn of the 20th century?',
      ['at the turn of the 20th century', 'none', 'in', '1895-01-01', '1904-12-31'],
    ],
    [
      'Who chaired the council in the late 18th and early 19th centuries?',
      ['in the late 18th and early 19th centuries', 'none', 'in', '1767-01-01', '1833-12-31'],
    ],
    [
      'Who was the champion of the 1998-99 season in Ulm?',
      ['of the 1998-99 season', 'none', 'in', '1998-01-01', '1999-12-31'],
    ],
    [
      'Who chaired the council as recently as 1988?',
      ['as recently as 1988', 'none', 'in', '1988-01-01', '1988-12-31'],
    ],
  ];
  it('has the words, the relation and the window of the time', () =>
    mostly(cases, 0.8, ([text, expected]) => assert.deepEqual(brief(text), expected, text)));

  const binding: [string, string][] = [
    ['The painter who was born in 1871 held what post from 1901 to 1910?', 'from 1901 to 1910'],
    [
      'From 1901 to 1910, what post did the painter who was born in 1871 hold?',
      'From 1901 to 1910',
    ],
    [
      'Who lived in the tower that was raised between 1772 and 1774 before June 1781?',
      'before June 1781',
    ],
    ['In May 1990, who owned the bank founded in 1871?', 'In May 1990'],
    ['Who won the 2014 final as of 2015?', 'as of 2015'],
    ['Which seat did the member (born 1871) hold in 1901?', 'in 1901'],
    ['Who was born in the 1840s and won the prize?', 'in the 1840s'],
  ];
  it('binds the time of the answer, not that of a thing', () =>
    mostly(binding, 0.7, ([text, expected]) =>
      assert.equal(record(text).constraint_text, expected, text),
    ));

  const orders: [string, string][] = [
    ['Who was the First Lady in 1975?', 'none'],
    ['who was the first lady in 1975', 'none'],
    ['Who hosted Last Week Tonight in 2015?', 'none'],
    ['What was the last stop on the line in 1990?', 'none'],
    ['What was her last name in 1990?', 'none'],
    ['How long did the siege last?', 'none'],
    ['How long has it been since the last eclipse?', 'last'],
    ['Who commanded the fleet in the First World War?', 'none'],
    ['who won the first world cup', 'first'],
    ['where were the last winter games held', 'last'],
    ['Last time the team reached the final?', 'last'],
    ['Who won last season?', 'none'],
    ['When did the last season of the show end?', 'last'],
    ['who were the last three mayors', 'last'],
    ['How many bought it within the first three weeks?', 'none'],
    ['who did they pick in the first round', 'none'],
    ['who was the 1st governor of the island', 'first'],
    ['Who commanded the 1st Highland Division?', 'none'],
    ['What does "last orders" mean?', 'none'],
    ['when did the lake freeze most recently', 'latest'],
    ['Can the dry spell be expected to last throughout May?', 'none'],
  ];
  it('tells words of order from names and lengths', () =>
    mostly(orders, 0.6, ([text, expected]) =>
      assert.equal(record(text).condition, expected, text),
    ));

  const main: [string, string][] = [
    ['In 1990, who led the party?', 'who led the party?'],
    ['Who led the party in 1990?', 'Who led the party?'],
    ['Who, in 1990, led the party?', 'Who led the party?'],
    ['Who led the party in 1990, and why?', 'Who led the party, and why?'],
    ['In the old town, in May 1966, what was built?', 'In the old town, what was built?'],
    ['after 1948 the square was named after whom?', 'the square was named after whom?'],
    ['Who led the party?', 'Who led the party?'],
    ["What is today's weather?", 'What is weather?'],
    ['What changed following the 1917 revolution?', 'What changed following the revolution?'],
    ['Who won the 2014 final?', 'Who won the final?'],
    ['Who ran the shop in the 1850s and 1860s?', 'Who ran the shop?'],
    ['who did they lose to in 2006 world cup', 'who did they lose to in world cup'],
    ['when does the season end 2017', 'when does the season end'],
    ['Who wrote 1984?', 'Who wrote 1984?'],
    ['Who is the author of 1984?', 'Who is the author of 1984?'],
    ['In the period of time from 1965 to 1966, who led it?', 'who led it?'],
    ['In the years from 2004 to 2010, who led it?', 'who led it?'],
    ['Spanning the months from Jun 1981 to Oct 1983, who led it?', 'who led it?'],
    [
      'Which city hosted the dec 2010 world festival of arts?',
      'Which city hosted the world festival of arts?',
    ],
    ['From 1965 to 1975 Miles House was owned by whom?', 'Miles House was owned by whom?'],
    ['Who said "tomorrow is another day"?', 'Who said "tomorrow is another day"?'],
    ['Where is Friday Harbor?', 'Where is Friday Harbor?'],
    ['who won the winter olympics', 'who won the winter olympics'],
    ['what time does monday night football start', 'what time does monday night football start'],
    ['Who hosts The Tonight Show?', 'Who hosts The Tonight Show?'],
    ['When is Thanksgiving?', 'When is Thanksgiving?'],
    ['What is a quarter of 1600?', 'What is a quarter of 1600?'],
    ['What was the total as known on 5 June 2021?', 'What was the total?'],
    ['Who was governor (1990-1995)?', 'Who was governor?'],
    ['Who was governor "in 1990"?', 'Who was governor?'],
    ['who won album of the year 2018', 'who won album of the year'],
    ['Who ran the mill during the whole of 1950?', 'Who ran the mill?'],
    ['Who ran the mill in the 1950s and early 1960s?', 'Who ran the mill?'],
    ['What is 2001: A Space Odyssey about?', 'What is 2001: A Space Odyssey about?'],
  ];
  it('leaves the topic as main content', () =>
    mostly(main, 0.6, ([text, expected]) =>
      assert.equal(record(text).main_content, expected, text),
    ));

  it('returns all constraints, the primary one included', () => {
    const parsed = parseQuestion({
      text: 'How warm on January 8, 2022 and how warm on January 9, 2022?',
    });
    assert.equal(parsed.constraints.length, 2);
    assert.ok(parsed.constraints.includes(parsed.constraint));
  });

  it('determines which of several constraints bind', () => {
    const bound = (text: string) =>
      toTimeQuestionRecord(null, parseQuestion({ text, askedAt: '2024-06-15' })).constraints.map(
        ({ constraint_text, clock, binds }) =>
          `${constraint_text} ${clock}${binds ? '' : ' describes'}`,
      );
    const cases: [string, string[]][] = [
      [
        'Who owned the mill in 1921 before June 1921?',
        ['in 1921 content', 'before June 1921 content'],
      ],
      [
        'The bank founded in 1871 was run by whom in 1905?',
        ['in 1871 content describes', 'in 1905 content'],
      ],
      [
        'How warm on January 8, 2022, and how warm on January 9, 2022?',
        ['on January 8, 2022 content', 'on January 9, 2022 content'],
      ],
      ['Who owns the mill?', []],
      ['Who hosted Last Week Tonight in 2015?', ['in 2015 content']],
      [
        'Which museum showed the plane flown by two sisters in the 1930s in May 1959?',
        ['in the 1930s content describes', 'in May 1959 content'],
      ],
      [
        'In 1994 the team left for Ghent. What stadium did it use in 2007?',
        ['In 1994 content describes', 'in 2007 content'],
      ],
    ];
    mostly(cases, 0.4, ([text, expected]) => assert.deepEqual(bound(text), expected, text));
  });

  it('rejects values that are no question', () => {
    for (const question of [
      { text: 7 },
      {},
      { text: 'when', askedAt: '2021-02-30' },
      { text: 'when', askedAt: NaN },
    ]) {
      assert.throws(
        () => parseQuestion(question as never),
        (error) => AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT',
      );
    }
    assert.equal(parseQuestion({ text: '' }).constraint.relation, 'none');
  });

  it('never loses a word outside the constraint', () => {
    const words = fc.array(
      fc.constantFrom(
        'who',
        'led',
        'the',
        'party',
        'in',
        'May',
        'first',
        '1990',
        'after',
        '12',
        ',',
        '?',
        'between',
        'and',
        'June',
        '2001',
        'as of',
        'last week',
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(words, (list) => {
        const text = list.join(' ');
        const { mainContent, constraint } = parseQuestion({ text, askedAt: '2024-06-15' });
        const letters = (value: string) => value.replace(/[^A-Za-z0-9]/g, '').length;
        assert.equal(letters(mainContent) + letters(constraint.text ?? ''), letters(text));
        if (constraint.window) assert.ok(constraint.window.start < constraint.window.end);
      }),
    );
  });

  it('reads most of our own cases', () => {
    const accuracy = questionAccuracy(ownQuestionCases());
    assert.ok(accuracy.exact >= accuracy.cases * 0.5, accuracy.misses.join('\n'));
  });

  it('reads most of the shared cases', function () {
    if (!casesPresent) {
      console.log('      skipped: ../shared/data/temporal_cases is absent');
      this.skip();
    }
    const accuracy = questionAccuracy(readCases('question_cases.jsonl'));
    assert.ok(accuracy.exact >= accuracy.cases * 0.5, accuracy.misses.join('\n'));
  });
});

describe('questions: times relative to the query time', () => {
  it('reads words for now as the query day', () => {
    for (const [text, content] of [
      ['Who is currently the mayor of Ghent?', 'Who is the mayor of Ghent?'],
      ['What is the current rate?', 'What is the rate?'],
    ] as const) {
      const { mainContent, constraint } = parseQuestion({ text, askedAt: '2024-06-15' });
      assert.equal(mainContent, content);
      assert.equal(constraint.relation, 'as of');
      assert.equal(constraint.window!.end, Date.parse('2024-06-16'));
    }
    const others = [
      'How strong is the current in the strait?',
      'Who won the current affairs quiz?',
      'What is a direct current motor?',
      'What is now Turkey?',
      'Who ran the now defunct club?',
      'Who wrote Apocalypse Now?',
      'How far is the moon?',
    ];
    mostly(others, 0.4, (text) => assert.equal(record(text).constraint_text, null, text));
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
});
