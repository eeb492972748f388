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
inline constexpr unsigned least_wide_stages = 3, most_wide_stages = 16;  // of each ring
static_assert(warp_panels == warpgroup_warps);                           // a warp multiplies a panel

/// Of a scan: whether sums are whole numbers, how many queries it has room for, and how many tiles a stage has: one, where two leave no room for queries.
template <bool whole_, int width_, unsigned stage_tiles_>
struct Wide {
  static constexpr bool whole = whole_;
  static constexpr int width = width_;
  static constexpr unsigned stage_tiles = stage_tiles_, steps = stage_tiles * steps_per_tile, run = 4 / stage_tiles;
  static constexpr unsigned list_room = stage_tiles > 1 ? 16 : 4;  // of each warp's list of what passed
  static constexpr unsigned panel_bytes = stage_tiles * quantized::tile_bytes, stage_bytes = warp_panels * panel_bytes, step_words = fragment_groups * width;
  using Sums = WideSums<whole, width>;

  /// Stages that a group's rows take: where the last is not whole, queries are zeros beyond their end.
  __host__ __device__ static constexpr std::uint32_t parts(std::uint32_t tiles) { return (tiles + stage_tiles - 1) / stage_tiles; }
  static std::size_t shared_bytes(std::uint32_t tiles, std::uint32_t stages);
};

/// A stage of the ring: its rows are there, and every warp that multiplies them has read them.
struct Stage {
  Barrier full, free;
};

/// Sums of a lane, two rows by eight queries, of which some passed the first test: a bit each.
struct alignas(16) Passed {
  std::uint32_t sum[16];
  std::uint32_t row, query, which, unused;
};

/// What the block keeps of its queries, its rings one after the other, and what a sum must have beside it to be looked at, query by query: two lists of each warpgroup that
/// multiplies, of which one is read while the next group's is written.
struct WideKept {
  std::uint32_t* words;
  std::uint8_t* ring;
  Stage* stage;
  float *alpha, *beta, *limit;
  std::uint32_t* room;  // of two queries, as bf16
  Passed* passed;       // a list of each warp that multiplies
};

template <bool whole, int width, unsigned stage_tiles>
std::size_t Wide<whole, width, stage_tiles>::shared_bytes(std::uint32_t tiles, std::uint32_t stages) {
  const std::size_t rings = multiplying * stages * (stage_bytes + sizeof(Stage));
  return std::size_t(parts(tiles)) * steps * step_words * 4 + rings + width * (3 * sizeof(float) + 2 * multiplying * sizeof(std::uint16_t)) +
         multiplying * warpgroup_warps * list_room * sizeof(Passed);
}

#if ASOF_WARPGROUPS

