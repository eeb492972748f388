// Features of a statement at one of its times, for the window of a question: what holds before it,
// what lies after it, ranges, and the unit that the question names.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  featureNames,
  featurePlaces,
  width,
  type StatementMatch,
} from '../../../lib/facts/series/features.js';
import type { Order } from '../../../lib/facts/series/order.js';
import type { StatedTime, TimeSource } from '../../../lib/facts/series/statements.js';
import { putTimedFeatures } from '../../../lib/facts/series/timedFeatures.js';
import type { Interval } from '../../../lib/time/interval.js';
import { statementsOf } from './passages.js';

const start = (year: number): number => (Number.isFinite(year) ? Date.UTC(year, 0, 1) : year);
/** From the beginning of a year to that of another. */
const time = (
  from: number,
  to: number,
  { range = false, source = 'own' }: { range?: boolean; source?: TimeSource } = {},
): StatedTime => ({ start: start(from), end: start(to), range, source });
const range = (from: number, to: number): StatedTime => time(from, to, { range: true });
const window = (from: number, to: number): Order['window'] => ({
  start: start(from),
  end: start(to),
});
const named = (from: number, to: number): Interval => ({
  start: start(from),
  end: start(to),
  granularity: 'year',
});

const passage = statementsOf({ text: 'It rose.' });
const match: StatementMatch = {
  passage,
  candidate: 0,
  statement: passage.statements[0]!,
  features: new Float64Array(width),
  matched: 0,
  roles: [],
  isAnchor: false,
  values: new Set(),
  slots: new Set(),
};
/** The features that are not 0, by default for any order. */
function features(
  each: StatedTime | undefined,
  order: Partial<Order> & Pick<Order, 'window'>,
  of: StatementMatch = match,
): Record<string, number> {
  const output = new Float32Array(2 * width).fill(7);
  putTimedFeatures(output, width, of, each, { order: 'any', ...order });
  assert.ok(output.subarray(0, width).every((value) => value === 7));
  return Object.fromEntries(
    featureNames.flatMap((name, f) => {
      const value = output[width + f]!;
      assert.ok(Number.isFinite(value), name);
      return value === 0 ? [] : [[name, Math.round(1e4 * value) / 1e4]];
    }),
  );
}
const keys = (each: StatedTime | undefined, order: Parameters<typeof features>[1]): string[] =>
  Object.keys(features(each, order)).sort();

/** A year as half-open ends. */
const yearAt = (year: number): { start: number; end: number } => window(year, year + 1);

/** The match of a text, with the offsets of a word as its roles. */
function matchOf(text: string, role: string): StatementMatch {
  const given = statementsOf({ text });
  const roles = [...text.matchAll(new RegExp(role, 'g'))].map(({ index }) => index);
  return { ...match, passage: given, statement: given.statements[0]!, roles };
}

const orders = ['latest', 'first', 'any'] as const;
const always = { start: -Infinity, end: Infinity };

