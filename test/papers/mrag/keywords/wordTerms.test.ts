// Terms of texts that contain a plain word: the word's own, or those of compounds with apostrophes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { englishAnalyzer } from '../../../../lib/text/analyzer.js';
import { answerTokens } from '../../../../lib/text/answerTokens.js';
import { mayContainWord, wordTerm } from '../../../../lib/papers/mrag/keywords/rankByKeywords.js';

const analyzer = englishAnalyzer();

describe('wordTerm and mayContainWord', () => {
  it('returns terms of plain words, none of stop words, numbers and single letters', () => {
    assert.equal(wordTerm(analyzer, 'relations'), 'relat');
    assert.equal(wordTerm(analyzer, 'état'), 'état');
    for (const word of ['the', '1a', '1998', 'x', 'Neil', 'e\u0301tat', 'нил', ''])
      assert.equal(wordTerm(analyzer, word), undefined, word);
  });

  it('recognises a name that an apostrophe joins to another word', () => {
    assert.ok(
      mayContainWord("o'neil", 'neil') &&
        mayContainWord("o'reilli", 'reilly') &&
        mayContainWord("rock'n'rol", 'rock'),
    );
    assert.ok(!mayContainWord("o'neil", 'ono') && !mayContainWord("d'orlean", 'orange'));
  });

  it('misses no word of a text', () => {
    const stem = fc.stringMatching(/^[a-zäéßıĳøžſ0-9]{0,5}$/);
    const ending = fc.constantFrom(
      '',
      '',
      's',
      'es',
      'ies',
      'ied',
      'ed',
      'ing',
      'y',
      'ation',
      'ational',
      'ator',
      'bility',
      'bly',
      'ency',
      'izer',
      'ization',
      'iveness',
      'fulness',
      'ousness',
      'ality',
      'ivity',
      'logy',
      'icate',
      'ative',
      'icity',
      'ical',
      'ness',
      'ement',
      'ance',
      'ly',
      'tting',
      'lled',
      'eed',
      'e',
      'll',
    );
    const inflected = fc.tuple(stem, ending).map((parts) => parts.join(''));
    const word = fc.oneof(
      { weight: 4, arbitrary: inflected },
      { weight: 1, arbitrary: fc.string({ maxLength: 3 }) },
    );
    const joint = fc.constantFrom(
      ' ',
      "'",
      '’',
      '＇',
      '.',
      ',',
      '-',
      "'s ",
      '. ',
      '1',
      '3.5',
      'é',
      '\u0301',
      '京',
      '\u212a',
    );
    const text = fc
      .array(fc.tuple(word, joint), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(text, fc.boolean(), fc.constantFrom('NFC', 'NFD'), (plain, raised, form) => {
        const text = (raised ? plain.toUpperCase() : plain).normalize(form);
        const terms = analyzer.analyze(text);
        for (const token of answerTokens(text)) {
          const own = wordTerm(analyzer, token.normalize('NFC'));
          if (own === undefined) continue;
          const joined = terms.some(
            (term) => term.includes("'") && mayContainWord(term, token.normalize('NFC')),
          );
          assert.ok(terms.includes(own) || joined, `${token} of ${text}: ${terms.join(' ')}`);
        }
      }),
      { numRuns: 4_000 },
    );
  });
});
