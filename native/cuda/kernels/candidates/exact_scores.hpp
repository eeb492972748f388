// Exact scores of the best candidates of a list, so that the threshold is the k-th score and not a
// bound of it: bounds of int8 products let twice as many rows through. One block per list.
#pragma once

#include "cuda/kernels/candidates/kernels.hpp"
#include "cuda/kernels/candidates/prune.hpp"

namespace asof::cuda::candidates {

/// Candidates of a list that are scored per call; the others keep their bounds.
inline constexpr std::uint32_t max_scored = 1024;

/// Keys of a list's candidates, and the least key of those that are scored (0: none are).
template <typename Key>
struct KeySelection {
  std::uint32_t min_key;
  Key key_at;
};

template <typename Key>
KeySelection(std::uint32_t, Key) -> KeySelection<Key>;

/// Scores the selected candidates of which only bounds are known, by vectors that are all on the
/// device, and calls changed(i) for each; returns their number. Called by all threads of a block.
template <typename Key, typename Changed>
__device__ inline std::uint32_t score_best(const ExactScores& exact, std::uint32_t query,
                                           CandidateSpan span, KeySelection<Key> selection,
                                           Changed changed) {
  __shared__ std::uint32_t selected[max_scored], selected_count;
  const auto [list, count] = span;
  if (exact.segments == nullptr || selection.min_key == 0) return 0;
  if (threadIdx.x == 0) selected_count = 0;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
    if (selection.key_at(i) < selection.min_key || list[i].kind != ScoreKind::bounded) continue;
    const std::uint32_t at = atomicAdd(&selected_count, 1u);
    if (at < max_scored) selected[at] = i;
  }
  __syncthreads();
  const std::uint32_t all = selected_count < max_scored ? selected_count : max_scored;
  const unsigned width = width_of(exact.summing), groups = blockDim.x / width;
  const float* query_vector = exact.queries + std::size_t(query) * exact.d;
  for (std::uint32_t first = 0; first < all; first += groups) {
    const std::uint32_t at = first + threadIdx.x / width;
    const bool writes = at < all && threadIdx.x % width == 0;  // every lane takes part in shuffles
    Candidate& candidate = list[selected[at < all ? at : all - 1]];
    const Vectors& segment = exact.segments[candidate.segment];
    const float similarity = canonical_product(
        exact.summing, query_vector, segment.rows + std::size_t(candidate.row) * exact.d, exact.d);
    if (!writes) continue;
    const double value = score(segment.columns, segment.descriptors[query], candidate.row,
                               static_cast<double>(similarity));
    candidate.similarity = similarity;
    candidate.kind = ScoreKind::exact;
    candidate.upper = value;  // NaN reaches no threshold
    candidate.lower = value == value ? value : -INFINITY;
    changed(selected[at]);
  }
  __syncthreads();
  return all;
}

}  // namespace asof::cuda::candidates
