// Keyword set: words and temporal cues of a question, and the coverage of a text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { parseQuestion } from '../../../lib/time/index.js';
import {
  keywordSet,
  keywordCoverage,
  textWords,
} from '../../../lib/papers/reimplementation/keywordSet.js';

const analyzer = englishAnalyzer();
const analyze = (text: string): string[] => analyzer.analyze(text);
const of = (text: string) => keywordSet(parseQuestion({ text, askedAt: '2024-01-01' }), analyze);
const overlapOf = (keywords: ReturnType<typeof keywordSet>, text: string): number =>
  keywordCoverage(keywords, textWords(text, analyze));

describe('keyword set', () => {
  it("holds content words, years, months, relation words and the constraint's phrase", () => {
    assert.deepEqual(of('Who owned the mill between Nov 1918 and July 1919?'), {
      words: ['own', 'mill'],
      cues: ['between', 'novemb', '1918', 'juli', '1919'],
      phrases: ['between november 1918 and july 1919'],
    });
    assert.deepEqual(of('How many ships did the yard build in 2023?'), {
      words: ['ship', 'yard', 'build'],
      cues: ['2023'],
      phrases: ['in 2023'],
    });
  });

  it('has no cues without a time, and may be empty', () => {
    assert.deepEqual(of('Who keeps the lighthouse?'), {
      words: ['keep', 'lighthous'],
      cues: [],
      phrases: [],
    });
    assert.deepEqual(of('Who is it?'), { words: [], cues: [], phrases: [] });
    assert.equal(overlapOf(of('Who is it?'), 'It is he.'), 0);
  });

  it('finds a cue in any spelling of the month, and a phrase only word by word', () => {
    const keywords = of('Who owned the mill in November 1918?');
    assert.equal(overlapOf(keywords, 'The mill was owned by Ann Orr in Nov. 1918.'), 1);
    assert.equal(overlapOf(keywords, 'In spring and November, 1918, owning mills paid.'), 4 / 5);
    assert.equal(overlapOf(keywords, 'Nothing of it.'), 0);
  });

  it('lies between 0 and 1 and never falls when a text grows', () => {
    const word = fc.constantFrom(
      'mill',
      'owned',
      'in',
      'November',
      '1918',
      'Nov',
      'lamp',
      '.',
      'before',
    );
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
    const keywords = of('Who owned the mill in November 1918?');
    fc.assert(
      fc.property(text, text, (one, two) => {
        const share = overlapOf(keywords, one);
        assert.ok(share >= 0 && share <= 1);
        assert.ok(overlapOf(keywords, `${one} ; ${two}`) >= share);
      }),
    );
  });
});
