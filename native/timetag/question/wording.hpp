// A question worded as the grammar reads it: slips of spelling mended, spoken numbers in digits,
// weekdays and months with their capitals.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "timetag/lexer/tokens.hpp"

namespace asof::timetag {

struct Wording {
  std::u16string text;
  std::vector<std::uint32_t> origins;  // of each offset of `text`, its end included, the offset in
                                       // the question
};

/// `tokens` are those of the returned text. `reference_ms` dates years of two digits; NaN for none.
Wording word_question(std::u16string_view question, double reference_ms,
                      std::vector<Token>& tokens);

// spelling.cpp
/// The word of the lexicon's times that `word` (in lower case) is one slip away from: a letter more
/// or less, another one, or two exchanged. Empty for none, and for words of their own.
std::string_view mended(const std::string& word);
/// Whether two words are equal or one slip apart.
bool within_one_slip(std::string_view one, std::string_view other);

// numerals.cpp
/// Numbers in words as digits: "nineteen eighty-four", "the thirty-first of May", "oh-nine".
Wording with_digits(const Wording& wording, const std::vector<Token>& tokens, double reference_ms);

/// Copies a wording with some of its words replaced, in order.
class Rewriting {
 public:
  explicit Rewriting(const Wording& from) : from_(from) {}
  void replace(std::uint32_t begin, std::uint32_t end, std::string_view word) {
    copy_to(begin);
    for (char letter : word) {
      to_.text += static_cast<char16_t>(letter);
      to_.origins.push_back(from_.origins[begin]);
    }
    at_ = end;
  }
  Wording finish() {
    copy_to(static_cast<std::uint32_t>(from_.text.size()));
    to_.origins.push_back(from_.origins.back());
    return std::move(to_);
  }

 private:
  void copy_to(std::uint32_t end) {
    for (; at_ < end; ++at_) {
      to_.text += from_.text[at_];
      to_.origins.push_back(from_.origins[at_]);
    }
  }
  const Wording& from_;
  Wording to_;
  std::uint32_t at_ = 0;
};

}  // namespace asof::timetag