template <typename Shape>
__device__ inline WideKept keep_wide(const Pass& pass) {
  constexpr std::uint32_t width = Shape::width;
  WideKept kept;
  const std::uint32_t groups = pass.rows.tiles * tile_lines, room = Shape::parts(pass.rows.tiles) * Shape::stage_tiles * tile_lines;
  const std::uint32_t there = (pass.queries.nq + panel_rows - 1) / panel_rows * panel_rows;
  kept.words = static_cast<std::uint32_t*>(dynamic_shared());
  kept.ring = reinterpret_cast<std::uint8_t*>(kept.words + width * room);
  kept.stage = reinterpret_cast<Stage*>(kept.ring + multiplying * pass.stages * Shape::stage_bytes);
  kept.alpha = reinterpret_cast<float*>(kept.stage + multiplying * pass.stages);
  kept.beta = kept.alpha + width;
  kept.limit = kept.beta + width;
  kept.room = reinterpret_cast<std::uint32_t*>(kept.limit + width);
  kept.passed = reinterpret_cast<Passed*>(kept.room + multiplying * width);  // a multiple of 16 bytes from the start, as is all before
  const std::uint32_t* lines = reinterpret_cast<const std::uint32_t*>(pass.queries.lines);
  for (std::uint32_t at = threadIdx.x; at < width * room; at += blockDim.x) {
    const std::uint32_t panel = at / (room * panel_rows), group = at / panel_rows % room, query = panel * panel_rows + at % panel_rows;
    const bool exists = query < there && group < groups;
    kept.words[group / fragment_groups * fragment_groups * width + step_word(width, query, group % fragment_groups)] =
        exists ? lines[(panel * groups + group) * panel_rows + at % panel_rows] : 0;
  }
  if (room > groups) {  // what was never written must be a number, to be nothing by zero
    Sixteen* ring = reinterpret_cast<Sixteen*>(kept.ring);
    for (std::uint32_t at = threadIdx.x; at < multiplying * pass.stages * Shape::stage_bytes / sizeof(Sixteen); at += blockDim.x) ring[at] = {};
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
template <typename Shape>
__device__ inline void copy_rows(const Pass& pass, const WideKept& kept) {
  const std::size_t bytes = std::size_t(pass.rows.tiles) * quantized::tile_bytes;
  const std::uint32_t parts = Shape::parts(pass.rows.tiles);
  Turn turn{0}, other{pass.stages};
  for (std::uint32_t panel = worth_from(pass, pass.first_panel + blockIdx.x * warp_panels); panel < pass.last_panel; panel = worth_after(pass, panel)) {
    const std::uint32_t panels = pass.last_panel - panel < warp_panels ? pass.last_panel - panel : warp_panels;
    const std::uint8_t* from = pass.rows.panels + (panel - pass.rows.first) * bytes;
    for (std::uint32_t part = 0; part < parts; ++part) {
      Stage& stage = kept.stage[turn.number()];
      if (turn.round > 0) wait(stage.free, (turn.round - 1) % 2);
      const std::uint32_t left = pass.rows.tiles - part * Shape::stage_tiles, piece = (left < Shape::stage_tiles ? left : Shape::stage_tiles) * quantized::tile_bytes;
      arrive_expecting(stage.full, panels * piece);
      for (std::uint32_t p = 0; p < panels; ++p) {
        std::uint8_t* to = kept.ring + turn.number() * Shape::stage_bytes + p * Shape::panel_bytes;
        copy_bytes(to, from + p * bytes + std::size_t(part) * Shape::panel_bytes, piece, stage.full);
      }
      turn.pass_on(pass.stages);
    }
    const Turn next = other;
    other = turn;
    turn = next;
  }
}

/// No less than the value, in the upper half of a word: a bf16. Not a number: infinity.
__device__ inline std::uint32_t bf16_not_below(float value) {
  if (!(value <= 3e38f)) return 0x7f80u << 16;
  const std::uint32_t bits = __float_as_uint(value);
  return (value > 0 ? bits + 0xffffu : bits) & 0xffff0000u;
}

/// What a group of 64 rows adds to a sum before it is tested, for each query, by its greatest error and length. The threads of a warpgroup share the queries out.
template <typename Shape>
__device__ inline void make_room(const WideKept& kept, const PanelRecord& record, std::uint32_t* room, unsigned warpgroup) {
  float error = record.most_error, length = record.most_length;  // of panel l % 4
  for (int step = 1; step < static_cast<int>(warp_panels); step *= 2) {
    error = fmaxf(error, __shfl_xor_sync(all_lanes, error, step));
    length = fmaxf(length, __shfl_xor_sync(all_lanes, length, step));
  }
  auto more = [&](unsigned query) { return kept.alpha[query] * error + (kept.beta[query] * length - kept.limit[query]); };
  for (unsigned two = threadIdx.x % warpgroup_threads; two < Shape::width / 2; two += warpgroup_threads) {
    room[two] = bf16_not_below(more(2 * two)) >> 16 | bf16_not_below(more(2 * two + 1));
  }
  meet_threads(warpgroup, warpgroup_threads);
}

/// Reads a part of a warp's rows into registers and gives the stage back.
template <typename Shape>
__device__ inline void read_part(const Pass& pass, const WideKept& kept, Turn& turn, RowWords (&words)[Shape::steps]) {
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes % warpgroup_warps;
  Stage& stage = kept.stage[turn.number()];
  wait(stage.full, turn.round % 2);
  // Rows 2 (l / 4) and the next of a line are rows l / 4 and l / 4 + 8 of the fragment; lines four apart are turned alike.
  const std::uint8_t* panel = kept.ring + turn.number() * Shape::stage_bytes + warp * Shape::panel_bytes + lane % 4 * line_bytes +
                              (lane / 4 * sizeof(Eight) ^ turned(lane % 4));
  ASOF_UNROLL
  for (unsigned step = 0; step < Shape::steps; ++step) {
    const Eight near = *reinterpret_cast<const Eight*>(panel + step * fragment_groups * line_bytes);
    const Eight far = *reinterpret_cast<const Eight*>(panel + (step * fragment_groups + 4) * line_bytes);
    words[step] = {{near.word[0], near.word[1], far.word[0], far.word[1]}};
  }
  __syncwarp();
  if (lane == 0) arrive(stage.free);
  turn.pass_on(pass.stages);
}

/// Multiplies so many parts of a group, from `part` on: each is read while the products of the ones before are under way, in registers of its own.
template <typename Shape, unsigned parts>
__device__ inline void multiply_parts(const Pass& pass, const WideKept& kept, Turn& turn, std::uint32_t part, typename Shape::Sums& sums) {
  RowWords words[parts][Shape::steps];
  ASOF_UNROLL
  for (unsigned own = 0; own < parts; ++own) {
    read_part<Shape>(pass, kept, turn, words[own]);
    const std::uint32_t* queries = kept.words + (part + own) * Shape::steps * Shape::step_words;
    before_products();
    ASOF_UNROLL
    for (unsigned step = 0; step < Shape::steps; ++step) {
      multiply_add_wide<Shape::width>(sums, words[own][step], queries + step * Shape::step_words, part + own == 0 && step == 0);
    }
    after_products();
  }
}

__device__ inline std::uint32_t bits_of(std::int32_t sum) { return static_cast<std::uint32_t>(sum); }
__device__ inline std::uint32_t bits_of(float sum) { return __float_as_uint(sum); }

/// What passed in a warp and has not met the exact rule, which reads what lies far: it does so a list at a time, a lane for each entry.
template <typename Shape>
struct PassedList {
  Passed* list;
  unsigned count = 0;

  template <typename Take>
  __device__ void meet_rule(const Pass& pass, const Take& take) {
    __syncwarp();
    const unsigned lane = threadIdx.x % warp_lanes;
    if (lane < count) {
      const Passed& own = list[lane];
      for (std::uint32_t which = own.which; which != 0; which &= which - 1) {
        const unsigned at = static_cast<unsigned>(__ffs(static_cast<int>(which))) - 1;
        Sum<Shape::whole> sum;
        if constexpr (Shape::whole) sum = static_cast<std::int32_t>(own.sum[at]);
        else sum = __uint_as_float(own.sum[at]);
        meet_one<Shape::whole>(pass, take, sum, own.query + at / 4 * core_queries + at % 2, own.row + at / 2 % 2);
      }
    }
    __syncwarp();
    count = 0;
  }

  /// Takes up what lanes have, as much at a time as there is room for. All lanes of the warp together.
  template <typename Take>
  __device__ void add(const Pass& pass, const Take& take, bool has, const Passed& own) {
    for (unsigned lanes = __ballot_sync(all_lanes, has); lanes != 0; lanes = __ballot_sync(all_lanes, has)) {
      const unsigned at = count + static_cast<unsigned>(__popc(lanes & ((1u << threadIdx.x % warp_lanes) - 1))), all = count + static_cast<unsigned>(__popc(lanes));
      if (has && at < Shape::list_room) {
        list[at] = own;
        has = false;
      }
      count = all < Shape::list_room ? all : Shape::list_room;
      if (count == Shape::list_room) meet_rule(pass, take);
    }
  }
};

/// Sums that may be found, by a test of one addition. Few are, so that they are sought sixteen at once.
template <typename Shape, typename Take>
__device__ inline void test_sums(const Pass& pass, const Take& take, const std::uint32_t* room, std::uint32_t panel, const float (&scale)[2], const typename Shape::Sums& sums,
                                 PassedList<Shape>& list) {
  constexpr int tiles = Shape::width / static_cast<int>(core_queries), together = tiles < 4 ? tiles : 4;
  const unsigned lane = threadIdx.x % warp_lanes;
  auto below = [&](Sum<Shape::whole> sum, int tile, int at) {  // its sign
    const std::uint32_t two = room[tile * 4 + lane % 4];
    return __float_as_uint(__fmaf_rn(static_cast<float>(sum), scale[at / 2], __uint_as_float(at % 2 == 0 ? two << 16 : two & 0xffff0000u)));
  };
  std::uint32_t passing = 0;
  ASOF_UNROLL
  for (int first = 0; first < tiles; first += together) {
    std::uint32_t all_below = 0xffffffffu;
    ASOF_UNROLL
    for (int at = 0; at < 4 * together; ++at) all_below &= below(sums[4 * first + at], first + at / 4, at % 4);
    passing |= (~all_below >> 31) << first / together;
  }
  ASOF_ROLLED
  for (int group = 0; __any_sync(all_lanes, passing >> group != 0); ++group) {
    const bool has = (passing >> group & 1) != 0;
    if (!__any_sync(all_lanes, has)) continue;
    Passed own;
    own.which = 0;
    own.row = panel * panel_rows + lane / 4 * 2;
    own.query = static_cast<std::uint32_t>(group * together) * core_queries + lane % 4 * 2;
    ASOF_UNROLL
    for (int at = 0; at < 4 * together; ++at) {
      Sum<Shape::whole> sum = sums[at];
      ASOF_UNROLL
      for (int each = 1; each < tiles / together; ++each) sum = each == group ? sums[4 * together * each + at] : sum;
      own.which |= (~below(sum, group * together + at / 4, at % 4) >> 31) << at;
      own.sum[at] = bits_of(sum);
    }
    list.add(pass, take, has, own);
  }
}

/// One of the warpgroups that multiply: every other group of the block's.
template <typename Shape, typename Take>
__device__ inline void multiply_rows(const Pass& pass, const Take& take, const WideKept& kept, unsigned warpgroup) {
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes % warpgroup_warps;
  const std::uint32_t parts = Shape::parts(pass.rows.tiles);
  std::uint32_t* rooms = kept.room + (warpgroup - 1) * Shape::width;
  std::uint32_t panel = worth_from(pass, pass.first_panel + blockIdx.x * warp_panels);
  Turn turn{(warpgroup - 1) * pass.stages};
  PassedList<Shape> list{kept.passed + ((warpgroup - 1) * warpgroup_warps + warp) * Shape::list_room};
  if (warpgroup == 2) panel = worth_after(pass, panel);
  for (unsigned other = 0; panel < pass.last_panel; other = 1 - other) {
    const std::uint32_t own = panel + warp, last = pass.last_panel - 1, near = panel + lane % warp_panels;
    const PanelRecord& record = pass.rows.record(own < last ? own : last);
    const float scale[2] = {record.scale[lane / 4 * 2], record.scale[lane / 4 * 2 + 1]};
    const PanelRecord& bounds = pass.rows.record(near < last ? near : last);
    typename Shape::Sums sums;
    std::uint32_t part = 0;
    auto finish_run = [&](std::uint32_t run) {
      if (part == 0) make_room<Shape>(kept, bounds, rooms + other * (Shape::width / 2), warpgroup);  // while tensor cores are at work
      wait_products<0>();
      part += run;
    };
    while (part + Shape::run <= parts) {
      multiply_parts<Shape, Shape::run>(pass, kept, turn, part, sums);
      finish_run(Shape::run);
    }
    while (part < parts) {
      multiply_parts<Shape, 1>(pass, kept, turn, part, sums);
      finish_run(1);
    }
    if (own < pass.last_panel) test_sums<Shape>(pass, take, rooms + other * (Shape::width / 2), own, scale, sums, list);
    panel = worth_after(pass, worth_after(pass, panel));
  }
  list.meet_rule(pass, take);
}

#endif

template <typename Shape, typename Take>
__global__ void __launch_bounds__(wide_threads, 1) wide_survivors(const ASOF_STAYS Pass pass, const ASOF_STAYS Take take) {
#if ASOF_WARPGROUPS
  const WideKept kept = keep_wide<Shape>(pass);
  const unsigned warpgroup = __shfl_sync(all_lanes, threadIdx.x / warpgroup_threads, 0);
  if (warpgroup == 0) {
    fewer_registers<24>();
    if (threadIdx.x == 0) copy_rows<Shape>(pass, kept);
  } else {
    more_registers<240>();
    multiply_rows<Shape>(pass, take, kept, warpgroup);
  }
#else
  __trap();  // code of another generation (a driver's own, of PTX): to find nothing would be wrong
#endif
}

}  // namespace asof::cuda::products
