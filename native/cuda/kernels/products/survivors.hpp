// Certified scan of swizzled panels: for a pass of queries, calls take(query, row, product, upper)
// for every row whose upper bound reaches the query's threshold. Layout, rounding, products and
// bounds are those of kernels/quantized/contract.hpp: int8 products have the same bits, and the
// same rows survive.
//
// A warp multiplies 64 rows by 16, 32 or 64 queries, with sums in registers; the warps of a block
// divide rows and queries among them. Rows pass through a ring buffer in shared memory, one tile of
// K per stage, which asynchronous copies fill several stages ahead: a processor needs some 18 KB in
// flight to saturate an H100's memory. Queries stay in shared memory for the whole pass, in the
// order in which lanes read them. A sum is first tested by one addition (the CPU's filter.hpp
// derives the test), and the few that pass by the exact test.
//
// The assignment of a panel's rows to a fragment's rows is free, as long as sums are read by the
// same one: a lane loads four rows of a panel's line at once.
//   lane l, pair of panels: panel l / 16 of the pair, places 4 (l / 4 % 4) .. + 3; fragment h of
//   two has places 2 h and 2 h + 1 of those
#pragma once

#include "cuda/kernels/products/fragments.hpp"
#include "cuda/kernels/products/panel_swizzle.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::cuda::products {

using quantized::panel_rows;
using quantized::PanelRecord;
using quantized::tile_lines;

/// Rows of a segment, or of a page of it, in device memory, as quantized::Rows; `first` is the
/// page's first panel.
struct Rows {
  const std::uint8_t* panels;
  const PanelRecord* records;
  std::uint32_t n, tiles, first;

  __device__ const PanelRecord& record(std::uint32_t panel) const { return records[panel - first]; }
};

/// Queries of a pass in device memory. `lines` are panels of 16 queries in the layout of rows,
/// padded with zeros from nq to a multiple of 16.
struct Queries {
  const std::uint8_t* lines;
  const float *scale, *alpha, *beta, *omega;
  const float* thresholds;
  std::uint32_t nq;
};

struct Pass {
  Rows rows;
  Queries queries;
  // Bit g of word g / 64: a row of panels [4 g, 4 g + 4) passes some query's mask. Null: all do.
  const std::uint64_t* live_groups;
  std::uint32_t first_panel, last_panel;  // first_panel is a multiple of 4
  std::uint32_t query_warps;  // warps that divide the queries; the others divide the rows
  std::uint32_t stages;       // of the ring, 2 to max_stages
};

inline constexpr unsigned warp_panels = 4, block_warps = 8, max_stages = 8;
inline constexpr unsigned steps_per_tile = quantized::tile_bytes / line_bytes / fragment_groups;
inline constexpr unsigned tile_chunks = quantized::tile_bytes / sizeof(Chunk16);
static_assert(max_stages - 2 <= most_copies_left &&
              block_warps * warp_lanes == warp_panels * tile_chunks);

/// Bytes of shared memory of the queries of a pass, and of a stage of the ring.
inline std::size_t query_bytes(std::uint32_t nq, std::uint32_t tiles) {
  const std::size_t panels = (nq + panel_rows - 1) / panel_rows;
  return panels * (tiles * quantized::tile_bytes + panel_rows * 3 * sizeof(float));
}
inline std::size_t stage_bytes(std::uint32_t query_warps) {
  return block_warps / query_warps * warp_panels * quantized::tile_bytes;
}

/// Position of a word of a query panel in shared memory. A lane's words of a step are adjacent:
/// words 0 and 1 of eight queries, then those of the other eight.
__device__ inline std::uint32_t shared_word(std::uint32_t query_panels, std::uint32_t query,
                                            std::uint32_t group) {
  const std::uint32_t step = group / fragment_groups, lane = query % 8 * 4 + group % 4;
  return ((step * query_panels + query / panel_rows) * warp_lanes + lane) * 4 + query / 8 % 2 * 2 +
         group / 4 % 2;
}

/// Shared memory of a block: queries, the coefficients of their tests, and the ring of rows.
struct SharedPanels {
  std::uint32_t* words;
  float *alpha, *beta, *limit;
  Chunk16* ring;
};

