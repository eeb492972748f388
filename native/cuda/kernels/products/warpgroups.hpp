// Products of panels on Hopper: what survivors.hpp does, by that generation's own means. Of three
// warpgroups one serves and two multiply. A thread of the serving one keeps a ring of stages full
// for each of the others, 64 rows by 128 bytes a stage; a stage is free as soon as its rows are in
// registers. Each of those takes every other group of 64 rows, all queries of the pass at once, so
// that one's sums are compared while the other's tensor cores are at work; the next group's rows
// are in registers before it compares. A warp a multiplying group tells it, a group ahead, which
// rows come and what comparing them takes. So tensor cores wait for nothing that comes from far.
// Queries stay in shared memory. int8 products have the same bits as there.
#pragma once

#include "cuda/kernels/barriers.hpp"
#include "cuda/kernels/products/survivors.hpp"
#include "cuda/kernels/products/warpgroup_fragments.hpp"

namespace asof::cuda::products {

inline constexpr unsigned multiplying = 2, wide_threads = (multiplying + 1) * warpgroup_threads,
                          warpgroup_warps = warpgroup_threads / warp_lanes;
inline constexpr unsigned min_wide_stages = 2, max_wide_stages = 16;  // of each ring
static_assert(warp_panels == warpgroup_warps);                        // a warp multiplies a panel
static_assert(2 * multiplying ==
              warpgroup_warps);  // a warp copies, and one tells, for each of them

/// Of a scan: whether sums are whole numbers, how many queries it has room for, and how many tiles
/// of rows a stage has: all of them where they fit, since every copy costs who starts it hundreds
/// of cycles.
template <bool whole_, int width_, unsigned stage_tiles_>
struct Wide {
  static constexpr bool whole = whole_;
  static constexpr int width = width_;
  static constexpr unsigned stage_tiles = stage_tiles_, steps = stage_tiles * steps_per_tile;
  static constexpr unsigned list_room =
      stage_tiles > 1 ? 16 : 4;  // of each warp's list of what passed
  static constexpr unsigned panel_bytes = stage_tiles * quantized::tile_bytes,
                            stage_bytes = warp_panels * panel_bytes,
                            step_words = fragment_groups * width;
  // The first half of many queries is compared while tensor cores are at work on the other.
  static constexpr int chains = width == 256 ? 2 : 1, chain = width / chains;
  using Sums = WideSums<whole, chain>;

