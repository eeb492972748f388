// Exact scores of the best of a list, so that a threshold is what the k-th of them has and no bound
// of it: bounds of int8 products let twice as many rows through. A block a list; nothing is cut
// here.
#pragma once

#include "cuda/kernels/candidates/lists.hpp"
#include "cuda/kernels/products/canonical.hpp"

namespace asof::cuda::candidates {

/// The vectors of a segment's rows, and its columns.
struct Vectors {
  Columns columns;
  const Asked* asked;
  const float* rows;  // null: on the host, who gathers those of candidates
};

/// What exact scores are made of; without segments nothing is scored.
struct ExactScores {
  const Vectors* segments;
  const float* queries;  // d each
  std::uint32_t d;
  Summing summing;
};

inline constexpr std::uint32_t most_scored =
    1024;  // of a list at once: the others keep their bounds

/// Scores the candidates whose keys reach `reached` (0: none do), where only their bounds are
/// known, by vectors that are all on the device; changed(i) is called of each. How many. All
/// threads of a block together.
template <typename Key, typename Changed>
__device__ inline std::uint32_t score_best(const ExactScores& exact, std::uint32_t query,
                                           Candidate* list, std::uint32_t count,
                                           std::uint32_t reached, Key key_at, Changed changed) {
  __shared__ std::uint32_t wanted[most_scored], found;
  if (exact.segments == nullptr || reached == 0) return 0;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    if (key_at(i) < reached || list[i].known != Known::within) continue;
    const std::uint32_t at = atomicAdd(&found, 1u);
    if (at < most_scored) wanted[at] = i;
  }
  __syncthreads();
  const std::uint32_t all = found < most_scored ? found : most_scored;
  const unsigned width = width_of(exact.summing), groups = blockDim.x / width;
  const float* asked = exact.queries + std::size_t(query) * exact.d;
  for (std::uint32_t first = 0; first < all; first += groups) {
    const std::uint32_t at = first + threadIdx.x / width;
    const bool takes = at < all && threadIdx.x % width == 0;  // no lane leaves its warp
    Candidate& candidate = list[wanted[at < all ? at : all - 1]];
    const Vectors& segment = exact.segments[candidate.segment];
    const float similarity = canonical_product(
        exact.summing, asked, segment.rows + std::size_t(candidate.row) * exact.d, exact.d);
    if (!takes) continue;
    const double value = score(segment.columns, segment.asked[query], candidate.row,
                               static_cast<double>(similarity));
    candidate.similarity = similarity;
    candidate.known = Known::exactly;
    candidate.most = value;  // reaches no threshold where it is not a number
    candidate.least = value == value ? value : -INFINITY;
    changed(wanted[at]);
  }
  __syncthreads();
  return all;
}

}  // namespace asof::cuda::candidates
