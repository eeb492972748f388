// The certified scan of arranged panels on a device: for a pass of queries, every row whose upper
// bound reaches its query's threshold is handed to `take(query, row, product, most)`. Layout,
// rounding, products and bounds are those of kernels/quantized/contract.hpp, where int8 products
// have the same bits and the same rows survive. It packs nothing, chooses no thresholds and keeps
// nothing.
//
// A warp multiplies 64 rows by 16, 32 or 64 queries, with sums in registers; the warps of a block
// lie side by side over rows and over queries. Rows pass through a ring in shared memory, a tile of
// K a stage, which asynchronous copies fill several stages ahead: a processor must have some 18 KB
// under way to keep an H100's memory busy. Queries stay in shared memory for the whole pass, in the
// order in which lanes read them. A sum first meets a test of one addition a pair (filter.hpp of
// the CPU derives it), and the few that pass it the exact rule.
//
// Which row of a fragment stands for which of a panel is free, as long as sums are read alike: a
// lane takes four rows of a panel's line with one load.
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

/// Rows of a segment on the device, as quantized::Rows; of a page of it, `first` is the panel that
/// comes first there.
struct Rows {
  const std::uint8_t* panels;
  const PanelRecord* records;
  std::uint32_t n, tiles, first;

  __device__ const PanelRecord& record(std::uint32_t panel) const { return records[panel - first]; }
};

/// Queries of a pass on the device. `lines` are panels of 16 queries in the layout of rows; numbers
/// beyond nq are zeros up to a multiple of 16.
struct Queries {
  const std::uint8_t* lines;
  const float *scale, *alpha, *beta, *omega;
  const float* thresholds;
  std::uint32_t nq;
};

struct Pass {
  Rows rows;
  Queries queries;
  const std::uint64_t*
      live_groups;  // bit g of word g / 64: some query may see a row of panels [4 g, 4 g
                    // + 4); null: all may
  std::uint32_t first_panel, last_panel;  // first_panel is a multiple of 4
  std::uint32_t query_warps;  // warps side by side over queries, which together have them all; the
                              // others are side by side over rows
  std::uint32_t stages;       // of the ring, 2 to max_stages
};

inline constexpr unsigned warp_panels = 4, block_warps = 8, max_stages = 8;
inline constexpr unsigned steps_per_tile = quantized::tile_bytes / line_bytes / fragment_groups;
inline constexpr unsigned tile_chunks = quantized::tile_bytes / sizeof(Chunk16);
static_assert(max_stages - 2 <= most_copies_left &&
              block_warps * warp_lanes == warp_panels * tile_chunks);

/// Bytes of shared memory that the queries of a pass take, and a stage of the ring.
inline std::size_t query_bytes(std::uint32_t nq, std::uint32_t tiles) {
  const std::size_t panels = (nq + panel_rows - 1) / panel_rows;
  return panels * (tiles * quantized::tile_bytes + panel_rows * 3 * sizeof(float));
}
inline std::size_t stage_bytes(std::uint32_t query_warps) {
  return block_warps / query_warps * warp_panels * quantized::tile_bytes;
}

/// The place of a word of a query panel in shared memory: what a lane needs of a step lies
/// together, word 0 and 1 of eight queries and of the other eight.
__device__ inline std::uint32_t shared_word(std::uint32_t query_panels, std::uint32_t query,
                                            std::uint32_t group) {
  const std::uint32_t step = group / fragment_groups, lane = query % 8 * 4 + group % 4;
  return ((step * query_panels + query / panel_rows) * warp_lanes + lane) * 4 + query / 8 % 2 * 2 +
         group / 4 % 2;
}

/// What the block keeps of its queries: their words, and three numbers each.
struct Kept {
  std::uint32_t* words;
  float *alpha, *beta, *limit;  // of the test of one addition
  Chunk16* ring;
};

__device__ inline float within_finite(float value) {
  constexpr float largest = 3.402823466e38f;
  return value > largest ? largest : value < -largest ? -largest : value;
}

/// What the test of one addition knows of a query; filter.hpp: v + alpha most_error + beta
/// most_length - limit >= 0 for whatever the exact rule keeps, v in units of the query's scale.
struct Test {
  float alpha, beta, limit;
};

