// Derived validity: each rule, precedence, and properties over all dates.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { failsWith } from '../failsWith.js';
import {
  deriveValidity,
  eventGapDays,
  endValidityAt,
  type PassageDates,
} from '../../lib/time/validity.js';

const at = (iso: string): number => Date.parse(iso);
const [p, u, c] = [at('2020-01-01'), at('2021-01-01'), at('2022-01-01')];

describe('derived validity', () => {
  it('rejects invalid dates, and an end before its start', () => {
    assert.throws(
      () => deriveValidity({ publishedAt: NaN }),
      failsWith('ERR_INVALID_ARGUMENT', /publishedAt/),
    );
    assert.throws(
      () => deriveValidity({ crawledAt: '2020' as never }),
      failsWith('ERR_INVALID_ARGUMENT', /crawledAt/),
    );
    assert.throws(
      () => deriveValidity({ validFrom: c, validTo: p }),
      failsWith('ERR_INVALID_ARGUMENT', /validTo/),
    );
  });

  it('begins with the latest known change and ends with the last crawl', () => {
    const rules: [PassageDates, number | undefined, number | undefined, string][] = [
      [{ publishedAt: p }, p, Infinity, 'published'],
      [{ publishedAt: p, crawledAt: c }, p, c, 'published to crawled'],
      [{ publishedAt: p, updatedAt: u }, u, Infinity, 'updated'],
      [{ updatedAt: u }, u, Infinity, 'updated'],
      [{ publishedAt: p, updatedAt: u, crawledAt: c }, u, c, 'updated to crawled'],
      [{ crawledAt: c }, c, Infinity, 'crawled'],
      [{}, undefined, undefined, 'none'],
    ];
    for (const [dates, start, end, rule] of rules) {
      const derived = deriveValidity(dates);
      assert.deepEqual(
        [derived.window?.start, derived.window?.end, derived.rule, derived.ignored],
        [start, end, rule, undefined],
      );
    }
  });

  it('ignores contradictory dates, and reports them', () => {
    assert.deepEqual(deriveValidity({ publishedAt: u, updatedAt: p }), {
      window: { start: u, end: Infinity },
      rule: 'published',
      ignored: ['updatedAt'],
    });
    assert.deepEqual(deriveValidity({ publishedAt: u, crawledAt: p }), {
      window: { start: u, end: Infinity },
      rule: 'published',
      ignored: ['crawledAt'],
    });
    assert.deepEqual(deriveValidity({ publishedAt: c, updatedAt: u, crawledAt: p }).ignored, [
      'updatedAt',
      'crawledAt',
    ]);
  });

  it('never replaces a given window, and never ends before it begins', () => {
    const instant = fc.option(fc.integer({ min: -1e12, max: 2e12 }), { nil: undefined });
    const dates = fc
      .record({
        publishedAt: instant,
        updatedAt: instant,
        crawledAt: instant,
        validFrom: instant,
        validTo: instant,
      })
      .filter(({ validFrom = -Infinity, validTo = Infinity }) => validFrom <= validTo);
    fc.assert(
      fc.property(dates, fc.integer({ min: -1e12, max: 2e12 }), (given, next) => {
        const known = Object.fromEntries(
          Object.entries(given).filter(([, value]) => value !== undefined),
        ) as PassageDates;
        const derived = deriveValidity(known);
        const ended = endValidityAt(derived, next);
        const stated = known.validFrom !== undefined || known.validTo !== undefined;
        if (stated) {
          assert.deepEqual(
            [derived.rule, derived.window, ended],
            [
              'given',
              { start: known.validFrom ?? -Infinity, end: known.validTo ?? Infinity },
              derived,
            ],
          );
          return;
        }
        assert.equal(
          derived.window === undefined,
          known.publishedAt === undefined &&
            known.updatedAt === undefined &&
            known.crawledAt === undefined,
        );
        for (const { window } of [derived, ended]) assert.ok(!window || window.start <= window.end);
        if (derived.window) {
          const starts = [known.publishedAt, known.updatedAt].filter((each) => each !== undefined);
          assert.equal(
            derived.window.start,
            starts.length > 0 ? Math.max(...starts) : known.crawledAt,
          );
          assert.equal(ended.window!.start, derived.window.start);
          assert.ok(ended.window!.end <= derived.window.end);
          assert.equal(
            ended.rule === 'superseded',
            next > derived.window.start && next < derived.window.end,
          );
        }
      }),
    );
  });

  it('measures the distance from publication to content time', () => {
    const year = (n: number) => ({ start: Date.UTC(n, 0, 1), end: Date.UTC(n + 1, 0, 1) });
    assert.equal(eventGapDays(at('2020-06-01'), []), undefined);
    assert.equal(eventGapDays(at('2020-06-01'), [year(1990), year(2020)]), 0);
    // the 29 years between, in days
    assert.equal(Math.round(eventGapDays(at('2020-01-01'), [year(1990)])!), -10592);
    assert.equal(eventGapDays(at('2019-12-31'), [year(2020), year(1990)]), 1);
  });
});
