// Exact scores of the best candidates of a list, so that the threshold is the k-th score and not a
// bound of it: bounds of int8 products let twice as many rows through. One block per list.
#pragma once

#include "cuda/kernels/candidates/lists.hpp"
#include "cuda/kernels/products/canonical.hpp"

namespace asof::cuda::candidates {

/// The vectors of a segment's rows, and its columns.
struct Vectors {
  Columns columns;
  const QueryDescriptor* descriptors;
  const float* rows;  // null: on the host, who gathers those of candidates
};

/// What exact scores are made of; without segments nothing is scored.
struct ExactScores {
  const Vectors* segments;
  const float* queries;  // d each
  std::uint32_t d;
  Summing summing;
};

/// Candidates of a list that are scored at once; the others keep their bounds.
inline constexpr std::uint32_t max_scored = 1024;

/// What follows a pass: the descriptors of the next pass's segment, and the segment whose
/// candidates leave the lists at the end of its sample (else no_segment).
struct NextPass {
  const QueryDescriptor* descriptors;
  std::uint32_t dropped_segment;
};

/// Scores the candidates whose keys reach `reached` (0: none do), where only their bounds are
/// known, by vectors that are all on the device; changed(i) is called of each. How many. All
/// threads of a block together.
template <typename Key, typename Changed>
__device__ inline std::uint32_t score_best(const ExactScores& exact, std::uint32_t query,
                                           Candidate* list, std::uint32_t count,
                                           std::uint32_t reached, Key key_at, Changed changed) {
  __shared__ std::uint32_t wanted[max_scored], found;
  if (exact.segments == nullptr || reached == 0) return 0;
  if (threadIdx.x == 0) found = 0;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    if (key_at(i) < reached || list[i].kind != ScoreKind::bounded) continue;
    const std::uint32_t at = atomicAdd(&found, 1u);
    if (at < max_scored) wanted[at] = i;
  }
  __syncthreads();
  const std::uint32_t all = found < max_scored ? found : max_scored;
  const unsigned width = width_of(exact.summing), groups = blockDim.x / width;
  const float* query_vector = exact.queries + std::size_t(query) * exact.d;
  for (std::uint32_t first = 0; first < all; first += groups) {
    const std::uint32_t at = first + threadIdx.x / width;
    const bool takes = at < all && threadIdx.x % width == 0;  // no lane leaves its warp
    Candidate& candidate = list[wanted[at < all ? at : all - 1]];
    const Vectors& segment = exact.segments[candidate.segment];
    const float similarity = canonical_product(
        exact.summing, query_vector, segment.rows + std::size_t(candidate.row) * exact.d, exact.d);
    if (!takes) continue;
    const double value = score(segment.columns, segment.descriptors[query], candidate.row,
                               static_cast<double>(similarity));
    candidate.similarity = similarity;
    candidate.kind = ScoreKind::exact;
    candidate.upper = value;  // reaches no threshold where it is not a number
    candidate.lower = value == value ? value : -INFINITY;
    changed(wanted[at]);
  }
  __syncthreads();
  return all;
}

}  // namespace asof::cuda::candidates
