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
  double upper, lower;  // the score is within [least, most]
  std::uint32_t row;    // of its segment
  std::uint16_t segment;
  ScoreKind kind;
  std::uint32_t passage;
  float similarity;  // as multiplied by panels, or of the f32 vector
};

struct Lists {
  Candidate* list;       // query q: [q * room, q * room + min(count[q], room))
  std::uint32_t* count;  // a count above `room` says that some are overflow; the one after the last
                         // query's is not 0 where survivors are
  double* threshold;     // no candidate that scores less can win
  float* min_similarity;  // what the threshold asks of a row's similarity in the segment in hand
  std::uint32_t* scored;  // candidates whose vectors were read
  std::uint32_t room;
};

/// How a product of panels is read: as bounds of the score, or as the score itself (but for rows
/// that panels cannot represent).
enum class BoundMode : std::uint8_t { certified, approximate };

/// Turns the survivors of a scan of one segment into candidates.
struct SurvivorFilter {
  Columns columns;
  const QueryDescriptor* descriptors;  // one a query
  const Mask* masks;
  Lists lists;
  const std::uint32_t* sampled;  // of a sample: which 64 rows of the segment each 64 of it are;
                                 // null: rows are the segment's own
  std::uint16_t segment;
  BoundMode reading;

  /// Whether the query sees the row and its best score reaches the threshold.
  __device__ bool operator()(std::uint32_t query, const products::Survivor& survivor,
                             Candidate& made) const {
    const QueryDescriptor& by = descriptors[query];
    const float product = survivor.product, most = survivor.upper;
    const std::uint32_t row =
        sampled == nullptr ? survivor.row : sampled[survivor.row / 64] * 64 + survivor.row % 64;
    if (!in_scope(columns, row) || !passes_mask(columns, masks[by.mask], row)) return false;
    double above, below;
    const bool rough = reading == BoundMode::approximate && most < INFINITY;
    if (rough) {
      above = below = static_cast<double>(
          static_cast<float>(score(columns, by, row, static_cast<double>(product))));
      if (above != above) return false;
    } else {
      // Scores grow with the similarity, step by rounded step; the lower bound of the product is
      // one rounding off.
      const double error = static_cast<double>(most) - static_cast<double>(product),
                   lower = static_cast<double>(product) - error * (1 + 0x1p-20);
      above = score(columns, by, row, static_cast<double>(most));
      below = error < INFINITY ? score(columns, by, row, lower - 0x1p-22 * fabs(lower)) : -INFINITY;
    }
    if (above != above)
      above = INFINITY;  // a bound of infinity meets a factor of zero: the exact score decides
    if (below != below) below = -INFINITY;
    if (above < lists.threshold[query]) return false;
    made = {above,
            below,
            row,
            segment,
            rough ? ScoreKind::approximate : ScoreKind::bounded,
            columns.row_passage[row],
            product};
    return true;
  }
};

/// After a chunk: appends what its survivors make. Block y: query y.
ASOF_KERNEL void __launch_bounds__(256)
    append_candidates(SurvivorFilter filter, products::SurvivorCollector survivors,
                      std::uint32_t queries) {
  const std::uint32_t query = blockIdx.y, all = survivors.count[query * products::count_stride],
                      count = all < survivors.room ? all : survivors.room;
  Lists& lists = filter.lists;
  for (std::uint32_t from = blockIdx.x * blockDim.x + threadIdx.x; from < count;
       from += gridDim.x * blockDim.x) {
    Candidate made;
    if (!filter(query, survivors.list[std::size_t(query) * survivors.room + from], made)) continue;
    const std::uint32_t at = atomicAdd(lists.count + query, 1u);
    if (at < lists.room) lists.list[std::size_t(query) * lists.room + at] = made;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0 && all > survivors.room) lists.count[queries] = 1;
}

/// Before a segment's scan: what each query's threshold asks of similarities there.
ASOF_KERNEL void read_thresholds(Lists lists, const QueryDescriptor* descriptors,
                                 std::uint32_t queries) {
  const std::uint32_t query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query < queries)
    lists.min_similarity[query] = min_similarity(descriptors[query], lists.threshold[query]);
}

inline constexpr unsigned mask_threads = 256, mask_turns = 8, mask_rows = mask_threads * mask_turns;

/// Which rows each mask lets be seen: their number, and of every 64 rows whether any mask shows
/// one. A block looks at mask_rows rows, so that its counts are one addition a mask.
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
