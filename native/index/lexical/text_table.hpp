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

/// The numbers of texts' terms: that of a term, and the word of the word table that a number stands
/// for, asked for where anything is common.
struct Dictionary {
  std::function<std::optional<std::uint32_t>(std::string_view)> find;
  std::function<std::optional<std::uint32_t>(std::uint32_t)> word;
};

struct TextQuestion {
  std::vector<std::string> terms;  // distinct; their number is the width of `held` and `nearest`
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      pairs;                          // places of terms that follow one another
  std::vector<std::uint32_t> common;  // places of terms that are in the word table
  std::vector<std::string> counted;   // distinct; the width of `counts`
};

/// One row a text.
struct TextTable {
  std::vector<std::uint8_t> held;  // 1 where the text has the term
  std::vector<double>
      nearest;  // likeness of the most alike of its words to the term; 0 but for common places
  std::vector<double>
      pairs;  // the share of the pairs that stand together in it; not a number without pairs
  std::vector<double> counts;          // how often it has each of the terms that are counted
  std::vector<std::uint32_t> lengths;  // tokens
};

/// `words` may be null where nothing is common. Throws ERR_INVALID_ARGUMENT for places beyond the
/// terms, terms given twice and common ones that the word table lacks.
TextTable text_table(const Texts& texts, const Dictionary& dictionary, const TextQuestion& question,
                     const WordTable* words, const Cancel& cancel);

}  // namespace asof::lexical
