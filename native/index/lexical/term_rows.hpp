// Terms of the rows of passages: titles and sentences are analysed once each, and a whole passage
// has the terms of all of its parts.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/lexical/build.hpp"
#include "statements/string_numbers.hpp"
#include "text/analyzer.hpp"

namespace asof::lexical {

class TermRows {
 public:
  /// Appends a passage, or a part of it where it throws: see `keep`.
  void add(std::u16string_view title, std::u16string_view text,
           std::span<const text::Span> sentences);
  std::size_t passages() const { return ends_.size(); }
  /// Drops what was appended after the first `passages`, and allocates nothing.
  void keep(std::size_t passages);
  /// Rows of which each is of a passage: whole ones first, `passages()` of them, then sentences, in
  /// their order for each passage. Throws ERR_INVALID_ARGUMENT for a sentence or a passage too
  /// many.
  RowTerms rows(std::span<const std::uint32_t> passage_of_row) const;

 private:
  static constexpr std::uint32_t no_term = 0xffffffff;  // of a stop word

  void add_part(std::u16string_view text);
  std::uint32_t term_of(std::u16string_view word);

  // Words as they are written, and the term of each: most were read before.
  std::deque<std::u16string> words_, terms_;
  statements::StringNumbers<char16_t> word_numbers_, term_numbers_;
  std::vector<std::uint32_t> term_of_word_;
  std::vector<text::Span> spans_;
  // Tokens of parts, parts of passages: the title, then the sentences.
  std::vector<std::uint32_t> tokens_, token_ends_;
  std::vector<std::size_t> ends_;
};

}  // namespace asof::lexical
