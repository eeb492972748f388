// Words of a question that are no common ones of English, and slips that are none of these.
import assert from 'node:assert/strict';
import { uncommonWords } from '../../../lib/facts/question/uncommonWords.js';
import { CacheRegistry } from '../../../lib/runtime/cacheRegistry.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';
import { tokenEncoder } from '../../../lib/vectors/staticEncoder.js';
import { wordVectors } from '../../../lib/vectors/wordVectors.js';

describe('uncommon words', () => {
  let isUncommon: (low: string) => boolean;
  before(async () => {
    const { analyze } = englishAnalyzer();
    const held = ['nokogiri', 'zephyrlink', 'changelog', 'upload', 'bash'].flatMap(analyze);
    const ofWords = uncommonWords({
      encoder: await tokenEncoder(),
      common: await wordVectors(new CacheRegistry<unknown>(undefined)),
      has: (term) => held.includes(term),
      terms: () => held,
    });
    isUncommon = (low) => ofWords(low, analyze(low)[0] ?? '');
  });
  const assertEach = (words: string, expected: boolean): void => {
    for (const word of words.split(' ')) assert.equal(isUncommon(word), expected, word);
  };

  it('are words of candidates that English does not have', () => {
    assertEach('nokogiri zephyrlink', true);
    assertEach('bash upload bookkeeper bereavement from without which', false);
  });

  it('are words that nobody has, but for slips', () => {
    assertEach('quuxpress bramblecast galatasaray oxbowdb', true);
    // Of candidates, of common words and of words of grammar.
    assertEach('nokogri zephirlnk happned begining bewteen wihch', false);
  });

  it('are told of any length, without its neighbours', () => {
    assertEach(`${'xq'.repeat(50_000)} ${'x'.repeat(33)}`, true);
  });
});
