// State decay: values of dates before, in and after a window, at its knots and in order.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { recencyDecayForm, stateDecayForm } from '../../lib/time/stateDecay.js';
import { parseQuestion } from '../../lib/time/question/question.js';
import { maxSplineLines, type SplineFactor } from '../../lib/time/temporalForms.js';

const queryTime = Date.parse('2024-01-01');
const formOf = (question: string): SplineFactor =>
  stateDecayForm(parseQuestion({ text: question, askedAt: queryTime }).constraint, queryTime);

/**
 * What an interval counts for: the best of every line's ends within it, straight from the
 * definition.
 */
function weigh(form: SplineFactor, from: string, to: string = from): number {
  assert.equal(form.combine, 'product');
  if (form.combine !== 'product') return NaN;
  const [start, end] = [Date.parse(from), Date.parse(to) + 86_400_000];
  const values = form.lines
    .filter(
      ({ window, longestMs = Infinity }) =>
        end - start <= longestMs && start < window.end && end > window.start,
    )
    .flatMap(({ window, atStart, atEnd }) =>
      [Math.max(start, window.start), Math.min(end, window.end)].map(
        (t) => atStart + ((atEnd - atStart) * (t - window.start)) / (window.end - window.start),
      ),
    );
  return values.length > 0 ? Math.max(...values) : form.outside;
}

describe('stateDecayForm', () => {
  it(
    'as of a day: the day and spans across it fully, earlier starts less the older, ended ' +
      'spans and later dates least',
    () => {
      const form = formOf('Who was prime minister as of 6 May 2021?');
      const [day, across, recent, older, oldest] = [
        weigh(form, '2021-05-06'),
        weigh(form, '2019-07-24', '2022-09-06'),
        weigh(form, '2019-07-24'),
        weigh(form, '2016-07-13'),
        weigh(form, '1850-01-01'),
      ];
      assert.deepEqual([day, across], [1, 1]);
      assert.ok(recent > older && older > oldest && oldest >= 0.5, `${recent} ${older} ${oldest}`);
      assert.equal(weigh(form, '2010-05-11', '2016-07-13'), 0.5);
      assert.ok(weigh(form, '2022-10-25') < recent);
    },
  );

  it('in a year: inside fully, a start before it nearly, afterwards less', () => {
    const form = formOf('Who owned the castle in 1400?');
    assert.equal(weigh(form, '1400-06-01'), 1);
    assert.equal(weigh(form, '1369-01-01', '1420-12-31'), 1);
    assert.ok(weigh(form, '1399-06-01') > 0.75 && weigh(form, '1399-06-01') < 1);
    assert.ok(weigh(form, '1401-06-01') < weigh(form, '1399-06-01'));
  });

  it('dates outside a day lose more than those outside a year', () => {
    assert.ok(weigh(formOf('What was the forecast on 19 January 2022?'), '2022-01-18') <= 0.75);
  });

  it('before and after exclude their unit', () => {
    assert.ok(
      weigh(formOf('Who won before 1970?'), '1970-06-01') <
        weigh(formOf('Who won before 1970?'), '1966-06-01'),
    );
    assert.ok(
      weigh(formOf('Who won after 2002?'), '2002-06-01') <
        weigh(formOf('Who won after 2002?'), '2003-06-01'),
    );
  });

  it(
    'after a date or since it: what began inside counts more than what came before, ' +
      'however much later, and as a span too',
    () => {
      for (const question of [
        'Who has owned the castle since 1400?',
        'Who owned the castle after 1400?',
      ]) {
        const form = formOf(question);
        const inside: [string, string?][] = [
          ['1402-06-01'],
          ['1404-06-01'],
          ['1411-06-01'],
          ['1480-06-01'],
          ['1650-01-01'],
          ['1420-01-01', '1433-12-31'],
        ];
        const before: [string, string?][] = [
          ['1398-06-01'],
          ['1395-06-01'],
          ['1380-01-01'],
          ['1370-01-01', '1390-12-31'],
        ];
        const least = Math.min(...inside.map((each) => weigh(form, ...each)));
        const most = Math.max(...before.map((each) => weigh(form, ...each)));
        assert.ok(least > most, `${question} ${least} ${most}`);
        assert.ok(weigh(form, '1402-06-01') > weigh(form, '1480-06-01'));
      }
      const first = formOf('Who was the first to own the castle after 1400?');
      assert.ok(
        weigh(first, '1402-06-01') > weigh(first, '1411-06-01') &&
          weigh(first, '1411-06-01') > weigh(first, '1398-06-01'),
      );
    },
  );

  it('first before, and last after, prefer the far end', () => {
    assert.ok(
      weigh(formOf('Who was the first to win before 1970?'), '1930-06-01') >
        weigh(formOf('Who was the first to win before 1970?'), '1966-06-01'),
    );
    assert.ok(
      weigh(formOf('Who was the last to win after 1970?'), '2010-06-01') >
        weigh(formOf('Who was the last to win after 1970?'), '1971-06-01'),
    );
  });

  it('there is no form without a time, and "latest" alone means until now', () => {
    assert.deepEqual(formOf('Who wrote Hamlet?'), { combine: 'none' });
    assert.ok(
      weigh(formOf('What is the latest release?'), '2023-12-01') >
        weigh(formOf('What is the latest release?'), '2015-01-01'),
    );
  });

  it('has valid lines for any constraint', () => {
    const relation = fc.constantFrom(
      'in',
      'by',
      'before',
      'after',
      'since',
      'until',
      'as of',
      'around',
      'on 3 May',
    );
    const order = fc.constantFrom('', 'first ', 'last ', 'latest ', 'earliest ');
    fc.assert(
      fc.property(relation, order, fc.integer({ min: 1000, max: 2100 }), (word, which, year) => {
        const form = formOf(`Who won the ${which}title ${word} ${year}?`);
        if (form.combine !== 'product') return;
        assert.ok(form.lines.length >= 1 && form.lines.length <= maxSplineLines);
        for (const { window, atStart, atEnd } of form.lines) {
          assert.ok(
            window.start < window.end &&
              atStart >= 0.3 &&
              atStart <= 1 &&
              atEnd >= 0.3 &&
              atEnd <= 1,
          );
        }
      }),
    );
  });
});

describe('recencyDecayForm', () => {
  it('falls with age and never below its floor', () => {
    const form = recencyDecayForm(queryTime);
    const weights = ['2023-12-31', '2023-06-01', '2020-01-01', '2000-01-01', '1950-01-01'].map(
      (day) => weigh(form, day),
    );
    assert.deepEqual(
      weights,
      [...weights].sort((a, b) => b - a),
    );
    assert.equal(weights.at(-1), 0.6);
  });
});
