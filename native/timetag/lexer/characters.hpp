// Classes of UTF-16 units beyond ASCII, for the tokenizers of texts and of questions.
#pragma once

namespace asof::timetag {

constexpr bool wide_blank(char16_t c) {
  return c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x3000 || c == 0xFEFF;
}

// Beyond ASCII only blanks, dashes, quotes and currency signs matter; everything else continues a
// word, as in "naïve".
constexpr bool wide_symbol(char16_t c) {
  return (c >= 0x2010 && c <= 0x203A) || c == 0x2212 || (c >= 0xA1 && c <= 0xBF) ||
         (c >= 0x20A0 && c <= 0x20CF) || (c >= 0x3001 && c <= 0x303F) ||
         (c >= 0xFF00 && c <= 0xFF0F) || (c >= 0xD800 && c <= 0xDFFF);
}

}  // namespace asof::timetag
