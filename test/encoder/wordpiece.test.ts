// The tokenizer agrees with @huggingface/tokenizers on strings made to be awkward and on random
// Unicode; wordpiece.slow.ts has real passages and every character.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addon } from '../addon.js';
import { agreement, sameUnicode } from './agreement.js';

describe('encoder: wordpiece', () => {
  let agree: (text: string) => void;
  let handle: Awaited<ReturnType<typeof agreement>>['handle'];
  before(async () => ({ agree, handle } = await agreement()));

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
    awkward.forEach((text) => agree(text));
  });

  it('agrees on random strings of any UTF-16 units', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 80 }), (text) => agree(text)),
    );
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
      { numRuns: 800 },
    );
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: sameUnicode ? 0xffff : 0x17f }), { maxLength: 40 }),
        (codes) => agree(String.fromCharCode(...codes)),
      ),
      { numRuns: 400 },
    );
  });

  it('agrees on sigmas among letters, marks and signs', () => {
    const unit = fc.constantFrom(..."ΣΣσςΑaA0 .':-\u0301\u0345\u00ad\u02b0中", '\u{1d400}');
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (parts) => agree(parts.join(''))),
      { numRuns: 600 },
    );
  });

  it('takes a megabyte of marks without sorting them for ever', () => {
    assert.equal(addon.tokenizeText(handle, `a${'\u302e\u1b44'.repeat(500_000)}`).length, 1);
  });
});
