// The certified scan of panels on Hopper: what survivors.hpp does, by that generation's own means. Of three warpgroups one copies and two multiply. The
// copying one keeps a ring of stages full for each of the others, 64 rows by 128 bytes a stage; a stage is free as soon as its rows are in registers. Each
// of those takes every other group of 64 rows, all queries of the pass at once, so that one's sums are compared while the other's tensor cores are at work. Queries
// stay in shared memory. The same pairs survive as there, with the same bits of int8 products.
#pragma once

#include "cuda/kernels/barriers.hpp"
#include "cuda/kernels/products/survivors.hpp"
#include "cuda/kernels/products/warpgroup_fragments.hpp"

namespace asof::cuda::products {

inline constexpr unsigned multiplying = 2, wide_threads = (multiplying + 1) * warpgroup_threads, warpgroup_warps = warpgroup_threads / warp_lanes;
inline constexpr unsigned stage_tiles = 2, stage_steps = stage_tiles * steps_per_tile, wide_stage_bytes = warp_panels * stage_tiles * quantized::tile_bytes;
inline constexpr unsigned least_wide_stages = 2, most_wide_stages = 8;  // of each warpgroup's ring
static_assert(warp_panels == warpgroup_warps);  // a warp multiplies a panel

/// A stage of the ring: its rows are there, and every warp that multiplies them has read them.
struct Stage {
  Barrier full, free;
};

/// What the block keeps of its queries, its rings one after the other, and what a sum must have beside it to be looked at, query by query: two lists of each warpgroup that
/// multiplies, of which one is read while the next group's is written.
struct WideKept {
  std::uint32_t* words;
  std::uint8_t* ring;
  Stage* stage;
  float *alpha, *beta, *limit, *room;
};

/// Stages that a group's rows take: where the last is not whole, queries are zeros beyond their end.
__host__ __device__ inline std::uint32_t parts_of(std::uint32_t tiles) { return (tiles + stage_tiles - 1) / stage_tiles; }

inline std::size_t wide_bytes(std::uint32_t width, std::uint32_t tiles, std::uint32_t stages) {
  return std::size_t(width) * parts_of(tiles) * stage_tiles * line_bytes + multiplying * stages * (wide_stage_bytes + sizeof(Stage)) + width * (3 + 2 * multiplying) * sizeof(float);
}

#if ASOF_WARPGROUPS

template <int width>
__device__ inline WideKept keep_wide(const Pass& pass) {
  WideKept kept;
  const std::uint32_t groups = pass.rows.tiles * tile_lines, room = parts_of(pass.rows.tiles) * stage_tiles * tile_lines;
  const std::uint32_t there = (pass.queries.nq + panel_rows - 1) / panel_rows * panel_rows;
  kept.words = static_cast<std::uint32_t*>(dynamic_shared());
  kept.ring = reinterpret_cast<std::uint8_t*>(kept.words + width * room);
  kept.stage = reinterpret_cast<Stage*>(kept.ring + multiplying * pass.stages * wide_stage_bytes);
  kept.alpha = reinterpret_cast<float*>(kept.stage + multiplying * pass.stages);
  kept.beta = kept.alpha + width;
  kept.limit = kept.beta + width;
  kept.room = kept.limit + width;
  const std::uint32_t* lines = reinterpret_cast<const std::uint32_t*>(pass.queries.lines);
  for (std::uint32_t at = threadIdx.x; at < width * room; at += blockDim.x) {
    const std::uint32_t panel = at / (room * panel_rows), group = at / panel_rows % room, query = panel * panel_rows + at % panel_rows;
    const bool exists = query < there && group < groups;
    kept.words[group / fragment_groups * fragment_groups * width + step_word(width, query, group % fragment_groups)] =
        exists ? lines[(panel * groups + group) * panel_rows + at % panel_rows] : 0;
  }
  if (room > groups) {  // what was never written must be a number, to be nothing by zero
    Sixteen* ring = reinterpret_cast<Sixteen*>(kept.ring);
    for (std::uint32_t at = threadIdx.x; at < multiplying * pass.stages * wide_stage_bytes / sizeof(Sixteen); at += blockDim.x) ring[at] = {};
  }
  for (std::uint32_t query = threadIdx.x; query < width; query += blockDim.x) {
    const Test test = test_of(pass.queries, query);
    kept.alpha[query] = test.alpha;
    kept.beta[query] = test.beta;
    kept.limit[query] = test.limit;
  }
  for (std::uint32_t stage = threadIdx.x; stage < multiplying * pass.stages; stage += blockDim.x) {
    set_up(kept.stage[stage].full, 1);
    set_up(kept.stage[stage].free, warpgroup_warps);
  }
  written_for_copies();
  __syncthreads();
  return kept;
}

/// Where somebody is in a ring: stages are filled and emptied in the order of their numbers, round after round.
struct Turn {
  std::uint32_t begin, stage = 0, round = 0;

