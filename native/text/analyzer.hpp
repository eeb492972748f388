// Index terms of a text, as Lucene's English analyzer has them: Unicode words in lower case without
// possessives and stop words, stemmed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace asof::text {

/// UTF-16 offsets, half-open.
struct Span {
  std::uint32_t start = 0, end = 0;
};

/// Appends the spans of the words of a text in NFC: runs of letters and digits, with inner
/// apostrophes between letters ("o'neil"), a decimal point ("3.5"), commas between thousands
/// ("1,234,567") and the dots of an acronym ("u.s.a"). Ideographs are words of their own; of a word
/// longer than 255 units each piece is one, as Lucene's tokenizer has it. Broken surrogates
/// separate words.
void find_words(std::u16string_view text, std::vector<Span>& spans);

/// The term of a word; "" of a stop word. "1,234" and "1234" are one, as are "U.S." and "US".
std::u16string term_of(std::u16string_view word);

/// The terms of a text in order.
std::vector<std::u16string> analyze(std::u16string_view text);

/// The words of a text, in NFC or not, that one of the terms stands for.
std::vector<Span> spans_of_terms(std::u16string_view text, std::vector<std::u16string> terms);

/// The stem of a word in lower case; "" of a stop word.
std::u16string stem_of(std::u16string_view word);

}  // namespace asof::text
