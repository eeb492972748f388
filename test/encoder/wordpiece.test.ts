// The tokenizer agrees with @huggingface/tokenizers: on real passages, on strings made to be
// awkward, on random Unicode.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Tokenizer } from '@huggingface/tokenizers';
import fc from 'fast-check';
import { binding } from '../../lib/binding.js';
import { addon } from '../addon.js';
import { readStaticModel, tokenizerConfig } from '../oracle/staticModel.js';

const path = fileURLToPath(new URL('../../models/default-encoder.bin', import.meta.url));
const data = fileURLToPath(new URL('../../../shared/data/', import.meta.url));

/**
 * The Unicode version the generated table was made with; where Node has another, newly assigned
 * characters may differ.
 */
const tableUnicode = /Unicode (\S+)\. Not/.exec(
  readFileSync(new URL('../../native/encoder/unicode_table.inc', import.meta.url), 'utf8'),
)![1];
const sameUnicode = process.versions.unicode === tableUnicode;

describe('encoder: wordpiece', () => {
  let handle: Awaited<ReturnType<typeof binding.openStaticEncoder>>;
  const reference = new Tokenizer(tokenizerConfig(readStaticModel(path)), {});
  const agree = (text: string): void => {
    const expected = reference.encode(text, { add_special_tokens: false }).ids;
    assert.deepEqual(
      [...addon.tokenizeText(handle, text)],
      expected,
      JSON.stringify(text).slice(0, 300),
    );
  };
  before(async () => {
    handle = await binding.openStaticEncoder(path);
  });

  it('agrees on strings that are awkward to cut', () => {
    const awkward = [
      '',
      ' ',
      '\t\n\r',
      'a',
      "don't",
      'U.S.A.',
      'Zürich naïve café Ångström',
      'ΟΔΟΣ ΟΔΟΣ. ΟΔΥΣΣΕΥΣ Σ ΑΣ\u0301 ΑΣ\u00adΑ Α.Σ Σ',
      'İstanbul ISPARTA ıİ',
      'ﬁ ﬂ ﬀ',
      '東京都は日本の首都',
      '豈更車',
      '𠀀𠀁a𠀂',
      '한국어 각힣',
      '\u1112\u1161\u11ab',
      'न\u094dना क\u093c',
      'ไทย ภาษา',
      'שָׁלוֹם',
      'مُحَمَّد',
      '😀👨‍👩‍👧 ok👍🏽',
      '\ud800',
      'a\udc00b',
      '\udc00\ud800',
      'a\u0000b\u0007c\ufffdd',
      'a\u00a0b\u2003c\u3000d\u2028e\ufefff',
      'x\u0301\u0323y',
      '\u{1d15f}\u{1d165}\u{1d16d}\u0323',
      '\u302e\u1b44a\u302e\u0301\u1b44',
      'x'.repeat(100),
      'x'.repeat(101),
      '\u0301'.repeat(5),
      `a${'\u302e\u1b44'.repeat(80)}`,
      '[SEP] [unused1] ##ing #',
      '$5.00+3<4=`~^|',
      '‘quoted’ “so” – … ¿¡',
      '\u037e\u0387\u1fef',
      '1999–2001, 12:30',
      'ͅΑΣͅ',
      'ǅ ǲ ᾼ ẞ',
      '\u{10400}\u{1e900}',
      '\u{e0001}\u{f0000}x',
      '½ ² ① ㍿',
    ];
    awkward.forEach(agree);
  });

  it('agrees on 4,000 real passages', function () {
    this.timeout(60_000);
    const files = [
      'timeqa_human/corpus.jsonl',
      'cranfield/corpus.jsonl',
      'nobel_tsrag/corpus.jsonl',
      'hoh_600/corpus.jsonl',
    ].map((file) => data + file);
    if (!files.every((file) => existsSync(file))) {
      console.log('      skipped: ../shared/data is absent');
      return this.skip();
    }
    const texts = files
      .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
      .map((line) => JSON.parse(line) as { text: string; title?: string });
    const step = Math.max(1, Math.floor(texts.length / 4000));
    const chosen = texts.filter((_, i) => i % step === 0);
    assert.ok(chosen.length >= 4000, `${chosen.length} passages`);
    for (const { title, text } of chosen) agree(`${title ?? ''}. ${text}`);
  });

  it('agrees on random strings of any UTF-16 units', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary-ascii', maxLength: 80 }), agree), {
      numRuns: 500,
    });
    const blocks: [number, number][] = [
      [0x20, 0x7e],
      [0xa0, 0x24f],
      [0x300, 0x36f],
      [0x370, 0x3ff],
      [0x400, 0x4ff],
      [0x590, 0x5f4],
      [0x600, 0x6ff],
      [0x900, 0x97f],
      [0xe00, 0xe7f],
      [0x1100, 0x11ff],
      [0x1e00, 0x1fff],
      [0x2000, 0x206f],
      [0x3040, 0x30ff],
      [0x4e00, 0x4e80],
      [0xac00, 0xac80],
      [0xd7a0, 0xdfff],
      [0xe000, 0xe010],
      [0xf900, 0xfaff],
      [0xfe00, 0xfe0f],
      [0xfff0, 0xffff],
      [0x1d15e, 0x1d172],
      [0x1f600, 0x1f64f],
      [0x20000, 0x20010],
      [0x302a, 0x302f],
      [0x1b40, 0x1b4b],
    ];
    const unit = fc.oneof(
      ...blocks.map(([low, high]) => fc.integer({ min: low, max: high })),
      ...(sameUnicode ? [fc.integer({ min: 0, max: 0x10ffff })] : []),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (codes) =>
        agree(String.fromCodePoint(...codes)),
      ),
      { numRuns: 4000 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: sameUnicode ? 0xffff : 0x17f }), { maxLength: 40 }),
        (codes) => agree(String.fromCharCode(...codes)),
      ),
      { numRuns: 2000 },
    );
  });

  it('agrees on sigmas among letters, marks and signs', () => {
    const unit = fc.constantFrom(..."ΣΣσςΑaA0 .':-\u0301\u0345\u00ad\u02b0中", '\u{1d400}');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (parts) => agree(parts.join(''))),
      { numRuns: 3000 },
    );
  });

  it('agrees on every assigned character by itself and after a letter', function () {
    if (!sameUnicode) {
      console.log(
        `      skipped: the table has Unicode ${tableUnicode}, this Node ${process.versions.unicode}`,
      );
      return this.skip();
    }
    for (let from = 0; from < 0x110000; from += 64) {
      const each = Array.from({ length: 64 }, (_, i) => String.fromCodePoint(from + i));
      agree(each.map((character) => `${character} a${character}`).join(' '));
      // beyond lie ideographs and nothing, but for tags and private use
      if (from === 0x1ffc0) from = 0xe0000 - 64;
    }
  });

  it('takes a megabyte of marks without sorting them for ever', () => {
    assert.equal(addon.tokenizeText(handle, `a${'\u302e\u1b44'.repeat(500_000)}`).length, 1);
  });
});
