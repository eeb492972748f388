// Writes native/text/unicode_table.inc: what tokenizer and analyzer must know of each code point,
// taken from this Node's own Unicode data. Run by hand when Unicode grows (node
// scripts/make-unicode-table.cjs); the build only reads its output. It keeps no property that they
// do not use.
'use strict';
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');

const last = 0x10ffff;
const inRange = (cp, low, high) => cp >= low && cp <= high;
/**
 * The bits of unicode.hpp. Ideographs beyond the BMP get no spaces, as in @huggingface/tokenizers.
 */
function flags(cp) {
  const text = String.fromCodePoint(cp);
  const has = (pattern) => pattern.test(text);
  const kept = cp === 9 || cp === 10 || cp === 13;
  const removed = cp === 0 || cp === 0xfffd || (!kept && has(/^[\p{Cc}\p{Cf}\p{Co}\p{Cs}]$/u));
  const asciiSymbol =
    inRange(cp, 0x21, 0x2f) ||
    inRange(cp, 0x3a, 0x40) ||
    inRange(cp, 0x5b, 0x60) ||
    inRange(cp, 0x7b, 0x7e);
  const ideograph =
    inRange(cp, 0x4e00, 0x9fff) || inRange(cp, 0x3400, 0x4dbf) || inRange(cp, 0xf900, 0xfaff);
  return (
    (removed ? 1 : 0) |
    (!removed && has(/^\s$/u) ? 2 : 0) |
    (asciiSymbol || has(/^\p{P}$/u) ? 4 : 0) |
    (has(/^\p{Mn}$/u) ? 8 : 0) |
    (has(/^\p{M}$/u) ? 16 : 0) |
    (has(/^\p{Cased}$/u) ? 32 : 0) |
    (has(/^\p{Case_Ignorable}$/u) ? 64 : 0) |
    (ideograph ? 128 : 0) |
    (has(/^\p{L}$/u) ? 256 : 0) |
    (has(/^\p{N}$/u) ? 512 : 0) |
    (has(/^\p{Lu}$/u) ? 1024 : 0) |
    (has(/^[\p{Script=Han}\p{Script=Hiragana}]$/u) ? 2048 : 0) |
    (has(/^\p{Ll}$/u) ? 8192 : 0) |
    (has(/^\p{Sc}$/u) ? 16384 : 0) |
    (has(/^[\p{Z}\p{C}]$/u) ? 32768 : 0)
  );
}

/**
 * A combining class other than 0: such a mark moves before U+0345, whose class (240) is the
 * greatest.
 */
function combining(text) {
  return (
    text === '\u0345' || `a\u0345${text}`.normalize('NFD').startsWith(`a${text.normalize('NFD')}`)
  );
}

const surrogate = (cp) => inRange(cp, 0xd800, 0xdfff);
const hangul = (cp) => inRange(cp, 0xac00, 0xd7a3);
const codes = (text) => [...text].map((each) => each.codePointAt(0));
const of = []; // by code point, as in unicode.hpp
const mappings = [];
const places = new Map(); // of mappings
const marks = []; // combining ones that canonical decomposition leaves
const compositions = [];
function mapping(mapped, text) {
  if (mapped === text) return [0, 0];
  if (!places.has(mapped)) {
    places.set(mapped, mappings.length);
    mappings.push(...codes(mapped));
  }
  return [codes(mapped).length, places.get(mapped)];
}
for (let cp = 0; cp <= last; cp += 1) {
  of.push([surrogate(cp) ? 1 | 32768 : flags(cp), 0, 0, 0, 0, 0, 0]);
  // Hangul syllables are taken apart by arithmetic
  if (surrogate(cp) || hangul(cp)) continue;
  const text = String.fromCodePoint(cp);
  const lower = text.toLowerCase();
  const parts = text.normalize('NFD');
  of[cp].splice(2, 5, ...mapping(lower.normalize('NFD'), text), ...mapping(parts, text), 0);
  // Of the dotted capital I, which becomes two characters, the analyzer knows.
  if (lower !== text && cp !== 0x130) of[cp][6] = lower.codePointAt(0);
  if (parts === text && combining(text)) marks.push(cp);
  if (parts === text || text.normalize('NFC') !== text) continue;
  const first = [...parts].slice(0, -1).join('').normalize('NFC');
  compositions.push([...codes(first), codes(parts).at(-1), cp]);
}
const before = (a, b) => {
  const [x, y] = [String.fromCodePoint(a), String.fromCodePoint(b)];
  return `a${y}${x}`.normalize('NFD') !== `a${y}${x}`;
};
const earlier = marks.map((cp) => marks.filter((other) => before(other, cp)).length);
const classes = [...new Set(earlier)].sort((one, other) => one - other);
for (const [nth, cp] of marks.entries()) of[cp][1] = 1 + classes.indexOf(earlier[nth]);
// What may differ in NFC: what it replaces, and what it may join to a character before.
const unstable = (cp) => {
  const text = String.fromCodePoint(cp);
  return text.normalize('NFC') !== text || of[cp][1] > 0;
};
for (let cp = 0; cp <= last; cp += 1) if (!surrogate(cp) && unstable(cp)) of[cp][0] |= 4096;
for (const [, second] of compositions) of[second][0] |= 4096;
for (let cp = 0x1161; cp <= 0x11c2; cp += 1) if (cp <= 0x1175 || cp >= 0x11a8) of[cp][0] |= 4096;
compositions.sort(([a, b], [c, d]) => a - c || b - d);

/** Numbers of items in order of their first appearance. */
function numbered() {
  const numbers = new Map();
  const number = (item) => numbers.get(item) ?? numbers.set(item, numbers.size).size - 1;
  return { number, items: () => [...numbers.keys()] };
}
const entries = numbered();
const pages = numbered();
const stage = Array.from({ length: (last + 1) / 128 }, (_, page) =>
  pages.number(
    of
      .slice(128 * page, 128 * (page + 1))
      .map((each) => entries.number(each.join()))
      .join(),
  ),
);

function lines(items) {
  const out = [''];
  for (const item of items) {
    if (out[out.length - 1].length + item.length > 130) out.push('');
    out[out.length - 1] += `${item},`;
  }
  return out.join('\n');
}
const braced = (item) => `{${item}}`;
const hex = (cp) => `0x${cp.toString(16)}`;
const text = `// Generated by scripts/make-unicode-table.cjs from Unicode ${process.versions.unicode}. Not edited by hand.
// by page of 128 code points
const std::uint16_t stage[] = {
${lines(stage.map(String))}
};
const std::uint16_t pages[][128] = {
${pages
  .items()
  .map((each) => braced(lines(each.split(','))))
  .join(',\n')}
};
// as in unicode.hpp
const Properties entries[] = {
${lines(entries.items().map(braced))}
};
// of lower case in NFD, and of NFD
const char32_t mappings[] = {
${lines(mappings.map(hex))}
};
// by the first and the second character
const Composition compositions[] = {
${lines(compositions.map((each) => braced(each.map(hex).join())))}
};
const std::size_t composition_count = ${compositions.length};
`;
writeFileSync(join(__dirname, '..', 'native', 'text', 'unicode_table.inc'), text);
console.log(
  `${pages.items().length} pages, ${entries.items().length} entries, ${mappings.length} code points of mappings, ${text.length} characters`,
);
