// Passages cut for a prompt: the same sentences as from a segmentation of the whole text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fitPassages } from '../../lib/reading/context.js';
import { splitSentences } from '../../lib/text/sentences.js';

/** Whole sentences around the one at `place` that fit, from the sentences of the whole text. */
function cutAround(text: string, place: number, characters: number): string {
  const sentences = splitSentences(text);
  const winner = Math.max(
    0,
    sentences.findLastIndex(({ start }) => start <= place),
  );
  let [from, to] = [winner, winner];
  const fits = (first: number, last: number): boolean =>
    first >= 0 &&
    last < sentences.length &&
    sentences[last]!.end - sentences[first]!.start <= characters;
  for (;;) {
    if (fits(from, to + 1)) to += 1;
    else if (fits(from - 1, to)) from -= 1;
    else return text.slice(sentences[from]!.start, sentences[to]!.end);
  }
}

describe('fitPassages', () => {
  it('keeps the sentences around the best that fit, wherever it is in a long text', () => {
    const sentence = fc.constantFrom(
      'Dr. A. Lee left the U.S. in May 1999.',
      'Who was it?',
      'It cost 3.5 million (cf. no. 5).',
      'a) Tin. b) Iron.',
      '“Stop!” she said.\n',
      'On 5. May it rained; 1. 4. 1902 was dry...',
      '\n\n',
    );
    fc.assert(
      fc.property(
        fc.array(sentence, { minLength: 20, maxLength: 400 }),
        fc.nat(399),
        fc.integer({ min: 250, max: 3000 }),
        (sentences, nth, characters) => {
          const text = sentences.map((each, at) => `${at}: ${each}`).join(' ');
          fc.pre(text.length > characters);
          const best = `${nth % sentences.length}: ${sentences[nth % sentences.length]!.trim()}`;
          const [cut] = fitPassages([{ id: 'a', text, sentence: best }], characters);
          assert.equal(cut!.text, cutAround(text, text.indexOf(best), characters));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('reads from the beginning where no sentence is known or the text has none of it', () => {
    const text = 'One is here. Two is there. '.repeat(40);
    for (const sentence of [undefined, 'Three is gone.'])
      assert.equal(
        fitPassages([{ id: 'a', text, ...(sentence ? { sentence } : {}) }], 210)[0]!.text,
        cutAround(text, 0, 210),
      );
  });

  it('gives what short passages leave to the longer ones', () => {
    const [short, long] = fitPassages(
      [
        { id: 'a', text: 'Short.' },
        { id: 'b', text: 'A sentence of thirty units.  '.repeat(100) },
      ],
      1000,
    );
    assert.equal(short!.text, 'Short.');
    assert.ok(long!.text.length > 950 && long!.text.length <= 994);
  });
});
