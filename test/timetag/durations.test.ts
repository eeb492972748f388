// Lengths of time: what is read, with its extent and TIMEX3 value, what only looks like one, and
// any count of any unit.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { tagText } from '../../lib/time/tagger.js';
import { timexesOf } from './seen.js';

describe('timetag durations', () => {
  const read: [string, string, string][] = [
    ['They waited three days for rain.', 'three days', 'P3D'],
    ['It was a 3-day walk.', '3-day', 'P3D'],
    ['A few months passed.', 'A few months', 'PXM'],
    ['He stayed for several years.', 'several years', 'PXY'],
    ['She taught for two and a half years.', 'two and a half years', 'P2.5Y'],
    ['Wait half an hour.', 'half an hour', 'PT30M'],
    ['It ran for half a century.', 'half a century', 'P50Y'],
    ['They signed a six-month lease.', 'six-month', 'P6M'],
    ['The girl was 18 years old.', '18 years old', 'P18Y'],
    ['An 18-year-old won.', '18-year-old', 'P18Y'],
    ['Prices rose over the past three months.', 'the past three months', 'P3M'],
    ['In the next two years it doubled.', 'the next two years', 'P2Y'],
    [
      'In the first three years of the siege nobody left.',
      'the first three years of the siege',
      'P3Y',
    ],
    ['It stood for nearly four decades.', 'nearly four decades', 'P4DE'],
    ['Little changed in the past two centuries.', 'the past two centuries', 'P2CE'],
    ['A month-long drought came.', 'month-long', 'P1M'],
    ['They argued for months.', 'months', 'PXM'],
    ['After years of drought it rained.', 'years of drought', 'PXY'],
    ['He rested for a day.', 'a day', 'P1D'],
    ['The film lasts an hour.', 'an hour', 'PT1H'],
    ['It takes two to three weeks.', 'two to three weeks', 'P2W'],
    ['The bridge is 1,460 years old.', '1,460 years old', 'P1460Y'],
    ['A forty-year-old farmer came.', 'forty-year-old', 'P40Y'],
    ['It took one and a half years.', 'one and a half years', 'P1.5Y'],
    ['She slept for an hour and a half.', 'an hour and a half', 'PT1.5H'],
    ['The war lasted one hundred and sixteen years.', 'one hundred and sixteen years', 'P116Y'],
    ['It lasted 2.5 hours.', '2.5 hours', 'PT2.5H'],
    ['They marched for more than twenty days.', 'more than twenty days', 'P20D'],
    ['At least 25 years of age is required.', 'At least 25 years of age', 'P25Y'],
    ['It held another seven months.', 'another seven months', 'P7M'],
    ['After ten hard weeks they left.', 'ten hard weeks', 'P10W'],
    ['They met after a few hours.', 'a few hours', 'PTXH'],
    ['It was ready in less than 45 minutes.', 'less than 45 minutes', 'PT45M'],
    ['It would end in the coming years.', 'the coming years', 'PXY'],
    ['A 30-second pause followed.', '30-second', 'PT30S'],
    ['After a quarter of a century it closed.', 'a quarter of a century', 'P25Y'],
    ['He gave a three hour speech.', 'three hour', 'PT3H'],
    ['It took one hour and 48 minutes.', 'one hour and 48 minutes', 'PT1H48M'],
    [
      'She served two years, three months and five days.',
      'two years, three months and five days',
      'P2Y3M5D',
    ],
    ['It ran a day and six hours.', 'a day and six hours', 'P1DT6H'],
    ['In the three months ended then it grew.', 'the three months', 'P3M'],
    ['It lay there for thousands of years.', 'thousands of years', 'PXY'],
  ];
  for (const [text, words, value] of read)
    it(`reads ${words}`, () =>
      assert.deepEqual(timexesOf(text), [`${words} | DURATION | ${value}`], text));

  it('an uncounted step before or after is a vague reference', () => {
    assert.deepEqual(timexesOf('Many years later they returned.'), [
      'Many years later | DATE | FUTURE_REF',
    ]);
    assert.deepEqual(timexesOf('It had closed several months earlier.'), [
      'several months earlier | DATE | PAST_REF',
    ]);
  });

  const none = [
    'He came second in the race.',
    'A second time they failed.',
    'In the rush hour it is slow.',
    'It is a day-to-day matter.',
    'Each of the three people spoke.',
    'Our office hours are long.',
    'The minute details matter.',
    'The days of the week have names.',
    'One day he left.',
    'It scored 6-4 7-5.',
    'Three quarters of the town burned.',
    'The years were kind.',
    'What a day!',
    'The seasons turn.',
    'Several people spoke.',
    'A 5:3 ratio is fine.',
    'It is 20 percent dearer.',
    'They ran the 24 Hours of Le Mans.',
    'Up to 200 meteors an hour fell.',
  ];
  for (const text of none)
    it(`sees no length in: ${text}`, () => assert.deepEqual(timexesOf(text, { mode: 'news' }), []));

  it('has no interval and no relation', () => {
    for (const [text] of read) {
      for (const mention of tagText(text, { reference: '2021-05-06' }).mentions) {
        assert.equal(mention.interval, undefined, text);
        assert.equal(mention.relation, 'none', text);
      }
    }
  });

  const units: [string, string][] = [
    ['second', 'PT#S'],
    ['minute', 'PT#M'],
    ['hour', 'PT#H'],
    ['day', 'P#D'],
    ['week', 'P#W'],
    ['month', 'P#M'],
    ['year', 'P#Y'],
    ['decade', 'P#DE'],
  ];
  const ones = [
    '',
    'one',
    'two',
    'three',
    'four',
    'five',
    'six',
    'seven',
    'eight',
    'nine',
    'ten',
    'eleven',
    'twelve',
    'thirteen',
    'fourteen',
    'fifteen',
    'sixteen',
    'seventeen',
    'eighteen',
    'nineteen',
  ];
  const tens = [
    '',
    '',
    'twenty',
    'thirty',
    'forty',
    'fifty',
    'sixty',
    'seventy',
    'eighty',
    'ninety',
  ];
  const inWords = (count: number): string => {
    if (count < 20) return ones[count]!;
    if (count < 100)
      return tens[Math.floor(count / 10)]! + (count % 10 === 0 ? '' : `-${ones[count % 10]}`);
    const rest = count % 100;
    return `${ones[Math.floor(count / 100)]} hundred${rest === 0 ? '' : ` and ${inWords(rest)}`}`;
  };

  it('reads any count of any unit, in digits and in words', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 999 }),
        fc.constantFrom(...units),
        fc.constantFrom('#', '@', 'more than #', 'nearly @'),
        (count, [unit, value], form) => {
          const words = `${form.replace('#', String(count)).replace('@', inWords(count))} ${unit}s`;
          assert.deepEqual(timexesOf(`They needed ${words} to finish.`), [
            `${words} | DURATION | ${value.replace('#', String(count))}`,
          ]);
        },
      ),
    );
  });

  it('reads a hyphened count of any unit without its article', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 999 }),
        fc.constantFrom(...units),
        (count, [unit, value]) => {
          assert.deepEqual(timexesOf(`They made a ${count}-${unit} film.`), [
            `${count}-${unit} | DURATION | ${value.replace('#', String(count))}`,
          ]);
        },
      ),
    );
  });
});
