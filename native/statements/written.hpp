// Written words: what stands between blanks and punctuation in a text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/analyzer.hpp"

namespace asof::statements {

using text::Span;

/// Replaces `spans` by those of the written words: letters and digits with signs before and inside
/// ("v1.2", "$1,234", "mime-db"), and the punctuation that follows.
void written_words(std::u16string_view text, std::vector<Span>& spans);

/// Whether only blanks, brackets or small words of names stand between two words of a name: "Bank
/// of England".
bool joins_name(std::u16string_view between);

}  // namespace asof::statements
