// Exact scores of candidates by their f32 vectors, with the bits of the host's inner products. A
// group of lanes a candidate.
#pragma once

#include "cuda/kernels/candidates/exact.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned rescore_threads = 256;

/// Which candidates are scored, and how.
///   exact      of a certified search: those that are not yet
///   bounded    of an approximate one: those whose panels say nothing, rounded as the others are
///   rescored   its end: all, by their vectors
///   raw        its end: all, by the similarities that they have
enum class Scoring : std::uint8_t { exact, bounded, rescored, raw };

constexpr bool wants_vector(const Candidate& candidate, Scoring scoring) {
  if (scoring == Scoring::raw) return false;
  return scoring == Scoring::rescored ? candidate.known != Known::exactly
                                      : candidate.known == Known::within;
}

struct Rescoring {
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
ASOF_KERNEL void __launch_bounds__(rescore_threads) rescore(Rescoring work) {
  const unsigned width = width_of(work.summing), groups = rescore_threads / width;
  const std::uint32_t query = blockIdx.y;
  const std::uint32_t count =
      work.lists.count[query] < work.lists.room ? work.lists.count[query] : work.lists.room;
  Candidate* list = work.lists.list + std::size_t(query) * work.lists.room;
  for (std::uint32_t first = blockIdx.x * groups; first < count; first += gridDim.x * groups) {
    const std::uint32_t at = first + threadIdx.x / width;
    const bool takes = at < count;  // no lane leaves its warp
    const Candidate candidate = takes ? list[at] : Candidate{};
    const bool reads = takes && wants_vector(candidate, work.scoring);
    const Vectors& segment = work.segments[candidate.segment];
    const float* asked = work.queries + std::size_t(query) * work.d;
    const float* row = asked;
    if (reads && segment.rows != nullptr)
      row = segment.rows + std::size_t(candidate.row) * work.d;
    else if (reads)
      row = work.gathered +
            std::size_t(work.index[std::size_t(query) * work.index_room + at]) * work.d;
    float similarity = candidate.similarity;
    if (work.scoring != Scoring::raw) {
      const float product = canonical_product(work.summing, asked, row, work.d);
      if (reads) similarity = product;
    }
    __syncwarp();  // all lanes have read what one of them writes
    const bool ends = work.scoring == Scoring::rescored || work.scoring == Scoring::raw;
    if (!takes || threadIdx.x % width != 0 || !(reads || ends)) continue;
    const double exact = score(segment.columns, segment.asked[query], candidate.row,
                               static_cast<double>(similarity));
    const double value =
        work.scoring == Scoring::bounded ? static_cast<double>(static_cast<float>(exact)) : exact;
    Candidate& out = list[at];
    out.similarity = similarity;
    if (reads) {
      out.known = Known::exactly;
      atomicAdd(work.lists.scored + query, 1u);
    }
    out.most = value;  // reaches no threshold where it is not a number
    out.least = value == value ? value : -INFINITY;
  }
}

}  // namespace asof::cuda::candidates
