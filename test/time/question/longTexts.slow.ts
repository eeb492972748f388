// Long texts: megabytes of patterns that require lookahead or lookbehind terminate. Nothing is
// timed: quadratic time would exceed the timeout.
import assert from 'node:assert/strict';
import { extract } from '../../../lib/reading/extract.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { contentOfSentences } from '../../../lib/time/contentClock.js';
import { operatorKinds, readOperator } from '../../../lib/time/question/operator.js';
import { parseQuestion } from '../../../lib/time/question/question.js';
import { readQuestion } from '../../../lib/time/question/reading.js';
import { tagText, tagTimes } from '../../../lib/time/tagger.js';

const pieces = [
  '1',
  '1-',
  '1 ',
  '-',
  ',',
  "'",
  'x',
  'May ',
  'of the ',
  'first of the ',
  'the last ',
  'from 1 to 2 to 3 ',
  'every ',
  'two and ',
  'January 1, ',
  'in 1990 ',
  'as of 1990, ',
  'who that which ',
  'now ',
  ' ',
  '\n',
  'last night ',
  'two hundred and ',
  'in nineteen twenty ',
  'who when the first ',
  'the day after ',
  'before the end of the ',
  'B.C. ',
  '12:',
  'May 6, ',
  '\ud83d',
  '\0',
  'a',
  'a.',
  '123,',
];

describe('long texts', () => {
  const filled = (piece: string, units: number) => piece.repeat(Math.ceil(units / piece.length));

  it('tags a megabyte of any pattern to its end', async () => {
    const texts = pieces.map((piece) => `${filled(piece, 1_000_000)} It closed on 6 May 2021.`);
    const tagged = await tagTimes(texts);
    tagged.forEach(({ mentions }, i) =>
      assert.equal(mentions.at(-1)?.timexValue, '2021-05-06', pieces[i]),
    );
  }).timeout(300_000);

  it('reads the question after a megabyte of any pattern', () => {
    for (const piece of pieces) {
      const question = {
        text: `${filled(piece, 1_000_000)}. Who led the town in May 2021?`,
        askedAt: '2022-01-01',
      };
      assert.ok(operatorKinds.includes(readOperator(question).kind), piece);
      const { dates } = readQuestion(question);
      assert.equal(dates.at(-1)?.text, 'in May 2021', piece);
    }
  }).timeout(120_000);

  it('reads an answer for a question of a megabyte of any pattern', async () => {
    const passages = [{ id: 'a', text: 'Ann Lee led the town from 1999 to 2004.' }];
    for (const piece of pieces) {
      const text = `Who led ${filled(piece, 1_000_000)}?`;
      const asked = parseQuestion({ text: 'Who led it?', askedAt: '2022-01-01' });
      const question = { ...asked, text, mainContent: text };
      const answer = await extract({ question, passages, note: () => undefined }, 0.6);
      assert.deepEqual(answer?.evidence, ['a'], piece);
    }
  }).timeout(120_000);

  it('analyzes a megabyte of any pattern', () => {
    const analyzer = englishAnalyzer();
    for (const piece of pieces) {
      const end = analyzer.analyze(`${filled(piece, 1_000_000)} mayor`).at(-1);
      assert.equal(end, 'mayor', piece);
    }
  }).timeout(120_000);

  it('has the content of each of many sentences of one day', () => {
    const sentence = 'Outlook of 3 May 2021. ';
    const text = filled(sentence, 1_000_000);
    const sentences = Array.from(
      { length: Math.floor(text.length / sentence.length) },
      (_, at) => ({
        start: at * sentence.length,
        end: (at + 1) * sentence.length - 1,
      }),
    );
    const { mentions } = tagText(text);
    const clocks = contentOfSentences(text, sentences, mentions, Date.UTC(2021, 4, 3, 9));
    assert.ok(clocks.every((clock) => clock.length === 1));
  }).timeout(120_000);
});