__device__ inline float within_finite(float value) {
  constexpr float largest = 3.402823466e38f;
  return value > largest ? largest : value < -largest ? -largest : value;
}

/// Coefficients of a query's test (filter.hpp): v + alpha most_error + beta most_length - limit >=
/// 0 for every sum v, in units of the query's scale, that passes the exact test.
struct Test {
  float alpha, beta, limit;
};

__device__ inline Test test_of(const Queries& queries, std::uint32_t query) {
  const bool exists = query < queries.nq;
  const float scale = exists ? queries.scale[query] : 0.0f, inverse = scale > 0 ? 1 / scale : 1.0f;
  const float alpha = exists ? queries.alpha[query] : 0.0f,
              beta = exists ? queries.beta[query] : 0.0f;
  const float threshold = exists ? queries.thresholds[query] : INFINITY,
              omega = exists ? queries.omega[query] : 0.0f;
  const float limit =
      threshold != threshold
          ? within_finite(-INFINITY)
          : within_finite(within_finite(within_finite(threshold) - 2 * omega) * inverse);
  return {alpha * inverse * (1 + 0x1p-18f),
          (beta * (1 + 0x1p-18f) + (alpha + beta) * 0x1p-20f) * inverse,
          within_finite(limit - fabsf(limit) * 0x1p-20f)};
}

__device__ inline SharedPanels load_queries(const Pass& pass) {
  const std::uint32_t groups = pass.rows.tiles * tile_lines,
                      room = (pass.queries.nq + panel_rows - 1) / panel_rows * panel_rows;
  SharedPanels shared;
  shared.words = static_cast<std::uint32_t*>(dynamic_shared());
  shared.alpha = reinterpret_cast<float*>(shared.words + room * groups);
  shared.beta = shared.alpha + room;
  shared.limit = shared.beta + room;
  shared.ring = reinterpret_cast<Chunk16*>(shared.limit + room);
  const std::uint32_t* lines = reinterpret_cast<const std::uint32_t*>(pass.queries.lines);
  for (std::uint32_t at = threadIdx.x; at < room * groups; at += blockDim.x) {
    const std::uint32_t query = at / (groups * panel_rows) * panel_rows + at % panel_rows,
                        group = at / panel_rows % groups;
    shared.words[shared_word(room / panel_rows, query, group)] = lines[at];
  }
  for (std::uint32_t query = threadIdx.x; query < room; query += blockDim.x) {
    const Test test = test_of(pass.queries, query);
    shared.alpha[query] = test.alpha;
    shared.beta[query] = test.beta;
    shared.limit[query] = test.limit;
  }
  __syncthreads();
  return shared;
}

/// Position of the ring: a tile of the rows of all warps from `panel` on.
struct Cursor {
  std::uint32_t panel, tile = 0;
};

__device__ inline bool is_live(const Pass& pass, std::uint32_t panel) {
  const std::uint32_t group = panel / warp_panels;
  return panel < pass.last_panel &&
         (pass.live_groups == nullptr || (pass.live_groups[group / 64] >> (group % 64) & 1) != 0);
}

/// The first panel from `panel` on of which some warp's group is live; uniform over the block.
__device__ inline std::uint32_t next_live(const Pass& pass, std::uint32_t panel) {
  const std::uint32_t groups = block_warps / pass.query_warps,
                      stride = gridDim.x * groups * warp_panels;
  for (; panel < pass.last_panel; panel += stride) {
    for (std::uint32_t group = 0; group < groups; ++group) {
      if (is_live(pass, panel + group * warp_panels)) return panel;
    }
  }
  return panel;
}

__device__ inline void advance(const Pass& pass, Cursor& cursor) {
  if (++cursor.tile < pass.rows.tiles) return;
  cursor.tile = 0;
  cursor.panel =
      next_live(pass, cursor.panel + gridDim.x * (block_warps / pass.query_warps) * warp_panels);
}

