// Candidates of a query: rows with bounds of their scores, and hits with lower bounds.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "index/vector/request.hpp"

namespace asof::vector {

/// A row with bounds of its score. In inexact scans `upper` is the score by the row's panel and
/// `lower` the panel's product.
struct Candidate {
  float upper, lower;
  std::uint32_t segment, row;

  /// The panel's own estimate: the middle of the bounds, or -infinity without a lower bound.
  float estimate() const {
    return lower > -std::numeric_limits<float>::infinity() ? (upper + lower) / 2 : lower;
  }
};

/// A row, or a passage where results pool, and a lower bound of its score.
struct BoundedHit {
  std::uint64_t key;
  double score;
};

inline std::uint64_t hit_key(const Request& request, std::uint32_t segment, std::uint32_t row) {
  return std::uint64_t{segment} << 32 |
         (request.pool ? request.segments[segment].rows.row_passage[row] : row);
}

/// The k-th best score of distinct keys, -infinity with fewer than k. Keeps the best k hits.
double kth_score(std::vector<BoundedHit>& hits, std::size_t k);

/// Removes candidates with an upper bound below `threshold`.
void prune(std::vector<Candidate>& candidates, double threshold);

/// For inexact scans: keeps the best `keep` candidates (one per passage where results pool) and
/// ties of the last one in other segments. Returns the last one's score, -infinity with fewer.
double keep_best(const Request& request, std::vector<Candidate>& candidates, std::size_t keep);

}  // namespace asof::vector