describe('putTimedFeatures', () => {
  it('tells the time that a role belongs to from others of the statement', () => {
    const of = matchOf('Ida Rowe was born in 1853 and died in 1927.', 'born');
    const [born, died] = of.statement.times;
    const wide = { window: window(1800, 2000) };
    assert.equal(features(born, wide, of)['roleOfOther'], undefined);
    assert.equal(features(died, wide, of)['roleOfOther'], 1);
    // Without the word, or with one time, there is no evidence.
    const none = matchOf('Ida Rowe was born in 1853 and died in 1927.', 'sailed');
    assert.equal(features(none.statement.times[1], wide, none)['roleOfOther'], undefined);
    const one = matchOf('Ida Rowe was born in 1853.', 'born');
    assert.equal(features(one.statement.times[0], wide, one)['roleOfOther'], undefined);
  });

  it('counts a report on a time that ends after the window, published when it was over', () => {
    const reportOf = (year: number, publishedAt: string): Record<string, number> => {
      const reported = statementsOf({ text: 'It rose.', publishedAt });
      return features(
        { ...yearAt(year), range: false, source: 'own' },
        { window: { start: -Infinity, end: Date.UTC(2020, 5, 1) } },
        { ...match, passage: reported },
      );
    };
    assert.equal(reportOf(2020, '2021-01-05')['laterReport'], 1);
    assert.equal(reportOf(2020, '2020-03-05')['laterReport'], undefined);
    assert.equal(reportOf(2019, '2021-01-05')['laterReport'], undefined);
    // It looks back.
    assert.equal(reportOf(2020, '2024-01-05')['laterReport'], undefined);
  });

  it('lets no event before the window hold in it', () => {
    const early = { ...yearAt(1930), range: false, source: 'own' } as const;
    const order = { window: window(1940, 1950) };
    assert.equal(features(early, order)['before'], 1);
    const event = features(early, { ...order, isEvent: true });
    assert.equal(event['before'], undefined);
    assert.equal(event['outside'], 1);
    assert.ok(event['gap']! > 0);
    const late = { ...yearAt(1938), range: false, source: 'own' } as const;
    assert.ok(features(late, { ...order, isEvent: true })['gap']! < event['gap']!);
  });

  it('counts no time against a statement only where the window has an end', () => {
    for (const order of orders) {
      assert.deepEqual(features(undefined, { order, window: always }), {});
      for (const bounded of [window(2010, 2012), window(2010, Infinity), window(-Infinity, 2012)])
        assert.deepEqual(features(undefined, { order, window: bounded }), { undated: 1 });
    }
  });

  it('tells what may hold from before the window, for every order, however long ago', () => {
    for (const order of orders)
      for (const [from, to] of [
        [2009, 2010],
        [1710, 1711],
      ] as const)
        assert.deepEqual(
          features(time(from, to), { order, window: window(2010, 2012) }),
          { before: 1 },
          order,
        );
    // Of a state with an unknown beginning, the end lies in the window or after it.
    for (const to of [2011, 2030]) {
      const until = range(-Infinity, to);
      assert.deepEqual(features(until, { window: window(2010, 2012) }), { before: 1 });
      assert.deepEqual(features(until, { window: window(2010, Infinity) }), { before: 1 });
      assert.deepEqual(features(until, { window: window(-Infinity, 2012) }), {});
      assert.deepEqual(features(until, { window: always }), {});
    }
  });

  it('tells apart what is before the window where a figure is asked for', () => {
    const own = new Float64Array(width);
    own[featurePlaces.beforeOfFigure] = 1;
    const figure = { ...match, features: own };
    const in2010 = { window: window(2010, 2012) };
    assert.deepEqual(features(time(2008, 2009), in2010, figure), { beforeOfFigure: 1 });
    for (const each of [time(2010, 2012), time(2013, 2014), undefined])
      assert.deepEqual(features(each, in2010, figure), features(each, in2010));
    assert.deepEqual(features(time(2008, 2009), { window: always }, figure), {});
  });

  it('counts the distance after the window, in months', () => {
    const gap = (from: number, order: Partial<Order> = {}) =>
      features(time(from, from + 1), { window: window(2010, 2012), ...order });
    assert.deepEqual(gap(2012), { outside: 1 });
    for (const order of orders) {
      const { gap: near, ...rest } = gap(2013, { order });
      assert.deepEqual(rest, { outside: 1 });
      // 12 months.
      assert.ok(Math.abs(near! - Math.log(13) / 3) < 0.01);
    }
    assert.ok(gap(2040)['gap']! > gap(2013)['gap']!);
    // Between separate times of a list, nothing is after the window.
    const alternatives = [window(2010, 2011), window(2014, 2015)];
    const listed = { window: window(2010, 2015), alternatives };
    assert.deepEqual(features(time(2012, 2013), listed), { outside: 1 });
    assert.deepEqual(features(time(2010, 2011), listed), {});
  });

  it('counts how long a range is, in years, and of a unit of the calendar nothing', () => {
    const span = (each: StatedTime): number | undefined =>
      features(each, { window: always })['span'];
    assert.ok(Math.abs(span(range(1990, 1999))! - Math.log(10) / 3) < 0.001);
    assert.ok(span(range(1900, 1999))! > span(range(1990, 1999))!);
    assert.equal(span(time(1990, 2000)), undefined);
    assert.equal(span(range(-Infinity, 1999)), undefined);
    assert.equal(span(range(1990, Infinity)), undefined);
    // Whatever the window, also where it spans that.
    assert.equal(
      features(range(1990, 1999), { window: window(1992, 1993) })['span'],
      span(range(1990, 1999)),
    );
    assert.deepEqual(keys(range(1990, 1999), { window: window(1992, 1993) }), ['span']);
  });

  it('knows the same days as a closed window', () => {
    assert.deepEqual(features(time(2010, 2012), { window: window(2010, 2012) }), { equal: 1 });
    assert.deepEqual(keys(range(2010, 2012), { window: window(2010, 2012) }), ['equal', 'span']);
    assert.deepEqual(features(time(2010, 2011), { window: window(2010, 2012) }), {});
    // Its unit is only that of its first bound.
    const between = { window: window(2010, 2012), time: named(2010, 2011) };
    assert.deepEqual(features(time(2010, 2011), between), {});
  });

  it('knows a time that begins in the unit that "since" names', () => {
    const since = { window: window(2011, Infinity), time: named(2011, 2012) };
    assert.deepEqual(features(time(2011, 2012), since), { equal: 1 });
    assert.deepEqual(keys(range(2011, 2019), since), ['equal', 'span']);
    assert.deepEqual(features(time(2012, 2013), since), {});
    assert.deepEqual(keys(range(2010, 2019), since), ['span']);
    assert.deepEqual(features(time(2011, 2012), { window: since.window }), {});
    assert.deepEqual(features(time(2010, 2011), since), { before: 1 });
    // Of "until 2011", the unit is at the end.
    const until = { window: window(-Infinity, 2012), time: named(2011, 2012) };
    assert.deepEqual(features(time(2011, 2012), until), {});
  });

  it('does not take what began in the unit of "after" for the same', () => {
    const after = { window: window(2012, Infinity), time: named(2011, 2012) };
    assert.deepEqual(features(time(2011, 2012), after), { before: 1 });
    assert.deepEqual(features(time(2012, 2013), after), {});
    assert.deepEqual(keys(range(2011, 2019), after), ['span']);
  });

  it('counts what lies partly beyond the window, or is coarser than it, of units alone', () => {
    assert.ok(features(time(2009, 2011), { window: window(2010, Infinity) })['overhang']! > 0.4);
    assert.deepEqual(keys(time(2000, 2010), { window: window(2003, 2004) }), [
      'coarse',
      'overhang',
    ]);
    assert.deepEqual(keys(range(2009, 2011), { window: window(2010, Infinity) }), ['span']);
  });

  it('tells where the time comes from', () => {
    const of = (source: TimeSource) => features(time(2010, 2011, { source }), { window: always });
    assert.deepEqual(of('own'), {});
    assert.deepEqual(of('later'), { later: 1 });
    assert.deepEqual(of('valid'), {});
    assert.deepEqual(of('compared'), { compared: 1 });
    assert.deepEqual(of('previous'), { previous: 1 });
    assert.deepEqual(of('title'), { ofTitle: 1 });
  });

  it('takes a time for one of: before, outside, or in the window', () => {
    const years = fc.integer({ min: 1900, max: 2000 });
    const lengths = fc.integer({ min: 1, max: 40 });
    const bounds = fc.tuple(years, lengths).map(([from, length]) => [from, from + length] as const);
    const order = fc.record({
      order: fc.constantFrom(...orders),
      window: fc
        .tuple(bounds, fc.boolean(), fc.boolean())
        .map(([[from, to], isFrom, isTo]) =>
          window(isFrom ? from : -Infinity, isTo ? to : Infinity),
        ),
    });
    fc.assert(
      fc.property(bounds, fc.boolean(), order, ([from, to], isRange, each) => {
        const own = features(time(from, to, { range: isRange }), each);
        const isBefore = start(to) <= each.window.start;
        const isAfter = start(from) >= each.window.end;
        assert.equal(own['before'] ?? 0, Number(isBefore));
        assert.equal(own['outside'] ?? 0, Number(isAfter));
        assert.equal('gap' in own, isAfter && start(from) > each.window.end);
        assert.equal('span' in own, isRange);
        for (const name of ['overhang', 'coarse', 'equal'])
          if (isBefore || isAfter) assert.ok(!(name in own), name);
      }),
    );
  });
});
