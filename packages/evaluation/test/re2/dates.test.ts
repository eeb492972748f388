// Dates as benchmarks write them: each form tells what it says it tells, by a reading that is not
// its own.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseQuestion, tagText } from '../../../../lib/time/index.js';
import {
  coarseDates,
  dayAfter,
  fullDate,
  isMasked,
  isoDate,
  relativeDate,
  type RecordDate,
  type WrittenDate,
} from '../../lib/re2/dates.js';
import { seededRandom } from '../../../../lib/text/random.js';

const milliseconds = 86_400_000;
const days = fc.integer({ min: -40_000, max: 40_000 });

function readBack({ on, from, to }: WrittenDate, reference: number): void {
  const sentence = `The mill ground 40 sacks ${on}.`;
  const { mentions } = tagText(sentence, {
    reference: new Date(reference * milliseconds).toISOString().slice(0, 10),
  });
  assert.equal(mentions.length, 1, sentence);
  assert.deepEqual(
    [mentions[0]!.interval?.start, mentions[0]!.interval?.end],
    [from * milliseconds, to * milliseconds],
    `${sentence} of day ${reference}`,
  );
}

describe('dates of benchmarks', () => {
  it('are read back in full, whatever their form', () => {
    fc.assert(
      fc.property(
        days,
        fc.constantFrom('day', 'month', 'year'),
        fc.integer(),
        (day, granularity, seed) => {
          const first = new Date(day * milliseconds);
          if (granularity !== 'day') first.setUTCDate(1);
          if (granularity === 'year') first.setUTCMonth(0);
          const date: RecordDate = {
            day: first.getTime() / milliseconds,
            granularity: granularity,
          };
          const written = fullDate(date, seededRandom(seed, 'x'));
          assert.equal(isMasked(written), false);
          assert.deepEqual([written.from, written.to], [date.day, dayAfter(date)]);
          assert.ok(first.toISOString().startsWith(isoDate(date)));
          readBack(written, day + 3);
          for (const coarse of coarseDates(date)) {
            assert.ok(coarse.from <= date.day && dayAfter(date) <= coarse.to && isMasked(coarse));
            readBack(coarse, day);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are read back from the day they are counted from', () => {
    let [told, coming] = [0, 0];
    fc.assert(
      fc.property(days, fc.integer({ min: -160, max: 160 }), fc.integer(), (day, away, seed) => {
        const near = seed % 2 === 0 ? away % 9 : away;
        const written = relativeDate(
          { day: day + near, granularity: 'day' },
          day,
          seededRandom(seed, 'x'),
        );
        if (!written) return;
        told += 1;
        assert.deepEqual(
          [written.from, written.to, isMasked(written)],
          [day + near, day + near + 1, true],
        );
        coming += Number(written.when.startsWith('this coming'));
        // A date without a year is the nearest one only in tense: the tagger prefers the year of
        // the reference.
        if (
          written.form !== 'yearless' ||
          new Date((day + near) * milliseconds).getUTCFullYear() ===
            new Date(day * milliseconds).getUTCFullYear()
        )
          readBack(written, day);
      }),
      { numRuns: 600 },
    );
    assert.ok(told > 300 && coming > 0);
  });

  it(
    'say nothing relative of what is far or coarse, and only ISO of years that are no ' +
      'plain numbers',
    () => {
      const random = seededRandom(1, 'x');
      assert.equal(relativeDate({ day: 5000, granularity: 'day' }, 0, random), undefined);
      assert.equal(relativeDate({ day: 0, granularity: 'month' }, 0, random), undefined);
      const old = { day: -719_528, granularity: 'day' as const };
      assert.equal(fullDate(old, random).when, '0000-01-01');
      assert.deepEqual(coarseDates(old), []);
      assert.ok(parseQuestion({ text: 'What was ground on 2021-05-06?' }).constraint.interval);
    },
  );
});
