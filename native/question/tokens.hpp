// Tokens of a question for its reader: words with what joins their parts ("1.0.0-rc.4", "ssh-rsa",
// "don't"), a possessive s, or one symbol. Versions and identifiers are one token each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace asof::question {

enum class Sort : std::uint8_t { blank, symbol, letter, digit };
/// Of a UTF-16 unit; beyond ASCII, all but blanks, dashes, quotes and the like are letters.
Sort sort_of(char16_t c);

struct Token {
  std::uint32_t begin = 0;  // UTF-16 units, half-open
  std::uint32_t end = 0;
};

/// Replaces `tokens` by the tokens of `text`, in order.
void tokenize(std::u16string_view text, std::vector<Token>& tokens);

}  // namespace asof::question