  /// Stages that a group's rows take: where the last is not whole, queries are zeros beyond their
  /// end.
  __host__ __device__ static constexpr std::uint32_t parts(std::uint32_t tiles) {
    return (tiles + stage_tiles - 1) / stage_tiles;
  }
  static std::size_t shared_bytes(std::uint32_t tiles, std::uint32_t stages);
};

/// A stage of the ring: its rows are there, and every warp that multiplies them has read them.
struct Stage {
  Barrier full, free;
};

/// What a multiplying warpgroup is descriptor of a group of 64 rows: its first panel (past the
/// last: there is no group any more), and its rows' scales. Several of them, in turns: one is read,
/// the next waits, and another is written.
struct alignas(16) GroupDescriptor {
  Barrier full, free;
  float scale[warp_panels * panel_rows];
  std::uint32_t panel, unused[3];
};
inline constexpr unsigned descriptor_stages = 3;

/// Sums of a lane, two rows by eight queries, of which some passed the first test: a bit each.
struct alignas(16) Passed {
  std::uint32_t sum[16];
  std::uint32_t row, query, which, unused;
};

/// What the block keeps of its queries, its rings one after the other, and what each multiplying
/// warpgroup is descriptor: with each GroupDescriptor goes what a sum must have beside it to be
/// looked at, query by query.
struct WideShared {
  std::uint32_t* words;
  std::uint8_t* ring;
  Stage* stage;
  GroupDescriptor* descriptor;
  float *alpha, *beta, *limit;
  float* room;
  Passed* passed;  // a list of each warp that multiplies
};

template <bool whole, int width, unsigned stage_tiles>
std::size_t Wide<whole, width, stage_tiles>::shared_bytes(std::uint32_t tiles,
                                                          std::uint32_t stages) {
  const std::size_t rings = multiplying * stages * (stage_bytes + sizeof(Stage));
  return std::size_t(parts(tiles)) * steps * step_words * 4 + rings +
         multiplying * descriptor_stages * (sizeof(GroupDescriptor) + width * sizeof(float)) +
         width * 3 * sizeof(float) + multiplying * warpgroup_warps * list_room * sizeof(Passed);
}

#if ASOF_WARPGROUPS

/// Queries to their places: four words that lie together there at a time, and several such, since
/// they come from far.
template <typename Shape>
__device__ inline void copy_queries(const Pass& pass, std::uint32_t* words) {
  constexpr std::uint32_t width = Shape::width, ahead = 4;
  const std::uint32_t groups = pass.rows.tiles * tile_lines,
                      fours = Shape::parts(pass.rows.tiles) * Shape::stage_tiles * tile_lines / 4;
  const std::uint32_t there = (pass.queries.nq + panel_rows - 1) / panel_rows * panel_rows;
  const std::uint32_t* lines = reinterpret_cast<const std::uint32_t*>(pass.queries.lines);
  for (std::uint32_t first = threadIdx.x; first < width * fours; first += ahead * blockDim.x) {
    Chunk16 got[ahead];
    ASOF_UNROLL
    for (unsigned turn = 0; turn < ahead; ++turn) {
      const std::uint32_t at = first + turn * blockDim.x, panel = at / (fours * panel_rows),
                          group = at / panel_rows % fours * 4;
      ASOF_UNROLL
      for (unsigned word = 0; word < 4; ++word) {
        const bool exists = panel * panel_rows < there && group + word < groups;
        got[turn].word[word] =
            exists ? lines[(panel * groups + group + word) * panel_rows + at % panel_rows] : 0;
      }
    }
    ASOF_UNROLL
    for (unsigned turn = 0; turn < ahead; ++turn) {
      const std::uint32_t at = first + turn * blockDim.x,
                          query = at / (fours * panel_rows) * panel_rows + at % panel_rows,
                          group = at / panel_rows % fours * 4;
      std::uint32_t* to = words + group / fragment_groups * Shape::step_words +
                          step_word(width, query, group % fragment_groups);
      if (at < width * fours) *reinterpret_cast<Chunk16*>(to) = got[turn];
    }
  }
}

template <typename Shape>
__device__ inline WideShared keep_wide(const Pass& pass) {
  constexpr std::uint32_t width = Shape::width;
  WideShared kept;
  const std::uint32_t groups = pass.rows.tiles * tile_lines,
                      room = Shape::parts(pass.rows.tiles) * Shape::stage_tiles * tile_lines;
  kept.words = static_cast<std::uint32_t*>(dynamic_shared());
  kept.ring = reinterpret_cast<std::uint8_t*>(kept.words + width * room);
  kept.stage = reinterpret_cast<Stage*>(kept.ring + multiplying * pass.stages * Shape::stage_bytes);
  kept.descriptor = reinterpret_cast<GroupDescriptor*>(kept.stage + multiplying * pass.stages);
  kept.alpha = reinterpret_cast<float*>(kept.descriptor + multiplying * descriptor_stages);
  kept.beta = kept.alpha + width;
  kept.limit = kept.beta + width;
  kept.room = kept.limit + width;
  kept.passed = reinterpret_cast<Passed*>(
      kept.room + descriptor_stages * multiplying *
                      width);  // a multiple of 16 bytes from the start, as is all before
  copy_queries<Shape>(pass, kept.words);
  if (room > groups) {  // what was never written must be a number, to be nothing by zero
    Chunk16* ring = reinterpret_cast<Chunk16*>(kept.ring);
    for (std::uint32_t at = threadIdx.x;
         at < multiplying * pass.stages * Shape::stage_bytes / sizeof(Chunk16); at += blockDim.x)
      ring[at] = {};
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
  if (threadIdx.x < multiplying * descriptor_stages) {
    set_up(kept.descriptor[threadIdx.x].full,
           warp_lanes);  // all threads arrive: what one says of others, tools that look for races
                         // do not believe
    set_up(kept.descriptor[threadIdx.x].free, warpgroup_threads);
  }
  written_for_copies();
  __syncthreads();
  return kept;
}

/// Where somebody is in a ring: stages are filled and emptied in the order of their numbers, round
/// after round.
struct Turn {
  std::uint32_t begin, stage = 0, round = 0;

  __device__ std::uint32_t number() const { return begin + stage; }
  __device__ void pass_on(std::uint32_t stages) {
    if (++stage < stages) return;
    stage = 0;
    ++round;
  }
};

/// The block's groups of 64 rows that are live_groups reading, from `panel` on; past the last panel
/// there are none.
__device__ inline std::uint32_t worth_from(const Pass& pass, std::uint32_t panel) {
  while (panel < pass.last_panel && !worth_reading(pass, panel)) panel += gridDim.x * warp_panels;
  return panel;
}
__device__ inline std::uint32_t worth_after(const Pass& pass, std::uint32_t panel) {
  return worth_from(pass, panel + gridDim.x * warp_panels);
}
/// The first of each multiplying warpgroup.
__device__ inline std::uint32_t first_group(const Pass& pass, unsigned warpgroup) {
  const std::uint32_t panel = worth_from(pass, pass.first_panel + blockIdx.x * warp_panels);
  return warpgroup == 1 ? panel : worth_after(pass, panel);
}

/// One thread copies the rows of a multiplying warpgroup.
template <typename Shape>
__device__ inline void copy_rows(const Pass& pass, const WideShared& kept, unsigned warpgroup) {
  const std::size_t bytes = std::size_t(pass.rows.tiles) * quantized::tile_bytes;
  const std::uint32_t parts = Shape::parts(pass.rows.tiles);
  Turn turn{(warpgroup - 1) * pass.stages};
  std::uint32_t panel = first_group(pass, warpgroup);
  for (; panel < pass.last_panel; panel = worth_after(pass, worth_after(pass, panel))) {
    const std::uint32_t panels =
        pass.last_panel - panel < warp_panels ? pass.last_panel - panel : warp_panels;
    const std::uint8_t* from = pass.rows.panels + (panel - pass.rows.first) * bytes;
    for (std::uint32_t part = 0; part < parts; ++part) {
      Stage& stage = kept.stage[turn.number()];
      std::uint8_t* to = kept.ring + turn.number() * Shape::stage_bytes;
      if (turn.round > 0) wait(stage.free, (turn.round - 1) % 2);
      const std::uint32_t left = pass.rows.tiles - part * Shape::stage_tiles,
                          piece = (left < Shape::stage_tiles ? left : Shape::stage_tiles) *
                                  quantized::tile_bytes;
      arrive_expecting(stage.full, panels * piece);
      if (bytes == Shape::panel_bytes) {  // they lie there as they do here
        copy_bytes(to, from, panels * piece, stage.full);
      } else {
        for (std::uint32_t p = 0; p < panels; ++p)
          copy_bytes(to + p * Shape::panel_bytes,
                     from + p * bytes + std::size_t(part) * Shape::panel_bytes, piece, stage.full);
      }
      turn.pass_on(pass.stages);
    }
  }
}

/// Reads a part of a warp's rows into registers.
template <typename Shape>
__device__ inline void read_part(const WideShared& kept, const Turn& turn,
                                 RowWords (&words)[Shape::steps]) {
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes % warpgroup_warps;
  wait(kept.stage[turn.number()].full, turn.round % 2);
  // Rows 2 (l / 4) and the next of a line are rows l / 4 and l / 4 + 8 of the fragment; lines four
  // apart are swizzle_offset alike.
  const std::uint8_t* panel = kept.ring + turn.number() * Shape::stage_bytes +
                              warp * Shape::panel_bytes + lane % 4 * line_bytes +
                              (lane / 4 * sizeof(Eight) ^ swizzle_offset(lane % 4));
  ASOF_UNROLL
  for (unsigned step = 0; step < Shape::steps; ++step) {
    const Eight near = *reinterpret_cast<const Eight*>(panel + step * fragment_groups * line_bytes);
    const Eight far =
        *reinterpret_cast<const Eight*>(panel + (step * fragment_groups + 4) * line_bytes);
    words[step] = {{near.word[0], near.word[1], far.word[0], far.word[1]}};
  }
}

/// Gives the stage back that a warp has read.
__device__ inline void release_stage(const Pass& pass, const WideShared& kept, Turn& turn) {
  __syncwarp();
  if (threadIdx.x % warp_lanes == 0) arrive(kept.stage[turn.number()].free);
  turn.pass_on(pass.stages);
}

template <typename Shape>
using PartWords = RowWords[Shape::steps];

/// Starts the products of a part of a group, chain after chain.
template <typename Shape>
__device__ inline void multiply_part(const WideShared& kept, std::uint32_t part,
                                     const PartWords<Shape>& words,
                                     typename Shape::Sums (&sums)[Shape::chains]) {
  ASOF_UNROLL
  for (int chain = 0; chain < Shape::chains; ++chain) {
    const std::uint32_t* queries =
        kept.words + part * Shape::steps * Shape::step_words + first_word(chain * Shape::chain);
    before_products();
    ASOF_UNROLL
    for (unsigned step = 0; step < Shape::steps; ++step) {
      multiply_add_wide<Shape::chain, Shape::width>(
          sums[chain], words[step], queries + step * Shape::step_words, part == 0 && step == 0);
    }
    after_products();
  }
}

/// What a warp tells a multiplying warpgroup, group after group: what comparing a group takes, as
/// its `Epilogue` says it of what is read of the group's records.
template <typename Shape, typename Epilogue>
__device__ inline void tell_groups(const Pass& pass, const WideShared& kept, unsigned warpgroup) {
  const unsigned lane = threadIdx.x % warp_lanes;
  std::uint32_t panel = first_group(pass, warpgroup);
  for (Turn turn{(warpgroup - 1) * descriptor_stages};;) {
    GroupDescriptor& descriptor = kept.descriptor[turn.number()];
    const typename Epilogue::Read read(pass, panel);  // it comes from far
    if (turn.round > 0) wait(descriptor.free, (turn.round - 1) % 2);
    if (lane == 0) descriptor.panel = panel;
    if (panel < pass.last_panel)
      Epilogue::publish(kept, read, descriptor, kept.room + turn.number() * Shape::width);
    arrive(descriptor.full);
    if (panel >= pass.last_panel) return;
    panel = worth_after(pass, worth_after(pass, panel));
    turn.pass_on(descriptor_stages);
  }
}

/// One of the warpgroups that multiply: every other group of the block's. `Epilogue` is what
/// becomes of a group's sums.
template <typename Shape, typename Epilogue, typename Sink>
__device__ inline void multiply_rows(const Pass& pass, const WideShared& kept, unsigned warpgroup,
                                     const Sink& sink) {
  const std::uint32_t parts = Shape::parts(pass.rows.tiles);
  Turn turn{(warpgroup - 1) * pass.stages}, descriptor_turn{(warpgroup - 1) * descriptor_stages};
  Epilogue epilogue(pass, sink, kept);
  PartWords<Shape> words = {};
  auto hear = [&] {
    wait(kept.descriptor[descriptor_turn.number()].full, descriptor_turn.round % 2);
    return kept.descriptor[descriptor_turn.number()].panel;
  };
  std::uint32_t panel = hear();
  if (panel < pass.last_panel) {
    read_part<Shape>(kept, turn, words);
    release_stage(pass, kept, turn);
  }
  while (panel < pass.last_panel) {
    typename Shape::Sums sums[Shape::chains];
    for (std::uint32_t part = 0;;) {
      multiply_part<Shape>(kept, part, words, sums);
      if (++part == parts) break;
      wait_products<0>();
      read_part<Shape>(kept, turn, words);
      release_stage(pass, kept, turn);
    }
    const unsigned number = descriptor_turn.number();
    const GroupDescriptor& descriptor = kept.descriptor[number];
    const float* room = kept.room + number * Shape::width;
    descriptor_turn.pass_on(descriptor_stages);
    const std::uint32_t next = hear();
    if constexpr (Shape::chains > 1) {
      wait_products<1>();
      epilogue.apply(panel, descriptor, room, 0, sums[0]);
    }
    wait_products<0>();
    if (next < pass.last_panel) read_part<Shape>(kept, turn, words);
    epilogue.apply(panel, descriptor, room, (Shape::chains - 1) * Shape::chain,
                   sums[Shape::chains - 1]);
    if (next < pass.last_panel) release_stage(pass, kept, turn);  // what was read has come by now
    arrive(kept.descriptor[number].free);
    panel = next;
  }
  epilogue.finish();
}

#endif

/// The body of a kernel of wide_threads: its pass in its kernel's memory, `sink` what its epilogue
/// takes.
template <typename Shape, typename Epilogue, typename Sink>
__device__ inline void scan_wide(const Pass& pass, const Sink& sink) {
#if ASOF_WARPGROUPS
  const WideShared kept = keep_wide<Shape>(pass);
  const unsigned warpgroup = __shfl_sync(all_lanes, threadIdx.x / warpgroup_threads, 0);
  if (warpgroup == 0) {
    fewer_registers<40>();
    const unsigned warp = threadIdx.x / warp_lanes, served = warp % multiplying + 1;
    if (warp >= multiplying)
      tell_groups<Shape, Epilogue>(pass, kept, served);
    else if (threadIdx.x % warp_lanes == 0)
      copy_rows<Shape>(pass, kept, served);
  } else {
    more_registers<232>();
    multiply_rows<Shape, Epilogue>(pass, kept, warpgroup, sink);
  }
#else
  __trap();  // code of another generation (a driver's own, of PTX): to find nothing would be wrong
#endif
}

}  // namespace asof::cuda::products
