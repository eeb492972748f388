// The certified scan of panels on a device: for a pass of queries, every row whose upper bound reaches its query's threshold
// is handed to `take(query, row, product, most)`. Layout, rounding, products and bounds are those of kernels/quantized/contract.hpp, where int8 products have the same bits
// and the same rows survive. It packs nothing, chooses no thresholds and keeps nothing.
//
// A warp multiplies 64 rows by 8, 16, 32 or 64 queries, with sums in registers. Rows come from global memory, once a warp, and the next step's words are
// asked for before this step's are multiplied; queries stay in shared memory for the whole pass. A sum first meets a test of one
// addition a pair (filter.hpp of the CPU derives it), and the few that pass it the exact rule.
#pragma once

#include "cuda/kernels/products/fragments.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::cuda::products {

using quantized::PanelRecord;
using quantized::panel_rows;
using quantized::line_bytes;
using quantized::tile_lines;

/// Rows of a segment on the device, as quantized::Rows; of a page of it, `first` is the panel that comes first there.
struct Rows {
  const std::uint8_t* panels;
  const PanelRecord* records;
  std::uint32_t n, tiles, first;

  __device__ const PanelRecord& record(std::uint32_t panel) const { return records[panel - first]; }
};

/// Queries of a pass on the device. `lines` are panels of 16 queries in the layout of rows; numbers beyond nq are zeros up to a multiple of 16.
struct Queries {
  const std::uint8_t* lines;
  const float *scale, *alpha, *beta, *omega;
  const float* thresholds;
  std::uint32_t nq;
};

struct Pass {
  Rows rows;
  Queries queries;
  const std::uint64_t* worth;  // bit g of word g / 64: some query may see a row of panels [4 g, 4 g + 4); null: all may
  std::uint32_t first_panel, last_panel;  // first_panel is a multiple of 4
  std::uint32_t query_warps;  // warps side by side over queries; the others are side by side over rows
};

inline constexpr unsigned warp_panels = 4, block_warps = 8;
inline constexpr unsigned steps_per_tile = quantized::tile_bytes / line_bytes / fragment_groups;

/// Bytes of shared memory that a pass of nq queries takes.
inline std::size_t shared_bytes(std::uint32_t nq, std::uint32_t tiles) {
  const std::size_t panels = (nq + panel_rows - 1) / panel_rows;
  return panels * (tiles * quantized::tile_bytes + panel_rows * 4 * sizeof(float));
}

/// The word of a group of a query in shared memory. Lanes of a fragment read four groups of eight queries at once: the halves of a line
/// change places in every other pair of groups, so that the 32 words lie in 32 banks.
__device__ inline std::uint32_t shared_word(std::uint32_t groups, std::uint32_t query, std::uint32_t group) {
  const std::uint32_t place = query % panel_rows ^ (group / 2 % 2) * (panel_rows / 2);
  return (query / panel_rows * groups + group) * panel_rows + place;
}

/// What the block keeps of its queries: their words, and four numbers each.
struct Kept {
  std::uint32_t* words;
  float *scale, *alpha, *beta, *limit;  // of the test of one addition
};

__device__ inline float within_finite(float value) {
  constexpr float largest = 3.402823466e38f;
  return value > largest ? largest : value < -largest ? -largest : value;
}

/// filter.hpp: v + alpha' most_error + beta' most_length - t' >= 0 for whatever the exact rule keeps, v in units of the query's scale.
__device__ inline void read_query(const Queries& queries, std::uint32_t query, Kept& kept) {
  const bool exists = query < queries.nq;
  const float scale = exists ? queries.scale[query] : 0.0f, inverse = scale > 0 ? 1 / scale : 1.0f;
  const float alpha = exists ? queries.alpha[query] : 0.0f, beta = exists ? queries.beta[query] : 0.0f;
  const float wanted = exists ? queries.thresholds[query] : INFINITY, omega = exists ? queries.omega[query] : 0.0f;
  const float limit = wanted != wanted ? within_finite(-INFINITY) : within_finite(within_finite(within_finite(wanted) - 2 * omega) * inverse);
  kept.scale[query] = scale;
  kept.limit[query] = within_finite(limit - fabsf(limit) * 0x1p-20f);
  kept.alpha[query] = alpha * inverse * (1 + 0x1p-18f);
  kept.beta[query] = (beta * (1 + 0x1p-18f) + (alpha + beta) * 0x1p-20f) * inverse;
}

