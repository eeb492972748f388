// The English analyzer on words of every kind, and on malformed text.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { englishAnalyzer, englishStopWords } from '../../lib/text/analyzer.js';
import { TermRows } from '../../lib/text/termRows.js';

const analyzer = englishAnalyzer();

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
    [[...englishStopWords].join(' '), []],
  ];
  for (const [text, terms] of cases) {
    it(JSON.stringify(text).slice(0, 60), () => assert.deepEqual(analyzer.analyze(text), terms));
  }

  it('has thirty-three stop words and a versioned id', () => {
    assert.equal(englishStopWords.size, 33);
    assert.equal(analyzer.id, 'english-porter-1');
  });

  it('stems a word of letters as it does a text of this word', () => {
    const word = fc.stringMatching(/^[a-z]{1,12}(?:s|ed|ing|ational|iveness)?$/);
    fc.assert(
      fc.property(fc.oneof(word, fc.constantFrom(...englishStopWords)), (text) => {
        assert.equal(analyzer.stem(text), analyzer.analyze(text)[0] ?? '');
      }),
    );
  });

  it('splits words longer than 255 units, never inside a character', () => {
    assert.deepEqual(
      analyzer.analyze('7'.repeat(600)).map((term) => term.length),
      [255, 255, 90],
    );
    assert.deepEqual(
      analyzer.analyze(`7${'𝒳'.repeat(200)}`).map((term) => term.length),
      [255, 146],
    );
  });

  it('returns the same terms with any cache size, for any text', () => {
    const forgetful = englishAnalyzer(2);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({
            unit: fc.constantFrom('a', "'", '.', ',', '1', ' ', 's', '\ud800', 'É', '京'),
          }),
        ),
        (text) => {
          const terms = analyzer.analyze(text);
          assert.deepEqual(forgetful.analyze(text), terms);
          assert.deepEqual(analyzer.analyze(`${text} ${text}`), [...terms, ...terms]);
          for (const term of terms)
            assert.ok(term.length > 0 && term.length <= 255 && !/\p{Cs}/u.test(term));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('term rows', () => {
  it('pack all rows, empty ones included', () => {
    const rows = new TermRows();
    rows.add(['b', 'é', 'b']);
    rows.add([]);
    rows.add(['a', 'b']);
    const packed = rows.pack();
    assert.equal(rows.length, 3);
    assert.equal(new TextDecoder().decode(packed.termBytes), 'béa');
    assert.deepEqual([...packed.termOffsets], [0, 1, 3, 4]);
    assert.deepEqual([...packed.rowOffsets], [0, 3, 3, 5]);
    assert.deepEqual([...packed.rowTerms], [0, 1, 0, 2, 0]);
    const again = new TermRows();
    const [one, other] = [['b', 'é', 'b'], ['a']];
    for (const lists of [[one, other], [one], [other], [[...one]]]) {
      for (const list of lists) again.push(list);
      again.end();
    }
    assert.deepEqual([...again.pack().rowOffsets], [0, 4, 7, 8, 11]);
    assert.deepEqual([...again.pack().rowTerms], [0, 1, 0, 2, 0, 1, 0, 2, 0, 1, 0]);
    const many = new TermRows();
    for (let i = 0; i < 5000; i++) many.add([`t${i}`, 't0']);
    assert.equal(many.pack().rowOffsets[5000], 10_000);
  });
});