/// Starts the copies of a stage, one chunk per thread and group. Commits a copy group even if
/// nothing is left to copy.
__device__ inline void fetch(const Pass& pass, const SharedPanels& shared, const Cursor& cursor,
                             std::uint32_t stage) {
  const std::uint32_t groups = block_warps / pass.query_warps;
  const std::size_t bytes = std::size_t(pass.rows.tiles) * quantized::tile_bytes;
  const unsigned panel = threadIdx.x / tile_chunks, chunk = threadIdx.x % tile_chunks;
  for (std::uint32_t group = 0; group < groups; ++group) {
    const std::uint32_t first = cursor.panel + group * warp_panels;
    if (!is_live(pass, first)) continue;
    const std::uint32_t from =
        first + panel < pass.last_panel ? first + panel : pass.last_panel - 1;
    Chunk16* tile = shared.ring + ((stage * groups + group) * warp_panels + panel) * tile_chunks;
    copy_sixteen(tile + chunk, pass.rows.panels + (from - pass.rows.first) * bytes +
                                   std::size_t(cursor.tile) * quantized::tile_bytes +
                                   chunk * sizeof(Chunk16));
  }
  commit_copies();
}

/// Sums of a lane: for each of four fragments (two pairs of panels, two rows each) and each tile of
/// eight queries, two rows by two queries.
template <bool whole, int query_tiles>
using Sums = Sum<whole>[warp_panels][query_tiles][4];

/// A tile of a warp's rows in the ring, and the warp's first query.
struct TileOperands {
  const Chunk16* rows;
  std::uint32_t tile, first_query;
};

template <bool whole, int query_tiles>
__device__ inline void multiply_tile(const Pass& pass, const SharedPanels& shared,
                                     const TileOperands& operands, Sums<whole, query_tiles>& sums) {
  const auto& [rows, tile, first_query] = operands;
  const unsigned lane = threadIdx.x % warp_lanes, line = lane % 4, place = lane / 4 % 4;
  const std::uint32_t query_panels = (pass.queries.nq + panel_rows - 1) / panel_rows;
  ASOF_UNROLL
  for (unsigned half = 0; half < steps_per_tile; ++half) {
    RowWords words[warp_panels];
    ASOF_UNROLL
    for (unsigned pair = 0; pair < warp_panels / 2; ++pair) {
      const Chunk16* panel = rows + (2 * pair + lane / 16) * tile_chunks;
      const Chunk16 near = panel[chunk_place(half * fragment_groups + line, place)],
                    far = panel[chunk_place(half * fragment_groups + line + 4, place)];
      words[2 * pair] = {{near.word[0], near.word[1], far.word[0], far.word[1]}};
      words[2 * pair + 1] = {{near.word[2], near.word[3], far.word[2], far.word[3]}};
    }
    const Chunk16* step =
        reinterpret_cast<const Chunk16*>(shared.words) +
        ((tile * steps_per_tile + half) * query_panels + first_query / panel_rows) * warp_lanes;
    ASOF_UNROLL
    for (int two = 0; two < query_tiles / 2; ++two) {
      if (first_query + two * panel_rows >= pass.queries.nq) continue;
      const Chunk16 operand = step[two * warp_lanes + lane];
      ASOF_UNROLL
      for (unsigned p = 0; p < warp_panels; ++p) {
        multiply_add(sums[p][2 * two], words[p], {{operand.word[0], operand.word[1]}});
        multiply_add(sums[p][2 * two + 1], words[p], {{operand.word[2], operand.word[3]}});
      }
    }
  }
}

/// Four sums of a lane: two rows from `place` on by two queries from `query` on.
template <bool whole>
struct Four {
  Sum<whole> sum[4];
  std::uint32_t panel, place, query;
};

/// The exact test of the contract.
template <bool whole, typename Take>
__device__ inline void test_sum(const Pass& pass, const Take& take, Sum<whole> sum,
                                std::uint32_t query, std::uint32_t row) {
  if (query >= pass.queries.nq || row >= pass.rows.n) return;
  const PanelRecord& record = pass.rows.record(row / panel_rows);
  const std::uint32_t place = row % panel_rows;
  float product;
  if constexpr (whole)
    product = static_cast<float>(sum) * record.scale[place] * pass.queries.scale[query];
  else
    product = sum;
  const float error = pass.queries.alpha[query] * record.error[place] +
                      pass.queries.beta[query] * record.length[place] + pass.queries.omega[query];
  const float upper = product + error;
  if (!(upper < pass.queries.thresholds[query])) take(query, row, product, upper);
}

