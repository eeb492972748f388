// Words as they are written: compounds, values and capitals, with offsets that slice back to the
// word.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  unitsOf,
  isWithin,
  joinsName,
  wordsOf,
  writtenSpans,
  type PlacedWord,
} from '../../../lib/facts/series/words.js';
import { englishAnalyzer } from '../../../lib/text/analyzer.js';

const analyzer = englishAnalyzer();

const read = (text: string, isTerm?: (compound: string) => boolean): PlacedWord[] =>
  wordsOf(text, analyzer, isTerm);
const terms = (text: string, isTerm?: (compound: string) => boolean): string[] =>
  read(text, isTerm).map(({ term }) => term);
/** The words that have a property, as they are written. */
const which = (text: string, property: 'capital' | 'opens' | 'value'): string[] =>
  read(text).flatMap((each) => (each[property] ? [text.slice(each.start, each.end)] : []));

describe('writtenSpans', () => {
  const pattern = /[\p{L}\p{N}$#@−](?:[\p{L}\p{N}_.'’+−:/-]|(?<=\p{N}),(?=\p{N}{3}))*/gu;

  it('finds what the pattern of written words does, whatever the text', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'É',
        'n̈',
        '7',
        '٣',
        '½',
        '漢',
        '𝒳',
        '𝟗',
        '\ud835',
        '\udcb3',
        '$',
        '#',
        '@',
        '−',
        '_',
      ],
      ...['.', "'", '’', '+', ':', '/', '-', ',', '1,234', '1,23', ' ', '\n', '–', '(', '😀'],
    );
    const texts = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const spans = new Int32Array(2 * text.length);
        const count = writtenSpans(text, unitsOf(text), spans);
        assert.deepEqual(
          Array.from({ length: count }, (_, nth) => text.slice(spans[2 * nth], spans[2 * nth + 1])),
          [...text.matchAll(pattern)].map(([written]) => written),
        );
      }),
      { numRuns: 1000 },
    );
  });
});

