// Lists of candidates on a device, one a query, and how rows join them: a row that the query sees
// and whose best score reaches the threshold is appended. A list that overflows says so, and who
// started the scan goes back.
#pragma once

#include "cuda/kernels/candidates/asked.hpp"
#include "cuda/kernels/products/collecting.hpp"

namespace asof::cuda::candidates {

/// What is known of a score: its bounds; what panels make of it, rounded to float as the host
/// compares such scores; itself, by the f32 vector.
enum class Known : std::uint16_t { within, roughly, exactly };

struct Candidate {
  double most, least;  // the score is within [least, most]
  std::uint32_t row;   // of its segment
  std::uint16_t segment;
  Known known;
  std::uint32_t passage;
  float similarity;  // as multiplied by panels, or of the f32 vector
};

struct Lists {
  Candidate* list;       // query q: [q * room, q * room + min(count[q], room))
  std::uint32_t* count;  // a count above `room` says that some are missing; the one after the last
                         // query's is not 0 where survivors are
  double* threshold;     // no candidate that scores less can win
  float* least_similarity;  // what the threshold asks of a row's similarity in the segment in hand
  std::uint32_t* scored;    // candidates whose vectors were read
  std::uint32_t room;
};

/// What a product of panels says of a score: its bounds, or the score itself but for rows whose
/// panels hold nothing of them.
enum class Reading : std::uint8_t { certified, approximate };

/// Makes candidates of one segment: what becomes of the survivors of a scan there.
struct Joining {
  Columns columns;
  const Asked* asked;  // one a query
  const Mask* masks;
  Lists lists;
  const std::uint32_t* sampled;  // of a sample: which 64 rows of the segment each 64 of it are;
                                 // null: rows are the segment's own
  std::uint16_t segment;
  Reading reading;

  /// Whether the query sees the row and its best score reaches the threshold.
  __device__ bool operator()(std::uint32_t query, const products::Survivor& survivor,
                             Candidate& made) const {
    const Asked& by = asked[query];
    const float product = survivor.product, most = survivor.most;
    const std::uint32_t row =
        sampled == nullptr ? survivor.row : sampled[survivor.row / 64] * 64 + survivor.row % 64;
    if (!shown(columns, row) || !seen(columns, masks[by.mask], row)) return false;
    double above, below;
    const bool rough = reading == Reading::approximate && most < INFINITY;
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
            rough ? Known::roughly : Known::within,
            columns.row_passage[row],
            product};
    return true;
  }
};

/// After a chunk: appends what its survivors make. Block y: query y.
ASOF_KERNEL void __launch_bounds__(256)
    join(Joining joining, products::Collecting survivors, std::uint32_t queries) {
  const std::uint32_t query = blockIdx.y, all = survivors.count[query * products::count_stride],
                      count = all < survivors.room ? all : survivors.room;
  Lists& lists = joining.lists;
  for (std::uint32_t from = blockIdx.x * blockDim.x + threadIdx.x; from < count;
       from += gridDim.x * blockDim.x) {
    Candidate made;
    if (!joining(query, survivors.list[std::size_t(query) * survivors.room + from], made)) continue;
    const std::uint32_t at = atomicAdd(lists.count + query, 1u);
    if (at < lists.room) lists.list[std::size_t(query) * lists.room + at] = made;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0 && all > survivors.room) lists.count[queries] = 1;
}

/// Before a segment's scan: what each query's threshold asks of similarities there.
ASOF_KERNEL void read_thresholds(Lists lists, const Asked* asked, std::uint32_t queries) {
  const std::uint32_t query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query < queries)
    lists.least_similarity[query] = least_similarity(asked[query], lists.threshold[query]);
}

inline constexpr unsigned look_threads = 256, look_turns = 8, look_rows = look_threads * look_turns;

/// Which rows each mask lets be seen: their number, and of every 64 rows whether any mask shows
/// one. A block looks at look_rows rows, so that its counts are one addition a mask.
ASOF_KERNEL void __launch_bounds__(look_threads)
    look(Columns columns, const Mask* masks, std::uint32_t mask_count, unsigned long long* visible,
         unsigned long long* worth) {
  __shared__ std::uint32_t counts[look_threads / warp_lanes];
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  const std::uint32_t first = blockIdx.x * look_rows + threadIdx.x;
  unsigned shown_bits = 0, any_bits = 0;  // of the thread's rows; of its warp's
  ASOF_UNROLL
  for (unsigned turn = 0; turn < look_turns; ++turn)
    shown_bits |= unsigned{shown(columns, first + turn * look_threads)} << turn;
  for (std::uint32_t m = 0; m < mask_count; ++m) {
    std::uint32_t count = 0;
    for (unsigned turn = 0; turn < look_turns; ++turn) {
      const unsigned lanes =
          __ballot_sync(all_lanes, (shown_bits >> turn & 1) != 0 &&
                                       seen(columns, masks[m], first + turn * look_threads));
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
  for (unsigned turn = lane; turn < look_turns; turn += warp_lanes) {
    const std::uint32_t row = blockIdx.x * look_rows + turn * look_threads + warp * warp_lanes;
    if (any_bits >> turn & 1) atomicOr(worth + row / 64 / 64, 1ull << (row / 64 % 64));
  }
}

}  // namespace asof::cuda::candidates
