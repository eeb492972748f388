// Tokenizer: splits UTF-16 text into words, digit runs and single symbols, with the properties that
// the grammar uses. Accepts any text: unknown code units are symbols.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "timetag/lexer/lexicon.hpp"

namespace asof::timetag {

enum class Kind : std::uint8_t {
  end,  // beyond either end of the text
  word,
  number,
  hyphen,  // '-' and its Unicode kin
  dash,    // en dash, em dash, minus
  comma,
  dot,
  slash,
  colon,
  apostrophe,
  open,   // ( [
  close,  // ) ]
  currency,
  tilde,
  percent,
  symbol,  // anything else
};

struct Token {
  std::uint32_t begin = 0;  // UTF-16 units
  std::uint32_t end = 0;
  std::uint32_t number = 0;  // value of a digit run of up to 9 digits
  std::uint16_t digits = 0;  // length of a digit run, at most 65535
  Kind kind = Kind::end;
  bool glued = false;    // no blank before it
  bool capital = false;  // a word that begins with an upper-case letter
  Lexeme lexeme;
};

bool has_trigger(std::u16string_view text);

/// Replaces `tokens` by the tokens of `text`.
void tokenize(std::u16string_view text, std::vector<Token>& tokens);

}  // namespace asof::timetag
