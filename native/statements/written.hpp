// Written words: what stands between blanks and punctuation in a text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace asof::statements {

/// UTF-16 offsets, half-open.
struct Span {
  std::uint32_t start = 0, end = 0;
};

/// Replaces `spans` by those of the written words: letters and digits with signs before and inside
/// ("v1.2", "$1,234", "mime-db"), and the punctuation that follows.
void written_words(std::u16string_view text, std::vector<Span>& spans);

/// Whether only blanks, brackets or small words of names stand between two words of a name: "Bank
/// of England".
bool joins_name(std::u16string_view between);

}  // namespace asof::statements
