// Vague references to past, present and future: read without an interval, and apart from names,
// verbs and nouns.
import assert from 'node:assert/strict';
import { tagText } from '../../lib/time/tagger.js';
import { timexesOf } from './seen.js';

describe('timetag references', () => {
  const both: [string, string, string][] = [
    ['The hall is now empty.', 'now', 'PRESENT_REF'],
    ['It is currently closed.', 'currently', 'PRESENT_REF'],
    ['It was recently sold.', 'recently', 'PAST_REF'],
    ['In the past it was white.', 'the past', 'PAST_REF'],
    ['At present it is closed.', 'present', 'PRESENT_REF'],
    ['In the future it may open.', 'the future', 'FUTURE_REF'],
    ['It was formerly a mill.', 'formerly', 'PAST_REF'],
    ['Nowadays few go there.', 'Nowadays', 'PRESENT_REF'],
    ['Few go there these days.', 'these days', 'PRESENT_REF'],
    ['They crossed modern-day Poland.', 'modern-day', 'PRESENT_REF'],
    ['It lies in present-day Ghana.', 'present-day', 'PRESENT_REF'],
    ['In recent years it grew.', 'recent years', 'PAST_REF'],
    ['It stays so to this day.', 'this day', 'PRESENT_REF'],
    ['By this time they had left.', 'this time', 'PRESENT_REF'],
    ['The recent fire was near.', 'recent', 'PAST_REF'],
    ['The current law expires.', 'current', 'PRESENT_REF'],
    ['It closed for the time being.', 'the time being', 'PRESENT_REF'],
  ];
  for (const mode of ['news', 'narrative'] as const) {
    for (const [text, words, value] of both) {
      it(`reads ${words} in ${mode}`, () =>
        assert.deepEqual(timexesOf(text, { mode }), [`${words} | DATE | ${value}`]));
    }
  }

  it('reads adjectives in narrative only, and soon in news only', () => {
    for (const [text, found] of [
      ['Its former owner left.', 'former | DATE | PAST_REF'],
      ['They feared future wars.', 'future | DATE | FUTURE_REF'],
    ] as const) {
      assert.deepEqual(timexesOf(text), [found]);
      assert.deepEqual(timexesOf(text, { mode: 'news' }), []);
    }
    assert.deepEqual(timexesOf('It will open soon.', { mode: 'news' }), [
      'soon | DATE | FUTURE_REF',
    ]);
    assert.deepEqual(timexesOf('It soon opened.'), []);
  });

  const none = [
    'She walked past the house.',
    'The present king lives there.',
    'It was a birthday present.',
    'Modern art hung there.',
    'It is time to go.',
    'The second time it worked.',
    'Back to the Future was shown.',
    'As soon as it rained they left.',
  ];
  for (const text of none)
    it(`sees no reference in: ${text}`, () =>
      assert.deepEqual(timexesOf(text, { mode: 'news' }), []));

  it('has no interval and no relation', () => {
    for (const [text] of both) {
      for (const mention of tagText(text, { reference: '2021-05-06' }).mentions) {
        assert.deepEqual([mention.interval, mention.relation], [undefined, 'none'], text);
      }
    }
  });
});
