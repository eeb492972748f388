// Candidate lists, one per query. Survivors of a scan that pass the query's mask and whose upper
// bound reaches its threshold are appended; overflow shows in the count, and the caller retries.
#pragma once

#include "cuda/kernels/candidates/query_descriptor.hpp"
#include "cuda/kernels/products/survivor_collector.hpp"

namespace asof::cuda::candidates {

/// bounded: between two bounds. approximate: from panels, rounded to float as on the host. exact:
/// from the f32 vector.
enum class ScoreKind : std::uint16_t { bounded, approximate, exact };

struct Candidate {
  double upper, lower;  // the score is within [lower, upper]
  std::uint32_t row;    // of its segment
  std::uint16_t segment;
  ScoreKind kind;
  std::uint32_t passage;
  float similarity;  // as multiplied by panels, or of the f32 vector
};

struct Lists {
  Candidate* list;        // query q: [q * room, q * room + min(count[q], room))
  std::uint32_t* count;   // above `room` after an overflow; one more count, after the last query's,
                          // is not 0 if survivors overflowed
  double* threshold;      // no candidate that scores less can be a result
  float* min_similarity;  // the threshold as a similarity of rows of the current segment
  std::uint32_t* scored;  // candidates whose vectors were read
  std::uint32_t room;
};

/// Use of a panel product: as bounds of the score, or as the score itself (except for rows that
/// panels cannot represent).
enum class BoundMode : std::uint8_t { certified, approximate };

/// Turns the survivors of a scan of one segment into candidates.
struct SurvivorFilter {
  Columns columns;
  const QueryDescriptor* descriptors;  // one per query
  const Mask* masks;
  Lists lists;
  const std::uint32_t* sampled;  // the segment's group of 64 rows of each group of a sample; null
                                 // if rows are the segment's own
  std::uint16_t segment;
  BoundMode bound_mode;

  /// Whether the row passes the query's mask and its upper bound reaches the threshold.
  __device__ bool operator()(std::uint32_t query, const products::Survivor& survivor,
                             Candidate& candidate) const {
    const QueryDescriptor& descriptor = descriptors[query];
    const float product = survivor.product, product_bound = survivor.upper;
    const std::uint32_t row =
        sampled == nullptr ? survivor.row : sampled[survivor.row / 64] * 64 + survivor.row % 64;
    if (!in_scope(columns, row) || !passes_mask(columns, masks[descriptor.mask], row)) return false;
    double upper, lower;
    const bool rough = bound_mode == BoundMode::approximate && product_bound < INFINITY;
    if (rough) {
      upper = lower = static_cast<double>(
          static_cast<float>(score(columns, descriptor, row, static_cast<double>(product))));
      if (upper != upper) return false;
    } else {
      // Scores are monotonic in the similarity, rounding included; the lower bound of the product
      // is one rounding off.
      const double error = static_cast<double>(product_bound) - static_cast<double>(product),
                   least = static_cast<double>(product) - error * (1 + 0x1p-20);
      upper = score(columns, descriptor, row, static_cast<double>(product_bound));
      lower = error < INFINITY ? score(columns, descriptor, row, least - 0x1p-22 * fabs(least))
                               : -INFINITY;
    }
    if (upper != upper)
      upper = INFINITY;  // an infinite bound times a factor of zero: the exact score decides
    if (lower != lower) lower = -INFINITY;
    if (upper < lists.threshold[query]) return false;
    candidate = {upper,
                 lower,
                 row,
                 segment,
                 rough ? ScoreKind::approximate : ScoreKind::bounded,
                 columns.row_passage[row],
                 product};
    return true;
  }
};

/// Appends the candidates of a chunk's survivors. Block y: query y.
ASOF_KERNEL void __launch_bounds__(256)
    append_candidates(SurvivorFilter filter, products::SurvivorCollector survivors,
                      std::uint32_t queries) {
  const std::uint32_t query = blockIdx.y, all = survivors.count[query * products::count_stride],
                      count = all < survivors.room ? all : survivors.room;
  Lists& lists = filter.lists;
  for (std::uint32_t from = blockIdx.x * blockDim.x + threadIdx.x; from < count;
       from += gridDim.x * blockDim.x) {
    Candidate candidate;
    if (!filter(query, survivors.list[std::size_t(query) * survivors.room + from], candidate))
      continue;
    const std::uint32_t at = atomicAdd(lists.count + query, 1u);
    if (at < lists.room) lists.list[std::size_t(query) * lists.room + at] = candidate;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0 && all > survivors.room) lists.count[queries] = 1;
}

/// Minimum similarities of a segment's rows from each query's threshold, before its scan.
ASOF_KERNEL void read_thresholds(Lists lists, const QueryDescriptor* descriptors,
                                 std::uint32_t queries) {
  const std::uint32_t query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query < queries)
    lists.min_similarity[query] = min_similarity(descriptors[query], lists.threshold[query]);
}

inline constexpr unsigned mask_threads = 256, mask_turns = 8, mask_rows = mask_threads * mask_turns;

/// Counts the rows that pass each mask, and marks the groups of 64 rows of which one passes any. A
/// block evaluates mask_rows rows, so that its counts are one addition per mask.
ASOF_KERNEL void __launch_bounds__(mask_threads)
    evaluate_masks(Columns columns, const Mask* masks, std::uint32_t mask_count,
                   unsigned long long* visible, unsigned long long* live_groups) {
  __shared__ std::uint32_t counts[mask_threads / warp_lanes];
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  const std::uint32_t first = blockIdx.x * mask_rows + threadIdx.x;
  unsigned scope_bits = 0, any_bits = 0;  // of the thread's rows; of its warp's
  ASOF_UNROLL
  for (unsigned turn = 0; turn < mask_turns; ++turn)
    scope_bits |= unsigned{in_scope(columns, first + turn * mask_threads)} << turn;
  for (std::uint32_t m = 0; m < mask_count; ++m) {
    std::uint32_t count = 0;
    for (unsigned turn = 0; turn < mask_turns; ++turn) {
      const unsigned lanes =
          __ballot_sync(all_lanes, (scope_bits >> turn & 1) != 0 &&
                                       passes_mask(columns, masks[m], first + turn * mask_threads));
      count += static_cast<std::uint32_t>(__popc(lanes));
      any_bits |= unsigned{lanes != 0} << turn;
    }
    if (lane == 0) counts[warp] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned long long sum = 0;
      for (const std::uint32_t each : counts) sum += each;
      if (sum > 0) atomicAdd(visible + m, sum);
    }
    __syncthreads();
  }
  for (unsigned turn = lane; turn < mask_turns; turn += warp_lanes) {
    const std::uint32_t row = blockIdx.x * mask_rows + turn * mask_threads + warp * warp_lanes;
    if (any_bits >> turn & 1) atomicOr(live_groups + row / 64 / 64, 1ull << (row / 64 % 64));
  }
}

}  // namespace asof::cuda::candidates