describe('wordsOf', () => {
  it('gives index terms, and none for stop words', () => {
    assert.deepEqual(terms('The mills of Tannau were closing'), [
      '',
      'mill',
      '',
      'tannau',
      'were',
      'close',
    ]);
  });

  it('reads the stage of a pre-release as a word of its own', () => {
    assert.deepEqual(terms('tagged 12.0.0-beta.16 and v2.1rc1'), [
      'tag',
      '12.0.0-beta.16',
      'beta',
      '',
      '2.1rc1',
      'rc',
    ]);
    const [, version, stage] = read('tagged 12.0.0-beta.16');
    assert.deepEqual([version!.value, stage!.value], [true, false]);
    assert.deepEqual([stage!.start, stage!.end], [14, 18]);
    // Units and ordinals are no stages.
    assert.deepEqual(terms('3rd of 10km at 2.5'), ['3rd', '', '10km', '', '2.5']);
  });

  it('reads the version of a package after its name', () => {
    assert.deepEqual(terms('depd@0.4.5 and send@~1.2'), ['depd', '0.4.5', '', 'send', '', '1.2']);
    assert.deepEqual(which('depd@0.4.5', 'value'), ['@0.4.5']);
  });

  it('reads a compound as one term, or as its parts where the corpus lacks it', () => {
    const text = 'Node.js and mime-db use @scope/pkg.';
    assert.deepEqual(terms(text), ['node.js', '', 'mime-db', 'us', '@scope/pkg']);
    const known = new Set(['mime-db']);
    assert.deepEqual(
      terms(text, (compound) => known.has(compound)),
      ['node', 'js', '', 'mime-db', 'us', 'scope', 'pkg'],
    );
    assert.deepEqual(
      read('a mime-db', () => false).map(({ low, start, end }) => [low, start, end]),
      [
        ['a', 0, 1],
        ['mime', 2, 6],
        ['db', 7, 9],
      ],
    );
  });

  it('reads versions and amounts as values, with one term for one value', () => {
    const values: [string, string][] = [
      ['version v1.2 is out', '1.2'],
      ['version 1.2 is out', '1.2'],
      ['release 1.2.3-rc.1 is out', '1.2.3-rc.1'],
      ['engine V8.1 is out', '8.1'],
      ['issue #42 is open', '42'],
      ['it costs $90 more', '90'],
      ['it ended 3-1 there', '3-1'],
      ['it fell to −3 degrees', '−3'],
    ];
    for (const [text, term] of values) {
      const found = read(text).filter(({ value }) => value);
      assert.deepEqual(
        found.map((each) => each.term),
        [term],
        text,
      );
    }
    assert.deepEqual(which('The V8 engine, x86 and B2 run v8', 'value'), ['v8']);
  });

  it('reads an amount with commas as one value', () => {
    assert.deepEqual(terms('it costs $1,234 today').slice(2, 3), ['1234']);
    assert.deepEqual(terms('of 2,000,000 people').slice(1, 2), ['2000000']);
    assert.deepEqual(terms('of 1,234.5 tons').slice(1, 2), ['1234.5']);
    assert.deepEqual(terms('in 3, 4 and 5').slice(1), ['3', '4', '', '5']);
  });

  it('leaves out punctuation and possessives', () => {
    const text = "Hoover's dam, the Rowes' (or ‘Holm’s’): No. 5…";
    assert.deepEqual(
      read(text).map(({ low }) => low),
      ['hoover', 'dam', 'the', 'rowes', 'or', 'holm', 'no', '5'],
    );
  });

  it('knows capitals, at the first letter or inside', () => {
    assert.deepEqual(which('the Fed of iOS, eBay, mime-db, x_y and rust', 'capital'), [
      'Fed',
      'iOS',
      'eBay',
      'mime-db',
      'x_y',
    ]);
  });

  it('marks the first word, whatever stands before it', () => {
    assert.deepEqual(which('The rate. Then', 'opens'), ['The']);
    assert.deepEqual(which('“(?) The rate', 'opens'), ['The']);
  });

  it('has offsets that slice back to the word, in order, whatever the text', () => {
    const piece = fc.constantFrom(
      ...["Ida's", 'mime-db', 'v1.2', '$1,234', '−3', 'U.S.', '“Yes.”', 'in May 2019', 'Grell'],
      ...[
        '2020',
        '(x_y)',
        '@a/b',
        '. ',
        '—',
        'naïve',
        'mid-2019',
        'FY2020',
        '漢字',
        '𝒳',
        "''",
        '5%',
        '\n',
        '3:1',
      ],
    );
    const texts = fc.oneof(
      fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join(' ')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isTerm) => {
        const words = read(text, () => isTerm);
        let last = 0;
        for (const { low, start, end, value, term } of words) {
          assert.ok(start >= last && end > start);
          last = end;
          assert.equal(text.slice(start, end).toLowerCase(), low);
          if (value) assert.match(term, /\p{N}/u);
        }
        assert.ok(words.every(({ opens }, at) => opens === (at === 0) || !isTerm));
      }),
      { numRuns: 300 },
    );
  });
});

describe('isWithin', () => {
  it('finds a version within the one that is asked for, by whole parts', () => {
    for (const value of ['15', '15.3', '15.3.0', '15-rc1', '15_2'])
      assert.ok(isWithin(value, '15'));
    for (const value of ['150', '1', '1.15', '15a', '']) assert.ok(!isWithin(value, '15'), value);
  });
});

describe('joinsName', () => {
  it('joins a name over blanks, brackets and small words of names', () => {
    for (const between of [' ', '', ' of ', ' of the ', ' de la ', ' & ', ' (', "'s "])
      assert.ok(joinsName(between), between);
    for (const between of [', ', ' in ', '. ', ' offers ', ' – ', ' of which '])
      assert.ok(!joinsName(between), between);
  });
});
