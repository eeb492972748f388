// Exact scores of candidates by their f32 vectors, with the bits of the host's inner products: lanes of the width of the host's level, each adding
// its components in their order, and the same tree over the lanes (kernels/inner_product/contract.hpp). A group of lanes a candidate.
#pragma once

#include "cuda/kernels/candidates/lists.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned rescore_threads = 256;

/// How the host's level sums: `width` lanes, 1 for the plain form's one sum in double.
enum class Summing : std::uint32_t { plain = 1, four = 4, four_fused = 0x104, eight_fused = 0x108, sixteen_fused = 0x110 };

__device__ inline float plain_product(const float* query, const float* row, std::uint32_t d) {
  double sum = 0;
  for (std::uint32_t c = 0; c < d; ++c) sum += static_cast<double>(query[c]) * static_cast<double>(row[c]);
  return static_cast<float>(sum);
}

/// Every lane of a warp calls it, and gets the product of its group's vectors.
template <unsigned width, bool fused>
__device__ inline float lane_product(const float* query, const float* row, std::uint32_t d) {
  const unsigned lane = threadIdx.x % width;
  float sum = 0;
  for (std::uint32_t c = 0; c < d; c += width) {
    const bool exists = c + lane < d;
    const float a = exists ? query[c + lane] : 0.0f, b = exists ? row[c + lane] : 0.0f;
    sum = fused ? fmaf(a, b, sum) : a * b + sum;
  }
  for (unsigned distance = width / 2; distance > 0; distance /= 2) sum = sum + __shfl_xor_sync(all_lanes, sum, static_cast<int>(distance));
  return sum;
}

/// The vectors of a segment's rows, and its columns.
struct Vectors {
  Columns columns;
  const Asked* asked;
  const float* rows;  // null: the candidates' own were gathered
};

struct Rescoring {
  Lists lists;
  bool bounded_only;  // those alone whose score is not one number yet
  const Vectors* segments;
  const float* queries;  // d each
  std::uint32_t d;
  // Vectors that the host gathered: candidate i of query q has number index[q * index_room + i] of them.
  const float* gathered;
  const std::uint32_t* index;
  std::uint32_t index_room;
};

/// Gives the candidates that are not exact their similarity and score; one whose score is not a number can win nothing. Block y: query y.
template <unsigned width, bool fused>
__global__ void __launch_bounds__(rescore_threads) rescore(Rescoring work) {
  constexpr std::uint32_t groups = rescore_threads / width;
  const std::uint32_t query = blockIdx.y;
  const std::uint32_t count = work.lists.count[query] < work.lists.room ? work.lists.count[query] : work.lists.room;
  Candidate* list = work.lists.list + std::size_t(query) * work.lists.room;
  for (std::uint32_t first = blockIdx.x * groups; first < count; first += gridDim.x * groups) {
    const std::uint32_t at = first + threadIdx.x / width, taken = at < count ? at : count - 1;  // no lane leaves its warp
    const Candidate candidate = list[taken];
    const Vectors& segment = work.segments[candidate.segment];
    const float* asked = work.queries + std::size_t(query) * work.d;
    const float* row = segment.rows != nullptr ? segment.rows + std::size_t(candidate.row) * work.d
                                               : work.gathered + std::size_t(work.index[std::size_t(query) * work.index_room + taken]) * work.d;
    float similarity;
    if constexpr (width == 1) similarity = plain_product(asked, row, work.d);
    else similarity = lane_product<width, fused>(asked, row, work.d);
    if (at >= count || threadIdx.x % width != 0 || candidate.exact || (work.bounded_only && candidate.least == candidate.most)) continue;
    const double exact = score(segment.columns, segment.asked[query], candidate.row, static_cast<double>(similarity));
    Candidate& out = list[at];
    out.similarity = similarity;
    out.exact = 1;
    out.most = exact;  // reaches no threshold where it is not a number
    out.least = exact == exact ? exact : -INFINITY;
  }
}

}  // namespace asof::cuda::candidates