template <bool whole, typename Take>
__device__ inline void test_four(const Pass& pass, const Take& take, const Four<whole>& four) {
  for (unsigned at = 0; at < 4; ++at)
    test_sum<whole>(pass, take, four.sum[at], four.query + at % 2,
                    four.panel * panel_rows + four.place + at / 2);
}

/// First panel and first query of a warp's sums.
struct SumOrigin {
  std::uint32_t panel, query;
};

template <bool whole, int query_tiles, typename Take>
__device__ inline void test_all(const Pass& pass, const Take& take, const SharedPanels& shared,
                                SumOrigin origin, const Sums<whole, query_tiles>& sums) {
  const unsigned lane = threadIdx.x % warp_lanes;
  ASOF_UNROLL
  for (unsigned p = 0; p < warp_panels; ++p) {
    const std::uint32_t panel = origin.panel + p / 2 * 2 + lane / 16,
                        place = lane / 4 % 4 * 4 + p % 2 * 2;
    if (panel >= pass.last_panel) continue;
    const PanelRecord& record = pass.rows.record(panel);
    const float scales[2] = {record.scale[place], record.scale[place + 1]};
    ASOF_UNROLL
    for (int tile = 0; tile < query_tiles; ++tile) {
      const std::uint32_t query = origin.query + tile * fragment_queries + lane % 4 * 2;
      if (query >= pass.queries.nq) continue;
      float best = -INFINITY;
      ASOF_UNROLL
      for (unsigned at = 0; at < 4; ++at) {
        const std::uint32_t own = query + at % 2;
        const float room = shared.alpha[own] * record.most_error +
                           (shared.beta[own] * record.most_length - shared.limit[own]);
        float value;
        if constexpr (whole)
          value = static_cast<float>(sums[p][tile][at]) * scales[at / 2];
        else
          value = sums[p][tile][at];
        best = fmaxf(best, value + room);
      }
      if (best >= 0)
        test_four<whole>(pass, take,
                         {{sums[p][tile][0], sums[p][tile][1], sums[p][tile][2], sums[p][tile][3]},
                          panel,
                          place,
                          query});
    }
  }
}

template <bool whole, int query_tiles, typename Take>
__global__ void __launch_bounds__(block_warps * 32)
    survivors(const ASOF_STAYS Pass pass, const ASOF_STAYS Take take) {
  const SharedPanels shared = load_queries(pass);
  const std::uint32_t warp = threadIdx.x / warp_lanes, groups = block_warps / pass.query_warps,
                      group = warp / pass.query_warps;
  const std::uint32_t first_query = warp % pass.query_warps * query_tiles * fragment_queries;
  Cursor now{next_live(pass, pass.first_panel + blockIdx.x * groups * warp_panels)}, ahead = now;
  for (std::uint32_t stage = 0; stage + 1 < pass.stages; ++stage) {
    fetch(pass, shared, ahead, stage);
    if (ahead.panel < pass.last_panel) advance(pass, ahead);
  }
  Sums<whole, query_tiles> sums = {};
  for (std::uint32_t stage = 0; now.panel < pass.last_panel;
       stage = stage + 1 < pass.stages ? stage + 1 : 0) {
    wait_copies(pass.stages - 2);
    __syncthreads();  // this stage is complete, and the previous one read by all
    fetch(pass, shared, ahead, stage == 0 ? pass.stages - 1 : stage - 1);
    if (ahead.panel < pass.last_panel) advance(pass, ahead);
    const std::uint32_t panel = now.panel + group * warp_panels;
    const bool own = is_live(pass, panel) && first_query < pass.queries.nq;
    if (own)
      multiply_tile<whole, query_tiles>(
          pass, shared,
          {shared.ring + (stage * groups + group) * warp_panels * tile_chunks, now.tile,
           first_query},
          sums);
    if (own && now.tile + 1 == pass.rows.tiles) {
      test_all<whole, query_tiles>(pass, take, shared, {panel, first_query}, sums);
      ASOF_UNROLL
      for (unsigned p = 0; p < warp_panels; ++p) {
        ASOF_UNROLL
        for (int tile = 0; tile < query_tiles; ++tile) {
          ASOF_UNROLL
          for (unsigned at = 0; at < 4; ++at) sums[p][tile][at] = 0;
        }
      }
    }
    advance(pass, now);
  }
  wait_copies(0);
}

}  // namespace asof::cuda::products
