// Words as they are written: compounds, values and capitals, with offsets that slice back to the
// word.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { wordsOf as read } from '../../lib/statements/words.js';
import { addon } from '../addon.js';
import { assertEach } from '../assertEach.js';

const terms = (text: string, isTerm?: (compound: string) => boolean): string[] =>
  read(text, isTerm).map(({ term }) => term);
/** The words that have a property, as they are written. */
const which = (text: string, property: 'capital' | 'opens' | 'value'): string[] =>
  read(text).flatMap((each) => (each[property] ? [text.slice(each.start, each.end)] : []));

describe('writtenWords', () => {
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
        const spans = addon.writtenWords(text);
        assert.deepEqual(
          Array.from({ length: spans.length / 2 }, (_, nth) =>
            text.slice(spans[2 * nth], spans[2 * nth + 1]),
          ),
          [...text.matchAll(pattern)].map(([written]) => written),
        );
      }),
      { numRuns: 300 },
    );
  });
});

describe('wordsOf', () => {
  it('gives index terms, none for stop words, of compounds, stages, amounts and packages', () => {
    for (const [text, ...expected] of [
      ['The mills of Tannau were closing', '', 'mill', '', 'tannau', 'were', 'close'],
      ['tagged 12.0.0-beta.16 and v2.1rc1', 'tag', '12.0.0-beta.16', 'beta', '', '2.1rc1', 'rc'],
      ['3rd of 10km at 2.5', '3rd', '', '10km', '', '2.5'],
      ['depd@0.4.5 and send@~1.2', 'depd', '0.4.5', '', 'send', '', '1.2'],
      ['Node.js and mime-db use @scope/pkg.', 'node.js', '', 'mime-db', 'us', '@scope/pkg'],
      ['$1,234 of 2,000,000 or 3, 4', '1234', '', '2000000', '', '3', '4'],
      ["Hoover's dam (or ‘Holm’s’): No. 5…", 'hoover', 'dam', '', 'holm', '', '5'],
    ] as const)
      assert.deepEqual(terms(text), expected, text);
    const parts = terms('Node.js and mime-db', (compound) => compound === 'mime-db');
    assert.deepEqual(parts, ['node', 'js', '', 'mime-db']);
    assert.deepEqual(which('depd@0.4.5', 'value'), ['@0.4.5']);
    const capitals = ['Fed', 'iOS', 'eBay', 'mime-db', 'x_y'];
    assert.deepEqual(which('the Fed of iOS, eBay, mime-db, x_y and rust', 'capital'), capitals);
    assert.deepEqual(which('“(?) The rate. Then', 'opens'), ['The']);
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
      assertEach(found, (each) => each.term, [term], text);
    }
    assert.deepEqual(which('The V8 engine, x86 and B2 run v8', 'value'), ['v8']);
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