__device__ inline Test test_of(const Queries& queries, std::uint32_t query) {
  const bool exists = query < queries.nq;
  const float scale = exists ? queries.scale[query] : 0.0f, inverse = scale > 0 ? 1 / scale : 1.0f;
  const float alpha = exists ? queries.alpha[query] : 0.0f,
              beta = exists ? queries.beta[query] : 0.0f;
  const float wanted = exists ? queries.thresholds[query] : INFINITY,
              omega = exists ? queries.omega[query] : 0.0f;
  const float limit =
      wanted != wanted ? within_finite(-INFINITY)
                       : within_finite(within_finite(within_finite(wanted) - 2 * omega) * inverse);
  return {alpha * inverse * (1 + 0x1p-18f),
          (beta * (1 + 0x1p-18f) + (alpha + beta) * 0x1p-20f) * inverse,
          within_finite(limit - fabsf(limit) * 0x1p-20f)};
}

__device__ inline Kept keep_queries(const Pass& pass) {
  const std::uint32_t groups = pass.rows.tiles * tile_lines,
                      room = (pass.queries.nq + panel_rows - 1) / panel_rows * panel_rows;
  Kept kept;
  kept.words = static_cast<std::uint32_t*>(dynamic_shared());
  kept.alpha = reinterpret_cast<float*>(kept.words + room * groups);
  kept.beta = kept.alpha + room;
  kept.limit = kept.beta + room;
  kept.ring = reinterpret_cast<Chunk16*>(kept.limit + room);
  const std::uint32_t* lines = reinterpret_cast<const std::uint32_t*>(pass.queries.lines);
  for (std::uint32_t at = threadIdx.x; at < room * groups; at += blockDim.x) {
    const std::uint32_t query = at / (groups * panel_rows) * panel_rows + at % panel_rows,
                        group = at / panel_rows % groups;
    kept.words[shared_word(room / panel_rows, query, group)] = lines[at];
  }
  for (std::uint32_t query = threadIdx.x; query < room; query += blockDim.x) {
    const Test test = test_of(pass.queries, query);
    kept.alpha[query] = test.alpha;
    kept.beta[query] = test.beta;
    kept.limit[query] = test.limit;
  }
  __syncthreads();
  return kept;
}

/// Where the ring is: a tile of the rows of all warps from `panel` on.
struct Cursor {
  std::uint32_t panel, tile = 0;
};

__device__ inline bool worth_reading(const Pass& pass, std::uint32_t panel) {
  const std::uint32_t group = panel / warp_panels;
  return panel < pass.last_panel &&
         (pass.live_groups == nullptr || (pass.live_groups[group / 64] >> (group % 64) & 1) != 0);
}

/// The block's rows from `panel` on, or the next of them that are live_groups reading; every thread
/// finds the same.
__device__ inline std::uint32_t next_worth(const Pass& pass, std::uint32_t panel) {
  const std::uint32_t groups = block_warps / pass.query_warps,
                      stride = gridDim.x * groups * warp_panels;
  for (; panel < pass.last_panel; panel += stride) {
    for (std::uint32_t group = 0; group < groups; ++group) {
      if (worth_reading(pass, panel + group * warp_panels)) return panel;
    }
  }
  return panel;
}

__device__ inline void advance(const Pass& pass, Cursor& cursor) {
  if (++cursor.tile < pass.rows.tiles) return;
  cursor.tile = 0;
  cursor.panel =
      next_worth(pass, cursor.panel + gridDim.x * (block_warps / pass.query_warps) * warp_panels);
}

/// Starts the copies of a stage, a chunk a thread and group, and closes their group even where
/// there is nothing left to copy.
__device__ inline void fetch(const Pass& pass, const Kept& kept, const Cursor& cursor,
                             std::uint32_t stage) {
  const std::uint32_t groups = block_warps / pass.query_warps;
  const std::size_t bytes = std::size_t(pass.rows.tiles) * quantized::tile_bytes;
  const unsigned panel = threadIdx.x / tile_chunks, chunk = threadIdx.x % tile_chunks;
  for (std::uint32_t group = 0; group < groups; ++group) {
    const std::uint32_t first = cursor.panel + group * warp_panels;
    if (!worth_reading(pass, first)) continue;
    const std::uint32_t from =
        first + panel < pass.last_panel ? first + panel : pass.last_panel - 1;
    Chunk16* tile = kept.ring + ((stage * groups + group) * warp_panels + panel) * tile_chunks;
    copy_sixteen(tile + chunk, pass.rows.panels + (from - pass.rows.first) * bytes +
                                   std::size_t(cursor.tile) * quantized::tile_bytes +
                                   chunk * sizeof(Chunk16));
  }
  commit_copies();
}

/// What a lane sums: of four fragments (two pairs of panels, two rows each), of each tile of eight
/// queries, two rows by two queries.
template <bool whole, int query_tiles>
using Sums = Sum<whole>[warp_panels][query_tiles][4];

