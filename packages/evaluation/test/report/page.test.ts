// The parts of a report's page that draw nothing: groups, filters, dates and where candidates lie
// in time.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dateText, score, yearText } from '../../../pages/lib/format.js';
import { within, yearTicks } from '../../../pages/lib/times.js';
import { groupNames, groupRows } from '../../lib/report/page/groups.js';
import { systemStyles } from '../../lib/report/page/palette.js';
import { matches } from '../../lib/report/page/questions/filter.js';
import {
  bestInstant,
  drawnShape,
  shownSpan,
  stretchesOf,
} from '../../lib/report/page/questions/times.js';
import { reportQuestions } from '../../lib/report/questions.js';
import type { ReportShape } from '../../lib/report/reportData.js';
import { sample } from '../comparison/sample.js';

const day = 86_400_000;
const wanted = { set: '', words: '', better: '', worse: '', metric: 'hit@1', lowerIsBetter: false };

describe('the page of a report', () => {
  it('breaks a measure down as the cells do, and a question counts once over all sets', () => {
    const result = sample();
    const [cell] = result.cells;
    const rows = groupRows(result, { by: 'relation', metric: 'hit@1', systems: [cell!.system] });
    assert.deepEqual(groupNames(result), ['relation', 'condition', 'class']);
    for (const group of cell!.groups!.filter(({ by }) => by === 'relation')) {
      const row = rows.find(({ value }) => value === group.value)!;
      assert.deepEqual([row.n, row.means[0]], [group.n, group.metrics['hit@1']!.mean]);
    }
    const mean =
      rows.reduce((sum, { n, means }) => sum + n * means[0]!, 0) /
      rows.reduce((sum, { n }) => sum + n, 0);
    assert.ok(Math.abs(mean - cell!.metrics['hit@1']!.mean) < 1e-12);
  });

  it('counts a set whose questions are all of one kind, which no cell breaks down', () => {
    const { sets, cells } = sample();
    const one = { ...sets[0]!, name: 'one', groups: { relation: { in: 18 } } };
    const [cell] = cells;
    const { groups: _, ...whole } = { ...cell!, set: 'one' };
    const both = groupRows(
      { sets: [sets[0]!, one], cells: [cell!, whole] },
      { by: 'relation', metric: 'hit@1', systems: [cell!.system] },
    );
    assert.equal(
      both.find(({ value }) => value === 'in')!.n,
      sets[0]!.groups!['relation']!['in']! + 18,
    );
  });

  it('finds questions by words, set and which system does better', () => {
    const questions = reportQuestions(sample().questions!, 10);
    const found = (changed: Partial<typeof wanted>): number =>
      questions.filter((each) => matches(each, { ...wanted, ...changed })).length;
    assert.equal(found({}), 4);
    assert.equal(found({ words: 'FERRY carry' }), 1);
    assert.equal(found({ words: 'ferry mayor' }), 0);
    assert.equal(found({ set: 'none such' }), 0);
    const better = questions.filter(({ systems }) => {
      const [hybrid, bm25] = ['hybrid', 'bm25'].map(
        (name) => systems.find(({ system }) => system === name)!.metrics['hit@1']!,
      );
      return hybrid! > bm25!;
    });
    assert.ok(better.length > 0);
    assert.equal(found({ better: 'hybrid', worse: 'bm25' }), better.length);
    assert.equal(found({ better: 'bm25', worse: 'hybrid', lowerIsBetter: true }), better.length);
    assert.equal(found({ better: 'hybrid', worse: 'bm25', metric: 'none such' }), 0);
  });

  it('prints a date no finer than it is', () => {
    const text = (start: string | null, end: string | null, granularity: string): string =>
      dateText({ start, end, granularity });
    assert.equal(text('2011-01-01', '2011-12-31', 'year'), '2011');
    assert.equal(text('2011-01-01', '2015-12-31', 'year'), '2011 – 2015');
    assert.equal(text('2011-06-01', '2011-06-30', 'month'), '2011-06');
    assert.equal(text('2011-06-07', '2011-06-07', 'day'), '2011-06-07');
    assert.equal(text('2011-06-07', null, 'day'), 'since 2011-06-07');
    assert.equal(text(null, '2011-06-07', 'day'), 'until 2011-06-07');
    assert.equal(text('-0043-03-15', '-0043-03-15', 'day'), '-0043-03-15');
    assert.deepEqual(
      [yearText(-43), yearText(1), score(-0.25), score(12_345)],
      ['44 BC', '1', '−0.250', '1.23e+4'],
    );
  });

  it('gives forms of one system one colour and different dashes', () => {
    const styles = systemStyles(['bm25', 'bm25+mask', 'dense', 'bm25+suffix']);
    assert.equal(
      new Set(['bm25', 'bm25+mask', 'bm25+suffix'].map((name) => styles.get(name)!.colour)).size,
      1,
    );
    assert.equal(
      new Set(['bm25', 'bm25+mask', 'bm25+suffix'].map((name) => styles.get(name)!.dash)).size,
      3,
    );
    const many = Array.from({ length: 20 }, (_, at) => `s${at}`);
    assert.equal(
      new Set([...systemStyles(many).values()].map(({ colour, dash }) => colour + dash)).size,
      20,
    );
  });

  it(
    'draws a shape as the scan scores it: its lines, the best where they meet, and what is ' +
      'outside',
    () => {
      const shape: ReportShape = {
        name: 'line',
        outside: 0.5,
        lines: [
          { from: 10 * day, to: 20 * day, atStart: 0.6, atEnd: 1 },
          { from: 20 * day, to: null, atStart: 0.9, atEnd: 0.9 },
        ],
      };
      const drawn = drawnShape(shape, { from: 0, to: 30 * day });
      const at = (instant: number): number => drawn.find((point) => point.at === instant)!.value;
      assert.equal(at(0), 0.5);
      assert.ok(Math.abs(at(15 * day) - 0.8) < 1e-12);
      assert.equal(at(30 * day), 0.9);
      const best = bestInstant(
        shape,
        [{ start: '1970-01-01', end: '1970-01-19', granularity: 'day' }],
        { from: 0, to: 30 * day },
      )!;
      assert.ok(best.at > 18 * day && best.value > 0.95);
      assert.equal(bestInstant(shape, undefined, { from: 0, to: 30 * day }), undefined);
    },
  );

  it(
    'shows the asked stretch and the candidates whatever their dates are, and never an ' +
      'endless one',
    () => {
      const dates = fc.record({
        year: fc.integer({ min: 1000, max: 2999 }),
        length: fc.integer({ min: 0, max: 40 }),
      });
      fc.assert(
        fc.property(
          fc.array(dates, { maxLength: 12 }),
          fc.option(fc.integer({ min: 1000, max: 2999 })),
          (found, asked) => {
            const candidates = found.map(({ year, length }, at) => ({
              id: String(at),
              dates: [
                {
                  start: `${year}-01-01`,
                  end: length === 40 ? null : `${year + length}-12-31`,
                  granularity: 'year',
                },
              ],
            }));
            const windows = asked === null ? [] : [{ from: Date.UTC(asked, 0), to: null }];
            const span = shownSpan(candidates, { windows });
            if (!span) return found.length === 0 && asked === null;
            const isAskedShown = windows.every(({ from }) => from >= span.from && from <= span.to);
            const isSomeShown =
              candidates.length === 0 ||
              candidates.some((each) =>
                stretchesOf(each.dates).some((stretch) => within(stretch, span)),
              );
            return (
              isAskedShown &&
              isSomeShown &&
              Number.isFinite(span.from) &&
              Number.isFinite(span.to) &&
              span.from < span.to
            );
          },
        ),
        { seed: 7 },
      );
    },
  );

  it('labels years once each, in even steps', () => {
    const years = (from: number, to: number, most: number): number[] | undefined =>
      yearTicks({ from: Date.UTC(from, 5), to: Date.UTC(to, 5) }, most)?.map((each) =>
        each.getUTCFullYear(),
      );
    assert.deepEqual(years(1942, 1946, 12), [1943, 1944, 1945, 1946]);
    assert.deepEqual(years(1850, 2020, 6), [1900, 1950, 2000]);
    assert.equal(years(2019, 2021, 6), undefined);
    assert.deepEqual(
      yearTicks({ from: -63e12, to: 0 }, 4)!.map((each) => each.getUTCFullYear()),
      [0, 500, 1000, 1500],
    );
    for (const most of [3, 5, 12]) assert.ok(years(1000, 2999, most)!.length <= most);
  });

  it('passes over dates that are none', () => {
    assert.deepEqual(
      stretchesOf([
        { start: 'soon', end: null, granularity: 'day' },
        { start: '2020-01-01', end: '2020-01-01', granularity: 'day' },
      ]),
      [{ from: Date.UTC(2020, 0, 1), to: Date.UTC(2020, 0, 2) }],
    );
    const undated = {
      id: 'a',
      dates: [{ start: 'soon', end: 'later', granularity: 'day' }],
      published_at: 'never',
    };
    assert.equal(shownSpan([undated], { windows: [] }), undefined);
  });
});
