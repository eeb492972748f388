// How much of a question the words of its candidates cover: each term of the question counts, by
// its idf, as far as the candidate has a word like it. A cosine of whole texts misses two details
// that a passage states in passing, and terms miss other words for the same.
#pragma once

#include <span>
#include <vector>

#include "facts/matching.hpp"

namespace asof::facts {

/// By candidate: the covered share, less what candidates of as many words cover, of variance 1
/// within the question. `cosines` of the question's terms with `pool.words`, row by row. A value is
/// like itself alone.
std::vector<double> coverage_of(const Pool& pool, std::span<const double> term_idf,
                                std::span<const double> cosines);

}  // namespace asof::facts