__device__ inline Kept keep_queries(const Pass& pass) {
  const std::uint32_t groups = pass.rows.tiles * tile_lines, room = (pass.queries.nq + panel_rows - 1) / panel_rows * panel_rows;
  Kept kept;
  kept.words = static_cast<std::uint32_t*>(dynamic_shared());
  kept.scale = reinterpret_cast<float*>(kept.words + room * groups);
  kept.alpha = kept.scale + room;
  kept.beta = kept.alpha + room;
  kept.limit = kept.beta + room;
  const std::uint32_t* lines = reinterpret_cast<const std::uint32_t*>(pass.queries.lines);
  for (std::uint32_t at = threadIdx.x; at < room * groups; at += blockDim.x) {
    const std::uint32_t query = at / (groups * panel_rows) * panel_rows + at % panel_rows, group = at / panel_rows % groups;
    kept.words[shared_word(groups, query, group)] = lines[at];
  }
  for (std::uint32_t query = threadIdx.x; query < room; query += blockDim.x) read_query(pass.queries, query, kept);
  __syncthreads();
  return kept;
}

/// The words of a step of the warp's four panels.
struct Step {
  RowWords panel[warp_panels];
};

__device__ inline Step read_step(const Pass& pass, std::uint32_t first_panel, std::uint32_t step) {
  const unsigned lane = threadIdx.x % warp_lanes;
  const std::size_t bytes = std::size_t(pass.rows.tiles) * quantized::tile_bytes;
  Step read;
  ASOF_UNROLL
  for (unsigned p = 0; p < warp_panels; ++p) {
    const std::uint32_t panel = first_panel + p < pass.last_panel ? first_panel + p : pass.last_panel - 1;
    const std::uint8_t* line = pass.rows.panels + (panel - pass.rows.first) * bytes + (step * fragment_groups + lane % 4) * line_bytes + lane / 4 * 4;
    ASOF_UNROLL
    for (unsigned word = 0; word < 4; ++word) {
      read.panel[p].word[word] = *reinterpret_cast<const std::uint32_t*>(line + (word % 2) * (line_bytes / 2) + (word / 2) * 4 * line_bytes);
    }
  }
  return read;
}

/// Four sums of a lane: two rows by two queries.
template <bool whole>
struct Four {
  Sum<whole> sum[4];
  __device__ static std::uint32_t query(std::uint32_t first, unsigned lane, unsigned at) { return first + 2 * (lane % 4) + at % 2; }
  __device__ static std::uint32_t place(unsigned lane, unsigned at) { return lane / 4 + at / 2 * 8; }
};

/// The exact rule of the contract.
template <bool whole, typename Take>
ASOF_RARE __device__ void meet(const Pass& pass, Take& take, std::uint32_t panel, std::uint32_t first_query, Four<whole> four) {
  const unsigned lane = threadIdx.x % warp_lanes;
  const PanelRecord& record = pass.rows.record(panel);
  for (unsigned at = 0; at < 4; ++at) {
    const std::uint32_t query = four.query(first_query, lane, at), place = four.place(lane, at), row = panel * panel_rows + place;
    if (query >= pass.queries.nq || row >= pass.rows.n) continue;
    float product;
    if constexpr (whole) product = static_cast<float>(four.sum[at]) * record.scale[place] * pass.queries.scale[query];
    else product = four.sum[at];
    const float error = pass.queries.alpha[query] * record.error[place] + pass.queries.beta[query] * record.length[place] + pass.queries.omega[query];
    const float most = product + error;
    if (!(most < pass.queries.thresholds[query])) take(query, row, product, most);
  }
}