  __device__ std::uint32_t number() const { return begin + stage; }
  __device__ void pass_on(std::uint32_t stages) {
    if (++stage < stages) return;
    stage = 0;
    ++round;
  }
};

/// The block's groups of 64 rows that are worth reading, from `panel` on; past the last panel there are none.
__device__ inline std::uint32_t worth_from(const Pass& pass, std::uint32_t panel) {
  while (panel < pass.last_panel && !worth_reading(pass, panel)) panel += gridDim.x * warp_panels;
  return panel;
}
__device__ inline std::uint32_t worth_after(const Pass& pass, std::uint32_t panel) { return worth_from(pass, panel + gridDim.x * warp_panels); }

/// One thread copies the rows of the block.
__device__ inline void copy_rows(const Pass& pass, const WideKept& kept) {
  const std::size_t bytes = std::size_t(pass.rows.tiles) * quantized::tile_bytes;
  const std::uint32_t parts = parts_of(pass.rows.tiles);
  Turn turn{0}, other{pass.stages};
  for (std::uint32_t panel = worth_from(pass, pass.first_panel + blockIdx.x * warp_panels); panel < pass.last_panel; panel = worth_after(pass, panel)) {
    const std::uint32_t panels = pass.last_panel - panel < warp_panels ? pass.last_panel - panel : warp_panels;
    const std::uint8_t* from = pass.rows.panels + (panel - pass.rows.first) * bytes;
    for (std::uint32_t part = 0; part < parts; ++part) {
      Stage& stage = kept.stage[turn.number()];
      if (turn.round > 0) wait(stage.free, (turn.round - 1) % 2);
      const std::uint32_t left = pass.rows.tiles - part * stage_tiles, piece = (left < stage_tiles ? left : stage_tiles) * quantized::tile_bytes;
      arrive_expecting(stage.full, panels * piece);
      for (std::uint32_t p = 0; p < panels; ++p) {
        std::uint8_t* to = kept.ring + turn.number() * wide_stage_bytes + p * stage_tiles * quantized::tile_bytes;
        copy_bytes(to, from + p * bytes + std::size_t(part) * stage_tiles * quantized::tile_bytes, piece, stage.full);
      }
      turn.pass_on(pass.stages);
    }
    const Turn next = other;
    other = turn;
    turn = next;
  }
}

/// What a group of 64 rows adds to a sum before it is tested, for each query: of its greatest error and length. The threads of a warpgroup share them out.
template <int width>
__device__ inline void make_room(const WideKept& kept, const PanelRecord& record, float* room, unsigned warpgroup) {
  float error = record.most_error, length = record.most_length;  // of panel l % 4
  for (int step = 1; step < static_cast<int>(warp_panels); step *= 2) {
    error = fmaxf(error, __shfl_xor_sync(all_lanes, error, step));
    length = fmaxf(length, __shfl_xor_sync(all_lanes, length, step));
  }
  for (unsigned query = threadIdx.x % warpgroup_threads; query < width; query += warpgroup_threads) {
    const float more = kept.alpha[query] * error + (kept.beta[query] * length - kept.limit[query]);
    room[query] = more == more ? more : INFINITY;
  }
  meet_threads(warpgroup, warpgroup_threads);
}

/// Reads a part of a warp's rows into registers and gives the stage back.
__device__ inline void read_part(const Pass& pass, const WideKept& kept, Turn& turn, RowWords (&words)[stage_steps]) {
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes % warpgroup_warps;
  Stage& stage = kept.stage[turn.number()];
  wait(stage.full, turn.round % 2);
  // Rows 2 (l / 4) and the next of a line are rows l / 4 and l / 4 + 8 of the fragment.
  const std::uint8_t* panel = kept.ring + turn.number() * wide_stage_bytes + warp * stage_tiles * quantized::tile_bytes + lane % 4 * line_bytes + lane / 4 * 8;
  ASOF_UNROLL
  for (unsigned step = 0; step < stage_steps; ++step) {
    const Eight near = *reinterpret_cast<const Eight*>(panel + step * fragment_groups * line_bytes);
    const Eight far = *reinterpret_cast<const Eight*>(panel + (step * fragment_groups + 4) * line_bytes);
    words[step] = {{near.word[0], near.word[1], far.word[0], far.word[1]}};
  }
  __syncwarp();
  if (lane == 0) arrive(stage.free);
  turn.pass_on(pass.stages);
}

/// Multiplies so many parts of a group, from `part` on: each is read while the products of the ones before are under way, in registers of its own.
template <int width, unsigned parts, typename Value>
__device__ inline void multiply_parts(const Pass& pass, const WideKept& kept, Turn& turn, std::uint32_t part, Value (&sums)[width / 2]) {
  RowWords words[parts][stage_steps];
  ASOF_UNROLL
  for (unsigned own = 0; own < parts; ++own) {
    read_part(pass, kept, turn, words[own]);
    const std::uint32_t* queries = kept.words + (part + own) * stage_steps * fragment_groups * width;
    before_products();
    ASOF_UNROLL
    for (unsigned step = 0; step < stage_steps; ++step) {
      multiply_add_wide<width>(sums, words[own][step], queries + step * fragment_groups * width, part + own == 0 && step == 0);
    }
    after_products();
  }
}

/// Sums that pass the test meet the exact rule. Few do, so that they are sought by groups of sixteen.
template <bool whole, int width, typename Take>
__device__ inline void meet_wide(const Pass& pass, const Take& take, const float* room, std::uint32_t panel, const float (&scale)[2], const Sum<whole> (&sums)[width / 2]) {
  constexpr int tiles = width / static_cast<int>(core_queries), together = tiles < 4 ? tiles : 4;
  const unsigned lane = threadIdx.x % warp_lanes;
  const Eight* rooms = reinterpret_cast<const Eight*>(room) + lane % 4;
  std::uint32_t passing = 0;
  ASOF_UNROLL
  for (int first = 0; first < tiles; first += together) {
    std::uint32_t below = 0xffffffffu;  // its sign, while all are
    ASOF_UNROLL
    for (int tile = first; tile < first + together; ++tile) {
      const Eight two = rooms[tile * 4];
      ASOF_UNROLL
      for (int at = 0; at < 4; ++at) below &= __float_as_uint(__fmaf_rn(static_cast<float>(sums[4 * tile + at]), scale[at / 2], __uint_as_float(two.word[at % 2])));
    }
    passing |= (~below >> 31) << first / together;
  }
  while (passing != 0) {
    const int group = __ffs(static_cast<int>(passing)) - 1;
    passing &= passing - 1;
    Sum<whole> own[4 * together];
    ASOF_UNROLL
    for (int g = 0; g < tiles / together; ++g) {
      ASOF_UNROLL
      for (int at = 0; at < 4 * together; ++at) {
        if (g == 0 || g == group) own[at] = sums[g * 4 * together + at];
      }
    }
    ASOF_UNROLL
    for (int tile = 0; tile < together; ++tile) {
      const std::uint32_t query = (group * together + tile) * core_queries + lane % 4 * 2;
      meet<whole>(pass, take, {{own[4 * tile], own[4 * tile + 1], own[4 * tile + 2], own[4 * tile + 3]}, panel, lane / 4 * 2, query});
    }
  }
}

/// One of the warpgroups that multiply: every other group of the block's.
template <bool whole, int width, typename Take>
__device__ inline void multiply_rows(const Pass& pass, const Take& take, const WideKept& kept, unsigned warpgroup) {
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes % warpgroup_warps;
  const std::uint32_t parts = parts_of(pass.rows.tiles);
  float* rooms = kept.room + (warpgroup - 1) * 2 * width;
  std::uint32_t panel = worth_from(pass, pass.first_panel + blockIdx.x * warp_panels);
  Turn turn{(warpgroup - 1) * pass.stages};
  if (warpgroup == 2) panel = worth_after(pass, panel);
  for (unsigned other = 0; panel < pass.last_panel; other = 1 - other) {
    const std::uint32_t own = panel + warp, last = pass.last_panel - 1, near = panel + lane % warp_panels;
    const PanelRecord& record = pass.rows.record(own < last ? own : last);
    const float scale[2] = {record.scale[lane / 4 * 2], record.scale[lane / 4 * 2 + 1]};
    const PanelRecord& bounds = pass.rows.record(near < last ? near : last);
    WideSums<whole, width> sums;
    std::uint32_t part = 0;
    for (; part + 2 <= parts; part += 2) {
      multiply_parts<width, 2>(pass, kept, turn, part, sums);
      wait_products<0>();
    }
    if (parts - part == 1) multiply_parts<width, 1>(pass, kept, turn, part, sums);
    make_room<width>(kept, bounds, rooms + other * width, warpgroup);
    wait_products<0>();
    if (own < pass.last_panel) meet_wide<whole, width>(pass, take, rooms + other * width, own, scale, sums);
    panel = worth_after(pass, worth_after(pass, panel));
  }
}

#endif

template <bool whole, int width, typename Take>
__global__ void __launch_bounds__(wide_threads, 1) wide_survivors(const ASOF_STAYS Pass pass, const ASOF_STAYS Take take) {
#if ASOF_WARPGROUPS
  const WideKept kept = keep_wide<width>(pass);
  const unsigned warpgroup = __shfl_sync(all_lanes, threadIdx.x / warpgroup_threads, 0);
  if (warpgroup == 0) {
    fewer_registers<24>();
    if (threadIdx.x == 0) copy_rows(pass, kept);
  } else {
    more_registers<240>();
    multiply_rows<whole, width>(pass, take, kept, warpgroup);
  }
#endif
}

}  // namespace asof::cuda::products