template <bool whole, int query_tiles>
__device__ inline void multiply_tile(const Pass& pass, const Kept& kept, const Chunk16* rows,
                                     std::uint32_t tile, std::uint32_t first_query,
                                     Sums<whole, query_tiles>& sums) {
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
        reinterpret_cast<const Chunk16*>(kept.words) +
        std::size_t((tile * steps_per_tile + half) * query_panels + first_query / panel_rows) *
            warp_lanes;
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

/// Four sums of a lane: two rows from `place` on, by two queries from `query` on.
template <bool whole>
struct Four {
  Sum<whole> sum[4];
  std::uint32_t panel, place, query;
};

/// The exact rule of the contract.
template <bool whole, typename Take>
__device__ inline void meet_one(const Pass& pass, const Take& take, Sum<whole> sum,
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
  const float most = product + error;
  if (!(most < pass.queries.thresholds[query])) take(query, row, product, most);
}

template <bool whole, typename Take>
__device__ inline void meet(const Pass& pass, const Take& take, const Four<whole>& four) {
  for (unsigned at = 0; at < 4; ++at)
    meet_one<whole>(pass, take, four.sum[at], four.query + at % 2,
                    four.panel * panel_rows + four.place + at / 2);
}

template <bool whole, int query_tiles, typename Take>
__device__ inline void meet_all(const Pass& pass, const Take& take, const Kept& kept,
                                std::uint32_t first_panel, std::uint32_t first_query,
                                const Sums<whole, query_tiles>& sums) {
  const unsigned lane = threadIdx.x % warp_lanes;
  ASOF_UNROLL
  for (unsigned p = 0; p < warp_panels; ++p) {
    const std::uint32_t panel = first_panel + p / 2 * 2 + lane / 16,
                        place = lane / 4 % 4 * 4 + p % 2 * 2;
    if (panel >= pass.last_panel) continue;
    const PanelRecord& record = pass.rows.record(panel);
    const float scales[2] = {record.scale[place], record.scale[place + 1]};
    ASOF_UNROLL
    for (int tile = 0; tile < query_tiles; ++tile) {
      const std::uint32_t query = first_query + tile * fragment_queries + lane % 4 * 2;
      if (query >= pass.queries.nq) continue;
      float best = -INFINITY;
      ASOF_UNROLL
      for (unsigned at = 0; at < 4; ++at) {
        const std::uint32_t own = query + at % 2;
        const float room = kept.alpha[own] * record.most_error +
                           (kept.beta[own] * record.most_length - kept.limit[own]);
        float value;
        if constexpr (whole)
          value = static_cast<float>(sums[p][tile][at]) * scales[at / 2];
        else
          value = sums[p][tile][at];
        best = fmaxf(best, value + room);
      }
      if (best >= 0)
        meet<whole>(pass, take,
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
  const Kept kept = keep_queries(pass);
  const std::uint32_t warp = threadIdx.x / warp_lanes, groups = block_warps / pass.query_warps,
                      group = warp / pass.query_warps;
  const std::uint32_t first_query = warp % pass.query_warps * query_tiles * fragment_queries;
  Cursor now{next_worth(pass, pass.first_panel + blockIdx.x * groups * warp_panels)}, ahead = now;
  for (std::uint32_t stage = 0; stage + 1 < pass.stages; ++stage) {
    fetch(pass, kept, ahead, stage);
    if (ahead.panel < pass.last_panel) advance(pass, ahead);
  }
  Sums<whole, query_tiles> sums = {};
  for (std::uint32_t stage = 0; now.panel < pass.last_panel;
       stage = stage + 1 < pass.stages ? stage + 1 : 0) {
    wait_copies(pass.stages - 2);
    __syncthreads();  // the stage is there, and everybody has read the one before
    fetch(pass, kept, ahead, stage == 0 ? pass.stages - 1 : stage - 1);
    if (ahead.panel < pass.last_panel) advance(pass, ahead);
    const std::uint32_t panel = now.panel + group * warp_panels;
    const bool own = worth_reading(pass, panel) && first_query < pass.queries.nq;
    if (own)
      multiply_tile<whole, query_tiles>(
          pass, kept, kept.ring + (stage * groups + group) * warp_panels * tile_chunks, now.tile,
          first_query, sums);
    if (own && now.tile + 1 == pass.rows.tiles) {
      meet_all<whole, query_tiles>(pass, take, kept, panel, first_query, sums);
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
