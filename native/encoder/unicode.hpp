// What the tokenizer knows of code points: categories that it splits and drops by, and lower case
// in canonical decomposition (NFD). The data come from scripts/make-unicode-table.cjs; other
// scripts' full case folding, grapheme clusters and the like are not here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace asof::unicode {

enum Flag : std::uint8_t {
  removed = 1,      // controls, formats, private use, surrogates, NUL and U+FFFD: dropped from text
  space = 2,        // what \s matches, as far as it is not removed
  punctuation = 4,  // category P and ASCII's symbols: a word of its own
  nonspacing = 8,   // category Mn: accents, dropped after decomposition
  combining = 16,   // a combining class other than 0: takes part in canonical ordering
  cased = 32,       // for the final sigma
  case_ignorable = 64,  // likewise
  ideograph = 128,      // CJK of the BMP: a word of its own
};

struct Properties {
  std::uint8_t flags = 0;
  std::uint8_t rank =
      0;  // of the combining class, among combining code points that are not nonspacing; else 0
  std::uint16_t length = 0;  // of the mapping; 0 where lower case in NFD is the code point itself
  std::uint32_t offset = 0;  // of the mapping
};

class Table {
 public:
  static const Table& instance();
  const Properties& operator[](char32_t code_point) const noexcept {
    return entries_[pages_[stage_[code_point >> 7]][code_point & 127]];
  }
  /// Lower case in NFD. Hangul syllables have none here: see hangul_parts.
  std::u32string_view mapping(const Properties& of) const noexcept {
    return {mappings_ + of.offset, of.length};
  }

 private:
  Table();
  using Page = std::uint16_t[128];
  const char32_t* mappings_;
  Properties* entries_;
  Page* pages_;
  std::uint16_t stage_[0x110000 >> 7];
};

/// The version of the data, such as "17.0".
const char* version();

constexpr bool is_hangul_syllable(char32_t code_point) {
  return code_point >= 0xac00 && code_point <= 0xd7a3;
}

/// The two or three conjoining letters of a Hangul syllable; returns how many.
constexpr std::size_t hangul_parts(char32_t code_point, char32_t (&parts)[3]) {
  char32_t at = code_point - 0xac00;
  parts[0] = 0x1100 + at / 588;
  parts[1] = 0x1161 + at % 588 / 28;
  parts[2] = 0x11a7 + at % 28;
  return at % 28 == 0 ? 2 : 3;
}

/// Takes the code point at text[at] and moves `at` past it; a lone surrogate is returned as it is.
constexpr char32_t next(std::u16string_view text, std::size_t& at) {
  char32_t first = text[at++];
  if (first < 0xd800 || first > 0xdbff || at == text.size() || text[at] < 0xdc00 ||
      text[at] > 0xdfff)
    return first;
  return 0x10000 + ((first - 0xd800) << 10) + (text[at++] - 0xdc00);
}

}  // namespace asof::unicode
