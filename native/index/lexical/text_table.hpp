// Matches of candidate texts with a question's terms: presence, counts, adjacent pairs, and the
// similarity of the nearest word. Each distinct term is looked up once, each token read once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/forward.hpp"
#include "index/lexical/word_table.hpp"

namespace asof::lexical {

/// Look-ups of term numbers in texts: the number of a term, and a number's word in the word table,
/// which is used for common terms.
struct Dictionary {
  std::function<std::optional<std::uint32_t>(std::string_view)> find;
  std::function<std::optional<std::uint32_t>(std::uint32_t)> word;
};

struct TextQuestion {
  std::vector<std::string> terms;  // distinct; their number is the width of `present` and `nearest`
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      pairs;                               // places of terms that follow one another
  std::vector<std::uint32_t> common;       // places of terms that are in the word table
  std::vector<std::string> counted_terms;  // distinct; the width of `counts`
};

/// One row a text.
struct TextTable {
  std::vector<std::uint8_t> present;  // 1: the text has the term
  std::vector<double>
      nearest;  // greatest likeness of its words to the term; 0 for terms that are not common
  std::vector<double> pairs;   // the share of the pairs that are adjacent in it; NaN without pairs
  std::vector<double> counts;  // occurrences of each counted term
  std::vector<std::uint32_t> lengths;  // tokens
};

/// `words` may be null where nothing is common. Throws ERR_INVALID_ARGUMENT for places beyond the
/// terms, terms given twice and common ones that the word table lacks.
TextTable text_table(const Texts& texts, const Dictionary& dictionary, const TextQuestion& question,
                     const WordTable* words, const Cancel& cancel);

}  // namespace asof::lexical
