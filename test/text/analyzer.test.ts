// The English analyzer on words of every kind, and on malformed text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { stemmer } from 'stemmer';
import { englishAnalyzer } from '../../lib/text/analyzer.js';
import { addon } from '../addon.js';
import { sameUnicode } from '../encoder/agreement.js';
import { assertEach } from '../assertEach.js';

const analyzer = englishAnalyzer();
/** Lucene's English stop words. */
const stopWords =
  'a an and are as at be but by for if in into is it no not of on or such ' +
  'that the their then there these they this to was will with';

const anyText = fc.string({ unit: 'binary' });
const text = fc.string({
  unit: fc.constantFrom('a', "'", '.', ',', '1', ' ', 's', '\ud800', 'É', '京'),
});

describe('the English analyzer', () => {
  const cases: [string, string[]][] = [
    [
      'Who was the UK prime minister as of 6 May 2021?',
      ['who', 'uk', 'prime', 'minist', '6', 'mai', '2021'],
    ],
    ['1998-2002, 1998–2002 and 1998/2002', ['1998', '2002', '1998', '2002', '1998', '2002']],
    ['the 1990s', ['1990']],
    ["Women's, Women’s and the women", ['women', 'women', 'women']],
    ["O'Neil isn't 'quoted'", ["o'neil", "isn't", 'quot']],
    [
      '1,234,567 cases; 1234567 cases; 3.5 percent',
      ['1234567', 'case', '1234567', 'case', '3.5', 'percent'],
    ],
    ['in 1998,2002 and 1,2 and 12,3456', ['1998', '2002', '1', '2', '12', '3456']],
    ['6.5.2021 10.000.000', ['6', '5', '2021', '10', '000', '000']],
    ['the U.S. Open, US, U.S.A.', ['us', 'open', 'us', 'usa']],
    ['end.Start e.g. a.m.', ['end', 'start', 'eg', 'am']],
    ['6-4 7-6(5) 6-3', ['6', '4', '7', '6', '5', '6', '3']],
    ['Zürich ZÜRICH Zu\u0308rich', ['zürich', 'zürich', 'zürich']],
    ['東京2021 ひら カタカナ 한국어', ['東', '京', '2021', 'ひ', 'ら', 'カタカナ', '한국어']],
    ['𠮷野 𝒳𝒴 a😀b', ['𠮷', '野', '𝒳𝒴', 'b']],
    ['lone \ud800 and \udc00x surrogates', ['lone', 'x', 'surrog']],
    ['', []],
    ['  ?!  ', []],
    [stopWords, []],
  ];
  for (const [text, terms] of cases) {
    it(JSON.stringify(text).slice(0, 60), () => assert.deepEqual(analyzer.analyze(text), terms));
  }

  it('has a versioned id', () => assert.equal(analyzer.id, 'english-porter-1'));

  it('splits words longer than 255 units, never inside a character', () => {
    assertEach(analyzer.analyze('7'.repeat(600)), (term) => term.length, [255, 255, 90]);
    assertEach(analyzer.analyze(`7${'𝒳'.repeat(200)}`), (term) => term.length, [255, 146]);
  });

  it('has terms of every text that stand for its words alone', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, text), (each) => {
        const terms = analyzer.analyze(each);
        assert.deepEqual(analyzer.analyze(`${each} ${each}`), [...terms, ...terms]);
        assert.deepEqual(analyzer.analyze(each.normalize('NFD')), terms);
        for (const term of terms)
          assert.ok(term.length > 0 && term.length <= 255 && !/\p{Cs}/u.test(term));
      }),
      { numRuns: 500 },
    );
  });
});

describe('the stemmer', () => {
  // What each step of Porter's paper says, by words of these endings.
  const steps: Record<string, string> = {
    ...{ kisses: 'kiss', parties: 'parti', kiss: 'kiss', bells: 'bell', gas: 'ga' },
    ...{
      freed: 'freed',
      agreed: 'agre',
      walked: 'walk',
      shed: 'shed',
      walking: 'walk',
      king: 'king',
    },
    ...{ created: 'creat', doubled: 'doubl', sized: 'size', planned: 'plan', rolled: 'roll' },
    ...{ passing: 'pass', buzzing: 'buzz', making: 'make', boxing: 'box', saying: 'sai' },
    ...{ sunny: 'sunni', spy: 'spy', yes: 'ye', yyy: 'yyi' },
    ...{ national: 'nation', rational: 'ration', organizer: 'organ', notably: 'notabl' },
    ...{ biology: 'biologi', geologies: 'geologi', hopefulness: 'hope', nervousness: 'nervous' },
    ...{ triplicate: 'triplic', formalize: 'formal', electrical: 'electr', goodness: 'good' },
    ...{ revival: 'reviv', allowance: 'allow', adoption: 'adopt', opinion: 'opinion' },
    ...{ replacement: 'replac', adjustment: 'adjust', cement: 'cement', activate: 'activ' },
    ...{
      debate: 'debat',
      rate: 'rate',
      cease: 'ceas',
      controll: 'control',
      roll: 'roll',
      ox: 'ox',
    },
  };
  for (const [word, stem] of Object.entries(steps))
    it(`makes ${word} ${stem}`, () => assert.equal(addon.stemOf(word), stem));

  it('agrees with another one on words of any letters and endings', () => {
    const endings = (
      'ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness ' +
      'fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ' +
      'ence er ic able ible ant ement ment ent ion sion ou ism ate iti ous ive ize ed ing eed ' +
      'ies sses s y e ll'
    ).split(' ');
    const letters = fc.string({ unit: fc.constantFrom(..."aeiouybcdlstwxz'1é"), maxLength: 7 });
    const ending = fc.array(fc.constantFrom(...endings), { maxLength: 3 });
    fc.assert(
      fc.property(letters, ending, (start, ends) => {
        const word = start + ends.join('');
        const isStopWord = stopWords.split(' ').includes(word);
        assert.equal(addon.stemOf(word), isStopWord ? '' : stemmer(word));
      }),
      { numRuns: 20_000 },
    );
  });
});

describe('forms of Unicode', () => {
  const agree = (text: string): void => {
    assert.equal(addon.composed(text), text.normalize('NFC'), JSON.stringify(text));
    assert.equal(addon.lowerCase(text), text.toLowerCase(), JSON.stringify(text));
    assert.ok(!addon.isComposed(text) || text.normalize('NFC') === text, JSON.stringify(text));
  };

  it('are those of JavaScript, of every character', function () {
    if (!sameUnicode) this.skip();
    for (let from = 0; from < 0x110000; from += 64)
      agree(Array.from({ length: 64 }, (_, nth) => String.fromCodePoint(from + nth)).join(' a'));
    assert.ok(addon.isComposed('Zürich, 6–4: “Ω京한”'));
  });

  it('are those of JavaScript, of letters and marks in any order', function () {
    if (!sameUnicode) this.skip();
    const letter = 'aAΣσİßéΐᾳǄ\u212b\u2126\u1fbb한한하क\u093cक़ﬁ\ud800\udc00𝒳𠮷.\u00ad ';
    const mark = '\u0301\u0302\u0307\u0308\u0323\u0327\u0344\u0345\u05b0\u0f73\u3099\u{1d165}';
    const unit = fc.constantFrom(...letter, ...mark);
    fc.assert(fc.property(fc.oneof(anyText, fc.string({ unit })), agree), { numRuns: 2000 });
  });
});
