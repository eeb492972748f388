// Exact top-k search of vectors with masks, temporal scores and pooling in one pass
// (docs/architecture.md).
#pragma once

#include "core/cancel.hpp"
#include "index/vector/request.hpp"

namespace asof::vector {

/// relevance = semantic_weight * similarity + lexical_weight * lexical, in double from the float
/// inner product; then
///   none:     score = relevance
///   product:  score = relevance >= 0 ? relevance * c : relevance * (2 - c)
///   sum:      score = relevance + weight * standardised recency
/// A query of the form `sum` takes two passes, the second over the similarities of the first (4
/// bytes a row in memory, at most max_kept_bytes or those of one query), unless it hides no row and
/// the moments of the vectors normalize it (times/normalization.hpp). Throws ERR_ABORTED between
/// tiles once cancelled. The result does not depend on the number of threads.
Result search(const Request& request, const Cancel& cancel);

inline constexpr std::size_t max_kept_bytes = std::size_t(36) << 20;

}  // namespace asof::vector
