// Operators of questions on time: the fields of single operators. Their accuracy is in
// reading.test.ts.
import assert from 'node:assert/strict';
import { formatDay } from '../../../lib/time/instant.js';
import { readOperator } from '../../../lib/time/question/operator.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { readQuestion } from '../../../lib/time/question/reading.js';
import { mostly } from './mostly.js';

const askedAt = '2024-06-15';
const read = (text: string) => readOperator({ text, askedAt });
const isState = (text: string) => readQuestion({ text, askedAt }).predicate.state;
const days = (text: string) => {
  const { start, end } = read(text).window;
  return [
    Number.isFinite(start) ? formatDay(start) : null,
    Number.isFinite(end) ? formatDay(end - 1) : null,
  ];
};

describe('the operator of a question on time', () => {
  it('separates listed times from a span', () => {
    const { kind, alternatives } = read('Who won the cup in 2014, 2015, and 2022?');
    assert.equal(kind, 'in');
    assert.deepEqual(
      alternatives!.map(({ start, end }) => [formatDay(start), formatDay(end - 1)]),
      [
        ['2014-01-01', '2015-12-31'],
        ['2022-01-01', '2022-12-31'],
      ],
    );
    assert.equal(read('Who won the cup from 2014 to 2022?').alternatives, undefined);
  });

  it('takes the latest at a day from all before it, and in a period from the period', () => {
    assert.deepEqual(days('What was the newest release two years before 5 March 2016?'), [
      null,
      '2014-03-05',
    ]);
    assert.deepEqual(days('What was the newest release two years before 2016?'), [
      '2014-01-01',
      '2014-12-31',
    ]);
  });

  it('names the member or event next to which the answer lies, and the side', () => {
    const cases = [
      ['Who was the next pope after Pius XII?', 'after', 'Pius XII'],
      ['Who succeeded Queen Victoria?', 'after', 'Queen Victoria'],
      ['Whom did Claire Novak replace as treasurer?', 'before', 'Claire Novak'],
      ['By whom was Bismarck preceded?', 'before', 'Bismarck'],
      ['What was the sixpence replaced by?', 'after', 'sixpence'],
      ['Which release was superseded by 3.2?', 'before', '3.2'],
      ["Who was Lincoln's successor?", 'after', 'Lincoln'],
      ['who owned the paper when the Titanic sank', 'at', 'Titanic sank'],
      // A phrase has no tense; "current" is of the event.
      ['price of the atlas when edition 5 came out', 'at', 'edition 5 came out'],
      ['At the launch of Atlas 5, what was the current price?', 'at', 'Atlas 5'],
      // An initial does not end the name, a sentence does.
      ['Who was president before Franklin D. Roosevelt?', 'before', 'Franklin D. Roosevelt'],
      ['Who succeeded George H. W. Bush?', 'after', 'George H. W. Bush'],
      ['Who ruled before the U.S. joined the war?', 'before', 'U.S. joined the war'],
      ['Who was the king before the war. Tell me.', 'before', 'war'],
    ] as const;
    mostly(cases, 0.7, ([text, side, anchor]) =>
      assert.deepEqual(read(text).neighbour, { side, anchor }, text),
    );
  });

  it('finds a neighbour by the date beside it', () => {
    for (const [text, side, content] of [
      ['Next Levante result after the game with Granada on 13 December 2015', 'after', 'Levante'],
      [
        'Previous Burnley result, the one before Southampton on 14 January 2017',
        'before',
        'Burnley',
      ],
      [
        'After playing Granada on 13 December 2015, what was the next match of Levante?',
        'after',
        'Levante',
      ],
    ] as const) {
      const { neighbour, window, time } = read(text);
      assert.equal(neighbour, undefined, text);
      const bound = side === 'after' ? window.start === time!.end : window.end === time!.start;
      assert.ok(bound, text);
      const { mainContent } = parseQuestion({ text, askedAt: '2024-01-01' });
      assert.match(mainContent, new RegExp(content));
      assert.doesNotMatch(mainContent, /Granada|Southampton/);
    }
    // Here the date is of the answer.
    const { neighbour } = read('Who succeeded Angela Merkel in 2021?');
    assert.equal(neighbour?.anchor, 'Angela Merkel');
  });

  it('asks of the date that words refer to', () => {
    for (const [text, date] of [
      ['I have a photo from 5 June 1987; which bridge was the longest back then?', '1987-06-05'],
      ['The invoice is of 12 April 2021: which rate applied on that day?', '2021-04-12'],
      ['We signed on 3 March 2020. Who was in charge at the time?', '2020-03-03'],
    ] as const)
      assert.deepEqual([days(text)[1], read(text).kind], [date, 'as-of'], text);
    // The time is that of the merger.
    assert.equal(read('In 2015, who led it at the time of the merger?').kind, 'in');
  });

  it('sees no event in a name that ends like a participle', () => {
    assert.ok(isState('Who was United Kingdom prime minister?'));
    assert.ok(!isState('Who was elected prime minister?'));
  });

  it('means the state at asking only in words for the present', () => {
    for (const text of ['Who is now the mayor?', 'What is the current rate?', 'Is it still open?'])
      assert.ok(read(text).now, text);
    for (const text of ['Who is the author of Dune?', 'Where does Anna work?', 'What is the rate?'])
      assert.deepEqual(
        { ...read(text) },
        {
          kind: 'none',
          place: 1,
          order: 'any',
          window: { start: -Infinity, end: Infinity },
          clock: 'content',
          now: false,
        },
        text,
      );
  });

  it('is about the day in an event or a forecast of today', () => {
    assert.equal(read('Who is in charge today?').kind, 'current');
    for (const text of ['Who resigned today?', 'How warm will it get today?'])
      assert.deepEqual([read(text).kind, ...days(text)], ['in', askedAt, askedAt], text);
  });

  it('is on the clock of the words for reports', () => {
    const cases = [
      ['What was the newest forecast issued by 5 May 2019?', 'published'],
      ['Which reports were published in May 2019?', 'published'],
      ['the rate, last report before 5 May 2019', 'published'],
      ['What did the memo of 5 May 2019 say?', 'published'],
      ['What was the rate on 5 May 2019?', 'content'],
      ['Which album came out before 5 May 2019?', 'content'],
    ] as const;
    mostly(cases, 0.5, ([text, clock]) => assert.equal(read(text).clock, clock, text));
  });

  it('orders the members of a window', () => {
    assert.equal(read('When did the volcano last erupt?').order, 'latest');
    assert.equal(read('Which was the first match of 2012?').order, 'first');
    assert.equal(read('Which matches were played in 2012?').order, 'any');
  });

  it('has accounting periods', () => {
    const cases = [
      ['What was revenue for the year ended 31 March 2012?', '2011-04-01', '2012-03-31'],
      ['income for the three months to 30 June 2012', '2012-04-01', '2012-06-30'],
      ['margin from 2023-Q1 to 2024-q1', '2023-01-01', '2024-03-31'],
      ['Q1 2020 results', '2020-01-01', '2020-03-31'],
      ['margin, Q3 FY24', '2024-07-01', '2024-09-30'],
    ] as const;
    mostly(cases, 0.6, ([text, ...expected]) => assert.deepEqual(days(text), expected, text));
  });

  it('rejects an invalid time of asking', () => {
    assert.throws(() => readOperator({ text: 'Who?', askedAt: 'soon' }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
  });
});
