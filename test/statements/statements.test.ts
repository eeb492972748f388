// Statements of a passage: its sentences with their words and the times that each speaks of, by
// where they come from, states that last, and a short passage as a whole.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StatedTime, Statement } from '../../lib/statements/statements.js';
import { passageRow, statementsOf, type TestPassage } from '../facts/passages.js';
import { assertEach } from '../assertEach.js';

const day = (instant: number): string =>
  Number.isFinite(instant) ? new Date(instant).toISOString().slice(0, 10) : '';
/** "own 2020-01-01/2021-01-01", a range with ".." between. */
const shown = ({ source, start, end, range }: StatedTime): string =>
  `${source} ${day(start)}${range ? '..' : '/'}${day(end)}`;
const year = (source: string, first: number, last = first): string =>
  `${source} ${first}-01-01${first === last ? '/' : '..'}${last + 1}-01-01`;
const sentencesOf = (passage: TestPassage): Statement[] =>
  statementsOf(passage).statements.filter(({ whole }) => !whole);
/** The times of each sentence. */
const timesOf = (text: string, publishedAt?: string): string[][] =>
  sentencesOf({ text, ...(publishedAt ? { publishedAt } : {}) }).map(({ times }) =>
    times.map(shown),
  );

describe('readStatements', () => {
  it('gives each sentence its words without dates and stop words, and its row', () => {
    const text = 'In May 2019 the Fed held rates at 2.25%. Sales of June 2020 fell.';
    const sentences = sentencesOf({ text });
    assert.deepEqual(
      sentences.map(({ words }) => [...words].map(({ term }) => term)),
      [
        ['fed', 'held', 'rate', '2.25'],
        ['sale', 'fell'],
      ],
    );
    assert.deepEqual(
      sentences.map(({ row, span }) => [row, text.slice(span.start, span.end)]),
      [
        [1, 'In May 2019 the Fed held rates at 2.25%.'],
        [2, 'Sales of June 2020 fell.'],
      ],
    );
  });

  it('knows times that a sentence only compares with', () => {
    const compared: [string, string[]][] = [
      ['Sales rose in 2020, higher than in 2019.', [year('own', 2020), year('compared', 2019)]],
      ['It was 3% in 2020 versus 2% in 2018.', [year('own', 2020), year('compared', 2018)]],
      ['Up from 2018, it was 3% in 2020.', [year('compared', 2018), year('own', 2020)]],
      ['In 2020 it replaced the 2018 law.', [year('own', 2020), year('compared', 2018)]],
      ['In 2020 it grew, as in 2018.', [year('own', 2020), year('later', 2018)]],
      ['It fell from 5% in 2018 to 3% in 2020.', [year('compared', 2018), year('own', 2020)]],
      // "From" right before a time and "since" say when it began.
      ['He led it from 1566 to 1572 and in 1580.', [year('own', 1566, 1572), year('later', 1580)]],
      [
        'In 1580 he wrote of the war from 1566 to 1572.',
        [year('own', 1580), year('later', 1566, 1572)],
      ],
      ['Since 2011 it has grown, to 5% in 2020.', [year('own', 2011), year('later', 2020)]],
      ['In 2020 it was open again, since 2011.', [year('own', 2020), year('later', 2011)]],
      ['Rents in 2020: +4% on the previous year.', [year('own', 2020), year('compared', 2019)]],
      [
        'In 2020 it rose, compared with the same goods sold in 2019.',
        [year('own', 2020), year('compared', 2019)],
      ],
      // The only time of a sentence is its own.
      ['It is higher than in 2019.', [year('own', 2019)]],
    ];
    for (const [text, times] of compared) assert.deepEqual(timesOf(text), [times], text);
  });

  it('adds states that end or last to the date that opens or closes them', () => {
    assert.deepEqual(timesOf('Ida Rowe joined the choir in 1921 and left in 1934.'), [
      [year('own', 1921), year('later', 1934), year('own', 1921, 1934)],
    ]);
    assert.deepEqual(timesOf('Harbour master (2011–present).'), [
      [year('own', 2011), 'own 2011-01-01..2100-01-01'],
    ]);
    assert.deepEqual(timesOf('- 2003–: coach'), [
      [year('own', 2003), 'own 2003-01-01..2100-01-01'],
    ]);
    assert.deepEqual(timesOf('- ?-1827 - Karl Rau'), [[year('own', 1827), 'own ..1828-01-01']]);
    for (const [text, first] of [
      ['He was mayor when it burnt in 1950.', 1950],
      ['- 1796-? - Anna Wirth', 1796],
      ['Since 1990 he has led it.', 1990],
    ] as const)
      assert.deepEqual(timesOf(text), [[year('own', first)]], text);
  });

  it('reads the years of states in the time zone of the passage', () => {
    const text = 'She was mayor from 2019 to 2021, and has led it (2022–present).';
    const states = timesOf(text)[0]!;
    assert.deepEqual(states, [
      year('own', 2019, 2021),
      year('later', 2022),
      'later 2022-01-01..2100-01-01',
    ]);
    for (const timeZone of ['Asia/Tokyo', 'America/New_York']) {
      const { times } = statementsOf({ text, timeZone }).statements[0]!;
      const yearIn = (instant: number): string =>
        new Date(instant).toLocaleDateString('en', { year: 'numeric', timeZone });
      assertEach(
        times,
        ({ start }) => yearIn(start),
        states.map((each) => /\d{4}/.exec(each)![0]),
      );
    }
  });

  it('knows of a state only its end where nothing says when it began', () => {
    for (const text of ['Ida Rowe was mayor until 1934.', 'Ida Rowe left in 1934.'])
      assert.deepEqual(timesOf(text), [[year('own', 1934), 'own ..1935-01-01']], text);
    const [, state] = sentencesOf({ text: 'Ida Rowe was mayor until May 1934.' })[0]!.times;
    assert.deepEqual(
      [state!.start, state!.end, state!.range],
      [-Infinity, Date.UTC(1934, 5, 1), true],
    );
    // It stays one that is only compared with, and a sentence without a time goes on with it.
    assert.deepEqual(timesOf('In 1950 the mill, a school until 1934, burnt.'), [
      [year('own', 1950), year('compared', 1934), 'compared ..1935-01-01'],
    ]);
    assert.deepEqual(timesOf('Ida Rowe was mayor until 1934. It was cold.')[1], [
      year('previous', 1934),
      'previous ..1935-01-01',
    ]);
    // A beginning in the sentence is that of the state.
    assert.deepEqual(timesOf('Karl Rau was mayor from 1921 until 1934.'), [
      [year('own', 1921, 1934)],
    ]);
    assert.deepEqual(timesOf('Before 1934 it was a mill.'), [[year('own', 1934)]]);
  });

  it('tells ranges from units of the calendar', () => {
    const ranges: [string, string][] = [
      ['From 1901 to 1935 it was his.', year('own', 1901, 1935)],
      ['The 1990s were good.', 'own 1990-01-01/2000-01-01'],
      ['In May 2019 it rose.', 'own 2019-05-01/2019-06-01'],
      ['On 3 May 2019 it rose.', 'own 2019-05-03/2019-05-04'],
      ['Between 3 May 2019 and 9 May 2019 it rose.', 'own 2019-05-03..2019-05-10'],
    ];
    for (const [text, time] of ranges) assert.deepEqual(timesOf(text), [[time]], text);
  });

  it('completes dates by the publication, whose own time stands apart', () => {
    const { statements, published } = statementsOf({
      text: 'On 3 June it rose.',
      publishedAt: '2020-06-09',
    });
    assert.deepEqual(statements[0]!.times.map(shown), ['own 2020-06-03/2020-06-04']);
    assert.equal(shown(published!), 'published 2020-06-09/2020-06-10');
    const exact = statementsOf({ text: 'It rose.', publishedAt: '2020-06-09T10:00:01Z' });
    assert.equal(exact.published!.end - exact.published!.start, 1);
    assert.deepEqual(exact.statements[0]!.times, []);
    assert.equal(statementsOf({ text: 'It rose.' }).published, undefined);
  });

  it('takes a short passage of several sentences as a statement of its own, last', () => {
    const text = 'In 2019 mills closed. Nobody knew why. In 2020 and 2019 they opened.';
    const { statements } = statementsOf({ text });
    const whole = statements.at(-1)!;
    assertEach(statements, (each) => each.whole, [false, false, false, true]);
    assert.deepEqual([whole.row, whole.span], [passageRow, { start: 0, end: text.length }]);
    assert.deepEqual(
      [...whole.words],
      statements.slice(0, 3).flatMap(({ words }) => [...words]),
    );
    // Each time once; those after the first are later ones; what is inherited does not count.
    assert.deepEqual(whole.times.map(shown), [year('own', 2019), year('later', 2020)]);
  });

  it('gives every sentence one statement, whose words lie in it, whatever the text', () => {
    const piece = fc.constantFrom(
      ...['In 2019', 'it rose', 'than in 2018', 'until 1934', '. ', '. ', 'The Fed', '5%', '\n'],
      ...['on 3 May 2020', 'he left in 1950', '(2011–present)', 'v1.2', 'from 1901 to 1935'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const { statements } = statementsOf({ text: pieces.join(' ') });
        const sentences = statements.filter(({ whole }) => !whole);
        sentences.forEach(({ span, words, times, row }, at) => {
          assert.equal(row, at + 1);
          for (const { start, end, term } of words)
            assert.ok(start >= span.start && end <= span.end && term !== '');
          for (const { start, end } of times) assert.ok(start < end);
          const inherits = times.some(({ source }) => source === 'previous');
          assert.ok(!inherits || times.every(({ source }) => source === 'previous'));
          assert.ok(at > 0 || !inherits);
        });
        assert.ok(statements.length - sentences.length <= 1);
      }),
      { numRuns: 200 },
    );
  });
});
