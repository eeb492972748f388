// The terms of a text that has a plain word: the word's own, or one that apostrophes join it to.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { englishAnalyser } from '../../lib/text/analyser.js';
import { answerTokens } from '../../lib/text/answerTokens.js';
import { mayBeJoined, termOfWord } from '../../lib/text/wordTerms.js';

const analyser = englishAnalyser();

describe('termOfWord and mayBeJoined', () => {
  it('knows words alone, and none of stop words, numbers and single letters', () => {
    assert.equal(termOfWord(analyser, 'relations'), 'relat');
    assert.equal(termOfWord(analyser, 'état'), 'état');
    for (const word of ['the', '1a', '1998', 'x', 'Neil', 'e\u0301tat', 'нил', ''])
      assert.equal(termOfWord(analyser, word), undefined, word);
  });

  it('tells a name that an apostrophe joins to another word', () => {
    assert.ok(
      mayBeJoined("o'neil", 'neil') &&
        mayBeJoined("o'reilli", 'reilly') &&
        mayBeJoined("rock'n'rol", 'rock'),
    );
    assert.ok(!mayBeJoined("o'neil", 'ono') && !mayBeJoined("d'orlean", 'orange'));
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
        const terms = analyser.analyse(text);
        for (const token of answerTokens(text)) {
          const own = termOfWord(analyser, token.normalize('NFC'));
          if (own === undefined) continue;
          const joined = terms.some(
            (term) => term.includes("'") && mayBeJoined(term, token.normalize('NFC')),
          );
          assert.ok(terms.includes(own) || joined, `${token} of ${text}: ${terms.join(' ')}`);
        }
      }),
      { numRuns: 20_000 },
    );
  });
});
