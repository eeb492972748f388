// Re3's time tuple: every granularity, every day against the platform's calendar, and texts through
// the extractor interface.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AsOfError } from '../../lib/index.js';
import { noTime, timeTupleOf } from '../../lib/time/tuple.js';
import {
  parseQuestion,
  timeTuple,
  timeTuples,
  type TimeExtractor,
  type TimeTuple,
} from '../../lib/time/index.js';
import { tupleAccuracy } from '../../packages/evaluation/lib/index.js';

const day = 86_400_000;
const short = ({ year, month, dayOfMonth, mask }: TimeTuple): string =>
  `${year} ${month} ${dayOfMonth} ${mask.join('')}`;
const ofQuestion = (text: string, reference = '2026-11-22'): string =>
  short(timeTuple(text, { kind: 'query', reference }));
const ofPassage = (text: string, reference?: string): string =>
  short(timeTuple(text, reference === undefined ? {} : { reference }));

describe("Re3's time tuple", () => {
  it('knows the components of each granularity, and a middle year of longer ones', () => {
    const dates = [
      'on 6 May 2021',
      'at 14:30 on 6 May 2021',
      'in May 2024',
      'in early May 2024',
      'in 2021',
      'in the summer of 1990',
      'in the third quarter of 2012',
      'in the 1990s',
      'in the 2000s',
      'in the early 1990s',
      'in the late 1990s',
      'in the 20th century',
      'in 44 BC',
      'from 1914 to 1927',
      'between 5 and 7 May 1821',
      'in the winter of 1990',
    ];
    assert.deepEqual(
      dates.map((date) => ofQuestion(`Who led it ${date}?`)),
      [
        '2021 5 6 111',
        '2021 5 6 111',
        '2024 5 0 110',
        '2024 5 0 110',
        '2021 0 0 100',
        '1990 0 0 100',
        '2012 0 0 100',
        '1995 0 0 100',
        '2005 0 0 100',
        '1992 0 0 100',
        '1998 0 0 100',
        '1950 0 0 100',
        '-43 0 0 100',
        '1921 0 0 100',
        '1821 5 0 110',
        '1991 0 0 100',
      ],
    );
  });

  it('agrees with the calendar of JavaScript on every day', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3_000_000, max: 3_000_000 }), (days) => {
        const date = new Date(days * day);
        const expected = {
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          dayOfMonth: date.getUTCDate(),
          mask: [1, 1, 1],
        };
        assert.deepEqual(timeTupleOf({ start: days * day, end: (days + 1) * day }), expected);
        assert.deepEqual(timeTupleOf({ start: days * day, end: Infinity }), expected);
        assert.deepEqual(timeTupleOf({ start: -Infinity, end: (days + 1) * day }), expected);
      }),
    );
  });

  it('takes the middle of whole years regardless of leap days', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -2000, max: 3000 }),
        fc.integer({ min: 1, max: 300 }),
        (first, years) => {
          const at = (year: number): number => new Date(0).setUTCFullYear(year, 0, 1);
          const { year, mask } = timeTupleOf({ start: at(first), end: at(first + years) });
          assert.deepEqual(mask, [1, 0, 0]);
          assert.ok(
            year >= first &&
              year < first + years &&
              Math.abs(year - (first + (years - 1) / 2)) <= 0.5,
          );
        },
      ),
    );
  });

  it("takes a question's primary constraint, relative to its query time", () => {
    assert.equal(
      ofQuestion('The German who was born on 2 March 1911 held what position in Aug 1939?'),
      '1939 8 0 110',
    );
    assert.equal(ofQuestion('What was the weather yesterday?', '2022-03-05'), '2022 3 4 111');
    assert.equal(ofQuestion('Who wrote it?'), short(noTime));
    assert.equal(
      ofQuestion('Who won in May 2024?'),
      short(timeTupleOf(parseQuestion({ text: 'Who won in May 2024?' }).constraint.interval!)),
    );
  });

  it(
    "takes a passage's first content date, narrowed by later dates inside it, and not its " +
      'date of publication',
    () => {
      assert.equal(
        ofPassage(
          'In late August 2022 the cases fell. On August 25, 2022, the average stood at two.',
        ),
        '2022 8 25 111',
      );
      assert.equal(
        ofPassage('In 1901 he won the prize. He was born on 27 March 1845.'),
        '1901 0 0 100',
      );
      assert.equal(
        ofPassage(
          'In an outlook released on January 3, 2022, forecasters expect rain on January 5, 2022.',
        ),
        '2022 1 5 111',
      );
      assert.equal(ofPassage('It opened last Friday.'), short(noTime));
      assert.equal(ofPassage('It opened yesterday.', '2022-03-05'), '2022 3 4 111');
      assert.equal(ofPassage('It took three weeks.'), short(noTime));
    },
  );

  it('reads many texts like one, and validates custom extractors', async () => {
    const texts = ['In May 1950 it closed.', 'No time.', 'It opened yesterday.'];
    const references = [undefined, undefined, '2022-03-05'];
    assert.deepEqual(
      (await timeTuples(texts, { references })).map(short),
      texts.map((text, at) => ofPassage(text, references[at])),
    );
    assert.deepEqual(
      (
        await timeTuples(['Who led it yesterday?'], { kind: 'query', references: '2022-03-05' })
      ).map(short),
      ['2022 3 4 111'],
    );
    const saying = (answer: unknown): TimeExtractor => ({
      id: 'mine',
      extract: async () => answer as TimeTuple[],
    });
    assert.deepEqual(await timeTuples(['a'], { extractor: saying([noTime]) }), [noTime]);
    const wrong: unknown[] = [
      undefined,
      [],
      [noTime, noTime],
      [undefined],
      [{ ...noTime, year: 3 }],
      [{ year: 2021, month: 2, dayOfMonth: 29, mask: [1, 1, 1] }],
      [{ ...noTime, mask: [0, 1, 0] }],
      [{ ...noTime, mask: [0, 0] }],
    ];
    for (const answer of wrong)
      await assert.rejects(timeTuples(['a'], { extractor: saying(answer) }), (fault) =>
        AsOfError.is(fault),
      );
    await assert.rejects(timeTuples(['a'], { signal: AbortSignal.abort() }), {
      code: 'ERR_ABORTED',
    });
    await assert.rejects(timeTuples(['a'], { references: ['2020', '2021'] }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    await assert.rejects(timeTuples(['a'], { kind: 'text' as 'query' }), {
      code: 'ERR_INVALID_ARGUMENT',
    });
    assert.throws(() => timeTupleOf({ start: 1, end: 1 }), { code: 'ERR_INVALID_ARGUMENT' });
  });
});

describe('accuracy of time tuples', () => {
  const tuple = (year: number, month: number, dayOfMonth: number): TimeTuple => ({
    year,
    month,
    dayOfMonth,
    mask: [year ? 1 : 0, month ? 1 : 0, dayOfMonth ? 1 : 0],
  });

  it('counts components and exact matches, masks included', () => {
    const expected = [tuple(2021, 5, 6), tuple(2021, 5, 0), tuple(2021, 0, 0), tuple(0, 0, 0)];
    const predicted = [tuple(2021, 5, 7), tuple(2021, 5, 1), tuple(2020, 0, 0), tuple(0, 0, 0)];
    assert.deepEqual(tupleAccuracy(predicted, expected), {
      year: 0.75,
      month: 1,
      dayOfMonth: 0.5,
      exactMatch: 0.25,
      count: 4,
    });
    assert.deepEqual(tupleAccuracy([], []), {
      year: 0,
      month: 0,
      dayOfMonth: 0,
      exactMatch: 0,
      count: 0,
    });
    assert.throws(() => tupleAccuracy([noTime], []), { code: 'ERR_INVALID_ARGUMENT' });
  });
});
