// How a date stands to the time that a question names, case by case in words: what holds, what has
// ended, what another followed.
import assert from 'node:assert/strict';
import { cueOf } from '../../../lib/time/states.js';
import {
  bestDate,
  dateFeatureNames,
  putDateFeatures,
  yearsScaled,
} from '../../../lib/ranking/ranker/times.js';
import type { QuestionTime } from '../../../lib/ranking/ranker/question.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { jointConstraint } from '../../../lib/time/question/jointConstraint.js';
import { contentIntervals } from '../../../lib/time/contentClock.js';
import { tagText } from '../../../lib/time/tagger.js';
import type { Interval } from '../../../lib/time/interval.js';

const datesIn = (text: string): Interval[] => contentIntervals(tagText(text).mentions, text);

function asksFor(text: string): QuestionTime {
  const joint = jointConstraint(parseQuestion({ text, askedAt: '2024-01-01' }));
  const { condition, interval, window, alternatives } = joint;
  const order =
    condition === 'first' || condition === 'earliest' ? -1 : condition === 'none' ? 0 : 1;
  return {
    joint,
    named: alternatives ?? [interval!],
    window: window ?? interval!,
    order,
    condition,
    ofPublication: false,
    askedAt: Date.parse('2024-01-01'),
  };
}

/**
 * Feature of the sentence's best date under a question, by name; `beside` is the rest of its
 * passage.
 */
function feature(
  name: (typeof dateFeatureNames)[number],
  question: string,
  sentence: string,
  beside = '',
): number {
  const time = asksFor(question);
  const best = bestDate(datesIn(sentence), time)!;
  const values = new Float64Array(dateFeatureNames.length + 2).fill(-7);
  assert.equal(
    putDateFeatures(values, 1, best, time.window!, datesIn(`${sentence} ${beside}`)),
    values.length - 1,
  );
  assert.deepEqual([values[0], values.at(-1)], [-7, -7]);
  return values[1 + dateFeatureNames.indexOf(name)]!;
}

describe('the relation of a date to a question', () => {
  it('a state that began before and has not ended holds; an ended one does not', () => {
    const question = 'Who owned the mill in 1944?';
    assert.equal(feature('holds', question, 'Anna Wirth bought the mill in 1944.'), 1);
    assert.equal(feature('holds', question, 'From 1942 to 1946 it was let to Karl Rau.'), 1);
    assert.equal(feature('holds', question, 'Anna Wirth bought the mill in 1936.'), 0.5);
    assert.equal(feature('holds', question, 'From 1930 to 1936 it belonged to the town.'), 0);
    assert.ok(feature('holds', question, 'Karl Rau bought it in 1950.') < 0);
  });

  it("a successor's start bounds the predecessor's end in the next sentence", () => {
    const question = 'Who owned the mill in 1944?';
    const sold = feature(
      'holds',
      question,
      'Anna Wirth bought the mill in 1936.',
      'Karl Rau followed her in 1940.',
    );
    const kept = feature(
      'holds',
      question,
      'Anna Wirth bought the mill in 1936.',
      'Karl Rau followed her in 1950.',
    );
    assert.ok(sold < 0.5 && kept > 0.5, `${sold} ${kept}`);
    assert.equal(
      feature(
        'interim',
        question,
        'Anna Wirth bought the mill in 1936.',
        'It burnt in 1939, was rebuilt in 1941 and shut in 1950.',
      ),
      Math.log1p(2),
    );
  });

  it('a month inside a year lies within it, and a year is shared by its month', () => {
    assert.ok(
      feature(
        'sharedOfNamed',
        'Who led the choir in November 1842?',
        'She led the choir in 1842.',
      ) === 1,
    );
    assert.ok(
      feature('sharedOfDate', 'Who led the choir in November 1842?', 'She led the choir in 1842.') <
        0.1,
    );
    assert.equal(
      feature('gapBefore', 'Who led the choir in November 1842?', 'Since 1842 she led the choir.'),
      0,
    );
    assert.equal(feature('equal', 'Who led the choir in 1842?', 'She led the choir in 1842.'), 1);
  });

  it('years between count by their logarithm, before and after apart', () => {
    const before = feature('gapBefore', 'Who led the choir in 1900?', 'He took it over in 1890.');
    assert.ok(Math.abs(before - Math.log1p(9)) < 0.01, String(before));
    assert.equal(feature('gapAfter', 'Who led the choir in 1900?', 'He took it over in 1890.'), 0);
    assert.ok(feature('gapAfter', 'Who led the choir in 1900?', 'He took it over in 1911.') > 2);
    assert.equal(yearsScaled(-1e12), -yearsScaled(1e12));
  });

  it('before and after leave out what they name; by, until and since include it', () => {
    assert.equal(feature('inWindow', 'Who won before 1970?', 'He won in 1970.'), 0);
    assert.equal(feature('inWindow', 'Who won by 1970?', 'He won in 1970.'), 1);
    assert.equal(feature('inWindow', 'Who won after 1970?', 'He won in 1970.'), 0);
    assert.equal(feature('inWindow', 'Who has won since 1970?', 'He won in 1970.'), 1);
  });

  it(
    'of several dates the one counts that fits, and an order word reaches for its end of ' +
      'the window',
    () => {
      const year = (question: string, sentence: string): number =>
        new Date(bestDate(datesIn(sentence), asksFor(question))!.date.start).getUTCFullYear();
      const wins = 'She won in 1961, in 1968 and in 1973.';
      assert.equal(year('Who won in 1968?', wins), 1968);
      assert.equal(year('When did she last win before 1970?', wins), 1968);
      assert.equal(year('When did she first win before 1970?', wins), 1961);
      assert.equal(year('When did she last win after 1960?', wins), 1973);
      assert.equal(bestDate([], asksFor('Who won in 1968?')), undefined);
    },
  );

  it('the words before a year tell whether a state begins or ends', () => {
    const cue = (text: string): ReturnType<typeof cueOf> => cueOf(text, datesIn(text)[0]!);
    assert.equal(cue('She has been keeper since 1907.').opens, 1);
    assert.equal(cue('She was keeper until 1907.').opens, -1);
    assert.equal(cue('The light was lit in 1907.').opens, 0);
    assert.deepEqual(
      [
        cue('Ada Rolfe (keeper in 1907) wrote it.').parenthesis,
        cue('Ada Rolfe was keeper in 1907.').parenthesis,
      ],
      [1, 0],
    );
  });
});
