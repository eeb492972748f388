// Parsing and formatting of instants: every format, both edges, BC years, rejected dates. Calendar
// arithmetic against an oracle that counts days.
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { AsOfError } from '../../lib/errors.js';
import { civilFromDays, daysFromCivil, daysInMonth } from '../../lib/time/civil.js';
import { formatDay, formatInstant, parseAskedAt, parseInstant } from '../../lib/time/instant.js';
import { lastInstant } from '../../lib/time/interval.js';
import { walk } from '../oracle/calendar.js';

describe('instants', () => {
  const day = 86_400_000;

  it('parses dates as intervals and date-times as points', () => {
    const may6 = Date.UTC(2021, 4, 6);
    const expected: [string, number, number][] = [
      ['2021', Date.UTC(2021, 0, 1), Date.UTC(2022, 0, 1)],
      ['2021-05', Date.UTC(2021, 4, 1), Date.UTC(2021, 5, 1)],
      ['2021-05-06', may6, may6 + day],
      [' 2021-05-06T13:50Z ', may6 + 49_800_000, may6 + 49_800_000],
      ['2021-05-06 13:50', may6 + 49_800_000, may6 + 49_800_000],
      [
        '2021-05-06T13:50:07.25+02:00',
        may6 + 49_800_000 - 7_200_000 + 7250,
        may6 + 49_800_000 - 7_200_000 + 7250,
      ],
      [
        '2021-05-06T13:50:07-0330',
        may6 + 49_800_000 + 12_600_000 + 7000,
        may6 + 49_800_000 + 12_600_000 + 7000,
      ],
      ['2021-05-06T24:00Z', may6 + day, may6 + day],
      ['-0043-03-15', Date.parse('-000043-03-15'), Date.parse('-000043-03-16')],
      ['+012021-01-01', Date.parse('+012021-01-01'), Date.parse('+012021-01-02')],
      ['0000', Date.parse('0000-01-01'), Date.parse('0001-01-01')],
    ];
    for (const [text, start, end] of expected)
      assert.deepEqual(
        [parseInstant(text, 'start'), parseInstant(text, 'end')],
        [start, end],
        text,
      );
    assert.equal(parseInstant(1234.9, 'end'), 1234);
    assert.equal(parseInstant(new Date(5), 'start'), 5);
  });

  it('takes the last millisecond of a date as query time, and now by default', () => {
    assert.equal(parseAskedAt('2021-05-06'), Date.UTC(2021, 4, 7) - 1);
    assert.equal(parseAskedAt('2021-05-06T13:50Z'), Date.UTC(2021, 4, 6, 13, 50));
    const [before, now, after] = [Date.now(), parseAskedAt(undefined), Date.now()];
    assert.ok(before <= now && now <= after);
  });

  it('rejects dates that do not exist', () => {
    const absurd = [
      '2021-02-30',
      '2021-02-29',
      '2021-13-01',
      '2021-00-01',
      '2021-05-00',
      '300000',
      '+300000-01-01',
      '-300000',
      '-0000',
      '2021-5-6',
      '2021-05-06T25:00',
      '2021-05-06T13:60',
      '2021-05-06T13:50:61',
      '2021-05-06T13:50+25:00',
      '',
      'yesterday',
      '20210506',
      '2021-05-06T',
      'T13:50',
      NaN,
      Infinity,
      -Infinity,
      lastInstant + 1,
      new Date(NaN),
      null,
      true,
      {},
      [2021],
      5n,
      undefined,
    ];
    for (const value of absurd) {
      assert.throws(
        () => parseInstant(value as never, 'start', 'publishedAt'),
        (error) => {
          assert.ok(AsOfError.is(error) && error.code === 'ERR_INVALID_ARGUMENT');
          return /^Expected publishedAt to be an ISO 8601 date.*, received .*\. Write 2021/.test(
            error.message,
          );
        },
        inspect(value),
      );
    }
  });

  it('formats what it parses', () => {
    assert.equal(formatDay(parseInstant('-0043-03-15', 'start')), '-0043-03-15');
    assert.equal(formatInstant(Date.UTC(2022, 0, 7, 13, 50)), '2022-01-07T13:50Z');
    assert.equal(formatInstant(Date.UTC(2022, 0, 7, 13, 50, 7, 5)), '2022-01-07T13:50:07.005Z');
    fc.assert(
      fc.property(fc.integer({ min: -lastInstant, max: lastInstant - day }), (instant) => {
        assert.equal(parseInstant(formatInstant(instant), 'start'), instant);
        assert.equal(parseInstant(formatDay(instant), 'start'), Math.floor(instant / day) * day);
      }),
      { examples: [[0], [-1], [-lastInstant]] },
    );
  });

  it('agrees with counted days, and with JavaScript at the limits', () => {
    for (const { year, month, day: dayOfMonth, days } of walk(-800_000, 1_200_000)) {
      if (daysFromCivil({ year, month, day: dayOfMonth }) !== days)
        assert.fail(`${year}-${month}-${dayOfMonth}`);
      const civil = civilFromDays(days);
      if (civil.year !== year || civil.month !== month || civil.day !== dayOfMonth)
        assert.fail(`${days}`);
    }
    fc.assert(
      fc.property(fc.integer({ min: -100_000_000, max: 100_000_000 }), (days) => {
        const date = new Date(days * day);
        const civil = civilFromDays(days);
        assert.deepEqual(civil, {
          year: date.getUTCFullYear(),
          month: date.getUTCMonth() + 1,
          day: date.getUTCDate(),
        });
        assert.ok(civil.day <= daysInMonth(civil.year, civil.month));
        assert.equal(daysFromCivil(civil), days);
      }),
    );
  });
});