template <bool whole, int query_tiles, typename Take>
__device__ inline void meet_all(const Pass& pass, Take& take, const Kept& kept, std::uint32_t first_panel, std::uint32_t first_query,
                                const Sum<whole> (&sums)[warp_panels][query_tiles][4]) {
  const unsigned lane = threadIdx.x % warp_lanes;
  ASOF_UNROLL
  for (unsigned p = 0; p < warp_panels; ++p) {
    if (first_panel + p >= pass.last_panel) continue;
    const PanelRecord& record = pass.rows.record(first_panel + p);
    const float scales[2] = {record.scale[lane / 4], record.scale[lane / 4 + 8]};
    ASOF_UNROLL
    for (int tile = 0; tile < query_tiles; ++tile) {
      const std::uint32_t first = first_query + tile * fragment_queries;
      if (first >= pass.queries.nq) continue;
      float best = -INFINITY;
      ASOF_UNROLL
      for (unsigned at = 0; at < 4; ++at) {
        const std::uint32_t query = Four<whole>::query(first, lane, at);
        const float room = kept.alpha[query] * record.most_error + (kept.beta[query] * record.most_length - kept.limit[query]);
        float value;
        if constexpr (whole) value = static_cast<float>(sums[p][tile][at]) * scales[at / 2];
        else value = sums[p][tile][at];
        best = fmaxf(best, value + room);
      }
      if (best >= 0) meet<whole>(pass, take, first_panel + p, first, {{sums[p][tile][0], sums[p][tile][1], sums[p][tile][2], sums[p][tile][3]}});
    }
  }
}

__device__ inline bool worth_reading(const Pass& pass, std::uint32_t panel) {
  const std::uint32_t group = panel / warp_panels;
  return pass.worth == nullptr || (pass.worth[group / 64] >> (group % 64) & 1) != 0;
}

template <bool whole, int query_tiles, typename Take>
__global__ void __launch_bounds__(block_warps * 32) survivors(Pass pass, Take take) {
  const Kept kept = keep_queries(pass);
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  const std::uint32_t groups = pass.rows.tiles * tile_lines, steps = pass.rows.tiles * steps_per_tile, row_warps = block_warps / pass.query_warps;
  const std::uint32_t stride = gridDim.x * row_warps * warp_panels;
  std::uint32_t panel = pass.first_panel + (blockIdx.x * row_warps + warp / pass.query_warps) * warp_panels;
  for (; panel < pass.last_panel; panel += stride) {
    if (!worth_reading(pass, panel)) continue;
    for (std::uint32_t first = warp % pass.query_warps * query_tiles * fragment_queries; first < pass.queries.nq;
         first += pass.query_warps * query_tiles * fragment_queries) {
      Sum<whole> sums[warp_panels][query_tiles][4] = {};
      Step next = read_step(pass, panel, 0);
      for (std::uint32_t step = 0; step < steps; ++step) {
        const Step now = next;
        if (step + 1 < steps) next = read_step(pass, panel, step + 1);
        ASOF_UNROLL
        for (int tile = 0; tile < query_tiles; ++tile) {
          if (first + tile * fragment_queries >= pass.queries.nq) continue;
          const std::uint32_t query = first + tile * fragment_queries + lane / 4, group = step * fragment_groups + lane % 4;
          const QueryWords words = {kept.words[shared_word(groups, query, group)], kept.words[shared_word(groups, query, group + 4)]};
          ASOF_UNROLL
          for (unsigned p = 0; p < warp_panels; ++p) multiply_add(sums[p][tile], now.panel[p], words);
        }
      }
      meet_all<whole, query_tiles>(pass, take, kept, panel, first, sums);
    }
  }
}

}  // namespace asof::cuda::products
