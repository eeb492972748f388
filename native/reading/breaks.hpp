// Boundaries of clauses in a text: marks, dashes, ends of sentences and the words that join
// clauses.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "reading/characters.hpp"

namespace asof::reading {

class Breaks {
 public:
  explicit Breaks(const Text& text);

  /// How many stand between a span and its date.
  std::size_t between(std::size_t start, std::size_t end) const;
  /// The clause around a span of a sentence. Words that compare times and marks between digits are
  /// no boundary of it.
  Span clause(const Span& span, const Span& sentence) const;

 private:
  std::vector<Span> all_, of_clauses_;
};

}  // namespace asof::reading
