// Rescoring of candidates by their f32 vectors, bit-identical to the host's inner products. One
// group of lanes per candidate.
#pragma once

#include "cuda/kernels/candidates/exact_scores.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned rescore_threads = 256;

/// Which candidates are scored, and how.
///   exact      of a certified search: those that are not yet
///   bounded    of an approximate one: those whose panels say nothing, rounded as the others are
///   rescored   its end: all, by their vectors
///   raw        its end: all, by the similarities that they have
enum class Scoring : std::uint8_t { exact, bounded, rescored, raw };

constexpr bool needs_vector(const Candidate& candidate, Scoring scoring) {
  if (scoring == Scoring::raw) return false;
  return scoring == Scoring::rescored ? candidate.kind != ScoreKind::exact
                                      : candidate.kind == ScoreKind::bounded;
}

struct RescoreWork {
  Lists lists;
  Scoring scoring;
  Summing summing;
  const Vectors* segments;
  const float* queries;  // d each
  std::uint32_t d;
  // Vectors that the host gathered: candidate i of query q has number index[q * index_room + i] of
  // them.
  const float* gathered;
  const std::uint32_t* index;
  std::uint32_t index_room;
};

/// Gives candidates their similarity and score; one whose score is not a number can win nothing.
/// Block y: query y.
ASOF_KERNEL void __launch_bounds__(rescore_threads) rescore(RescoreWork work) {
  const unsigned width = width_of(work.summing), groups = rescore_threads / width;
  const std::uint32_t query = blockIdx.y;
  const std::uint32_t count =
      work.lists.count[query] < work.lists.room ? work.lists.count[query] : work.lists.room;
  Candidate* list = work.lists.list + std::size_t(query) * work.lists.room;
  for (std::uint32_t first = blockIdx.x * groups; first < count; first += gridDim.x * groups) {
    const std::uint32_t at = first + threadIdx.x / width;
    const bool takes = at < count;  // no lane leaves its warp
    const Candidate candidate = takes ? list[at] : Candidate{};
    const bool reads = takes && needs_vector(candidate, work.scoring);
    const Vectors& segment = work.segments[candidate.segment];
    const float* query_vector = work.queries + std::size_t(query) * work.d;
    const float* row = query_vector;
    if (reads && segment.rows != nullptr)
      row = segment.rows + std::size_t(candidate.row) * work.d;
    else if (reads)
      row = work.gathered +
            std::size_t(work.index[std::size_t(query) * work.index_room + at]) * work.d;
    float similarity = candidate.similarity;
    if (work.scoring != Scoring::raw) {
      const float product = canonical_product(work.summing, query_vector, row, work.d);
      if (reads) similarity = product;
    }
    __syncwarp();  // all lanes have read what one of them writes
    const bool ends = work.scoring == Scoring::rescored || work.scoring == Scoring::raw;
    if (!takes || threadIdx.x % width != 0 || !(reads || ends)) continue;
    const double exact = score(segment.columns, segment.descriptors[query], candidate.row,
                               static_cast<double>(similarity));
    const double value =
        work.scoring == Scoring::bounded ? static_cast<double>(static_cast<float>(exact)) : exact;
    Candidate& out = list[at];
    out.similarity = similarity;
    if (reads) {
      out.kind = ScoreKind::exact;
      atomicAdd(work.lists.scored + query, 1u);
    }
    out.upper = value;  // reaches no threshold where it is not a number
    out.lower = value == value ? value : -INFINITY;
  }
}

}  // namespace asof::cuda::candidates
