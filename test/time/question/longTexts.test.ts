// Long texts: no question is longer than 20,000 units, of a longer text the end is parsed.
// Megabytes of patterns are in longTexts.slow.ts.
import assert from 'node:assert/strict';
import { contentIntervals } from '../../../lib/time/contentClock.js';
import { readTemporalQuery } from '../../../lib/time/question/intent.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import {
  maxQuestionLength,
  questionStart,
  questionWindow,
} from '../../../lib/time/question/questionText.js';
import { tagText } from '../../../lib/time/tagger.js';
import { assertEach } from '../../assertEach.js';

describe('long texts', () => {
  it('parses no question of more than 20,000 units', () => {
    const text = 'a'.repeat(maxQuestionLength);
    assert.equal(parseQuestion({ text }).mainContent, text);
    assert.throws(() => parseQuestion({ text: `${text}a` }), {
      code: 'ERR_INVALID_ARGUMENT',
      message:
        'Expected question.text to have at most 20,000 UTF-16 units, received 20,001. Ask in ' +
        'fewer words, and add longer texts to the corpus as passages.',
    });
  });

  it('parses the end of a long text like that part alone', () => {
    const question = 'Who led the town before May 1990?';
    const text = `${'The mill stood by the river. '.repeat(207)}${question}`;
    const from = questionStart(text);
    assert.ok(text.length - from <= questionWindow && text[from - 1] === ' ');
    const parsed = parseQuestion({ text });
    assert.equal(parsed.constraint.relation, 'before');
    assert.equal(parsed.mainContent, text.replace(' before May 1990?', '?'));
    assert.equal(parsed.text, text);
    const { signals, mentions } = readTemporalQuery({ text });
    for (const each of [...signals, ...mentions])
      assert.equal(text.slice(each.start, each.end), each.text);
    assertEach(signals, (signal) => signal.text, ['before May 1990']);
  });

  it('has each of many dates once in the content clock', () => {
    const days = Array.from({ length: 20_000 }, (_, i) =>
      new Date(i * 86_400_000).toISOString().slice(0, 10),
    );
    const text = [...days, ...days].map((day) => `Issued on ${day}.`).join(' ');
    assert.equal(contentIntervals(tagText(text).mentions, text).length, days.length);
  });
});
