// Products of panels on Hopper: the scan of survivors.hpp by a producer warpgroup and two consumer
// warpgroups. A producer thread per consumer keeps a ring of stages full, 64 rows by 128 bytes a
// stage; a stage is free as soon as its rows are in registers. A consumer multiplies every other
// group of 64 rows by all queries of the pass, so that one consumer's sums are tested while the
// other's tensor cores are busy, and loads the next group's rows into registers before it tests. A
// producer warp per consumer publishes, one group ahead, the group's number and the coefficients of
// its test. Consumers thus never wait for global memory. Queries stay in shared memory. int8
// products have the bits of survivors.hpp.
#pragma once

#include "cuda/kernels/barriers.hpp"
#include "cuda/kernels/products/survivors.hpp"
#include "cuda/kernels/products/warpgroup_fragments.hpp"

namespace asof::cuda::products {

inline constexpr unsigned consumers = 2, wide_threads = (consumers + 1) * warpgroup_threads,
                          warpgroup_warps = warpgroup_threads / warp_lanes;
inline constexpr unsigned min_wide_stages = 2, max_wide_stages = 16;  // of each ring
static_assert(warp_panels == warpgroup_warps);                        // a warp multiplies a panel
static_assert(2 * consumers == warpgroup_warps);  // a warp copies rows, and one publishes, for each

/// Shape of a scan: whether sums are integers, the capacity in queries, and tiles of rows per
/// stage: all of a row's if they fit, since starting a copy takes hundreds of cycles.
template <bool whole_, int width_, unsigned stage_tiles_>
struct Wide {
  static constexpr bool whole = whole_;
  static constexpr int width = width_;
  static constexpr unsigned stage_tiles = stage_tiles_, steps = stage_tiles * steps_per_tile;
  static constexpr unsigned list_room = stage_tiles > 1 ? 16 : 4;  // of each warp's buffer
  static constexpr unsigned panel_bytes = stage_tiles * quantized::tile_bytes,
                            stage_bytes = warp_panels * panel_bytes,
                            step_words = fragment_groups * width;
  // The first half of many queries is tested while tensor cores multiply the other.
  static constexpr int chains = width == 256 ? 2 : 1, chain = width / chains;
  using Sums = WideSums<whole, chain>;

  /// Stages of a group's rows. The last may be partial: queries are padded with zeros.
  __host__ __device__ static constexpr std::uint32_t parts(std::uint32_t tiles) {
    return (tiles + stage_tiles - 1) / stage_tiles;
  }
  static std::size_t shared_bytes(std::uint32_t tiles, std::uint32_t stages);
};

/// Barriers of a stage of the ring: its rows have arrived, and all consumer warps have read them.
struct Stage {
  Barrier full, free;
};

/// Descriptor of a group of 64 rows, published to a consumer: its first panel (past the last panel:
/// the end), and its rows' scales. In a ring: one is read, the next is ready, and another is
/// written.
struct alignas(16) GroupDescriptor {
  Barrier full, free;
  float scale[warp_panels * panel_rows];
  std::uint32_t panel, unused[3];
};
inline constexpr unsigned descriptor_stages = 3;

/// Sums of a lane, two rows by eight queries; `which` has a bit for each that passing the first
/// test.
struct alignas(16) PassingSums {
  std::uint32_t sum[16];
  std::uint32_t row, query, which, unused;
};

/// Shared memory of a block: queries, the coefficients of their tests, the rings of rows, the
/// descriptors published to each consumer, each with the addends of its test per query (`room`),
/// and the buffers of sums.
struct WideShared {
  std::uint32_t* words;
  std::uint8_t* ring;
  Stage* stage;
  GroupDescriptor* descriptor;
  float *alpha, *beta, *limit;
  float* room;
  PassingSums* passing;  // a buffer of each consumer warp
};

template <bool whole, int width, unsigned stage_tiles>
std::size_t Wide<whole, width, stage_tiles>::shared_bytes(std::uint32_t tiles,
                                                          std::uint32_t stages) {
  const std::size_t rings = consumers * stages * (stage_bytes + sizeof(Stage));
  return std::size_t(parts(tiles)) * steps * step_words * 4 + rings +
         consumers * descriptor_stages * (sizeof(GroupDescriptor) + width * sizeof(float)) +
         width * 3 * sizeof(float) + consumers * warpgroup_warps * list_room * sizeof(PassingSums);
}

#if ASOF_WARPGROUPS

/// Copies queries to shared memory, four adjacent words at a time, with several loads in flight.
template <typename Shape>
__device__ inline void copy_queries(const Pass& pass, std::uint32_t* words) {
  constexpr std::uint32_t width = Shape::width, ahead = 4;
  const std::uint32_t groups = pass.rows.tiles * tile_lines,
                      fours = Shape::parts(pass.rows.tiles) * Shape::stage_tiles * tile_lines / 4;
  const std::uint32_t padded = (pass.queries.nq + panel_rows - 1) / panel_rows * panel_rows;
  const std::uint32_t* lines = reinterpret_cast<const std::uint32_t*>(pass.queries.lines);
  for (std::uint32_t first = threadIdx.x; first < width * fours; first += ahead * blockDim.x) {
    Chunk16 chunks[ahead];
    ASOF_UNROLL
    for (unsigned turn = 0; turn < ahead; ++turn) {
      const std::uint32_t at = first + turn * blockDim.x, panel = at / (fours * panel_rows),
                          group = at / panel_rows % fours * 4;
      ASOF_UNROLL
      for (unsigned word = 0; word < 4; ++word) {
        const bool exists = panel * panel_rows < padded && group + word < groups;
        chunks[turn].word[word] =
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
      if (at < width * fours) *reinterpret_cast<Chunk16*>(to) = chunks[turn];
    }
  }
}

template <typename Shape>
__device__ inline WideShared load_wide(const Pass& pass) {
  constexpr std::uint32_t width = Shape::width;
  WideShared shared;
  const std::uint32_t groups = pass.rows.tiles * tile_lines,
                      room = Shape::parts(pass.rows.tiles) * Shape::stage_tiles * tile_lines;
  shared.words = static_cast<std::uint32_t*>(dynamic_shared());
  shared.ring = reinterpret_cast<std::uint8_t*>(shared.words + width * room);
  shared.stage =
      reinterpret_cast<Stage*>(shared.ring + consumers * pass.stages * Shape::stage_bytes);
  shared.descriptor = reinterpret_cast<GroupDescriptor*>(shared.stage + consumers * pass.stages);
  shared.alpha = reinterpret_cast<float*>(shared.descriptor + consumers * descriptor_stages);
  shared.beta = shared.alpha + width;
  shared.limit = shared.beta + width;
  shared.room = shared.limit + width;
  shared.passing = reinterpret_cast<PassingSums*>(
      shared.room + descriptor_stages * consumers *
                        width);  // a multiple of 16 bytes from the start, as is all before
  copy_queries<Shape>(pass, shared.words);
  if (room > groups) {  // unwritten bytes must be finite, since they are multiplied by zero
    Chunk16* ring = reinterpret_cast<Chunk16*>(shared.ring);
    for (std::uint32_t at = threadIdx.x;
         at < consumers * pass.stages * Shape::stage_bytes / sizeof(Chunk16); at += blockDim.x)
      ring[at] = {};
  }
  for (std::uint32_t query = threadIdx.x; query < width; query += blockDim.x) {
    const Test test = test_of(pass.queries, query);
    shared.alpha[query] = test.alpha;
    shared.beta[query] = test.beta;
    shared.limit[query] = test.limit;
  }
  for (std::uint32_t stage = threadIdx.x; stage < consumers * pass.stages; stage += blockDim.x) {
    set_up(shared.stage[stage].full, 1);
    set_up(shared.stage[stage].free, warpgroup_warps);
  }
  if (threadIdx.x < consumers * descriptor_stages) {
    // All lanes arrive: race detectors do not follow an arrival on behalf of other lanes.
    set_up(shared.descriptor[threadIdx.x].full, warp_lanes);
    set_up(shared.descriptor[threadIdx.x].free, warpgroup_threads);
  }
  fence_shared_writes();
  __syncthreads();
  return shared;
}

/// Position in a ring, whose stages are filled and emptied in order, round after round.
struct Turn {
  std::uint32_t begin, stage = 0, round = 0;

  __device__ std::uint32_t number() const { return begin + stage; }
  __device__ void pass_on(std::uint32_t stages) {
    if (++stage < stages) return;
    stage = 0;
    ++round;
  }
};

/// The block's first live group of 64 rows from `panel` on; past the last panel if there is none.
__device__ inline std::uint32_t live_from(const Pass& pass, std::uint32_t panel) {
  while (panel < pass.last_panel && !is_live(pass, panel)) panel += gridDim.x * warp_panels;
  return panel;
}
__device__ inline std::uint32_t live_after(const Pass& pass, std::uint32_t panel) {
  return live_from(pass, panel + gridDim.x * warp_panels);
}
/// The first group of each consumer.
__device__ inline std::uint32_t first_group(const Pass& pass, unsigned warpgroup) {
  const std::uint32_t panel = live_from(pass, pass.first_panel + blockIdx.x * warp_panels);
  return warpgroup == 1 ? panel : live_after(pass, panel);
}

/// Copies the rows of a consumer; one thread.
template <typename Shape>
__device__ inline void copy_rows(const Pass& pass, const WideShared& shared, unsigned warpgroup) {
  const std::size_t bytes = std::size_t(pass.rows.tiles) * quantized::tile_bytes;
  const std::uint32_t parts = Shape::parts(pass.rows.tiles);
  Turn turn{(warpgroup - 1) * pass.stages};
  std::uint32_t panel = first_group(pass, warpgroup);
  for (; panel < pass.last_panel; panel = live_after(pass, live_after(pass, panel))) {
    const std::uint32_t panels =
        pass.last_panel - panel < warp_panels ? pass.last_panel - panel : warp_panels;
    const std::uint8_t* from = pass.rows.panels + (panel - pass.rows.first) * bytes;
    for (std::uint32_t part = 0; part < parts; ++part) {
      Stage& stage = shared.stage[turn.number()];
      std::uint8_t* to = shared.ring + turn.number() * Shape::stage_bytes;
      if (turn.round > 0) wait(stage.free, (turn.round - 1) % 2);
      const std::uint32_t left = pass.rows.tiles - part * Shape::stage_tiles,
                          piece = (left < Shape::stage_tiles ? left : Shape::stage_tiles) *
                                  quantized::tile_bytes;
      arrive_expecting(stage.full, panels * piece);
      if (bytes == Shape::panel_bytes) {  // contiguous in both memories
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
__device__ inline void read_part(const WideShared& shared, const Turn& turn,
                                 RowWords (&words)[Shape::steps]) {
  const unsigned lane = threadIdx.x % warp_lanes, warp = threadIdx.x / warp_lanes % warpgroup_warps;
  wait(shared.stage[turn.number()].full, turn.round % 2);
  // Rows 2 (l / 4) and 2 (l / 4) + 1 of a line are rows l / 4 and l / 4 + 8 of the fragment; lines
  // four apart have the same swizzle.
  const std::uint8_t* panel = shared.ring + turn.number() * Shape::stage_bytes +
                              warp * Shape::panel_bytes + lane % 4 * line_bytes +
                              (lane / 4 * sizeof(Chunk8) ^ swizzle_offset(lane % 4));
  ASOF_UNROLL
  for (unsigned step = 0; step < Shape::steps; ++step) {
    const Chunk8 near =
        *reinterpret_cast<const Chunk8*>(panel + step * fragment_groups * line_bytes);
    const Chunk8 far =
        *reinterpret_cast<const Chunk8*>(panel + (step * fragment_groups + 4) * line_bytes);
    words[step] = {{near.word[0], near.word[1], far.word[0], far.word[1]}};
  }
}

/// Releases a stage that a warp has read.
__device__ inline void release_stage(const Pass& pass, const WideShared& shared, Turn& turn) {
  __syncwarp();
  if (threadIdx.x % warp_lanes == 0) arrive(shared.stage[turn.number()].free);
  turn.pass_on(pass.stages);
}

template <typename Shape>
using PartWords = RowWords[Shape::steps];

/// Starts the products of a part of a group, chain by chain.
template <typename Shape>
__device__ inline void multiply_part(const WideShared& shared, std::uint32_t part,
                                     const PartWords<Shape>& words,
                                     typename Shape::Sums (&sums)[Shape::chains]) {
  ASOF_UNROLL
  for (int chain = 0; chain < Shape::chains; ++chain) {
    const std::uint32_t* queries =
        shared.words + part * Shape::steps * Shape::step_words + first_word(chain * Shape::chain);
    before_products();
    ASOF_UNROLL
    for (unsigned step = 0; step < Shape::steps; ++step) {
      multiply_add_wide<Shape::chain, Shape::width>(
          sums[chain], words[step], queries + step * Shape::step_words, part == 0 && step == 0);
    }
    after_products();
  }
}

/// Publishes the groups of a consumer: descriptors, and what `Epilogue` derives from the groups'
/// records. One warp.
template <typename Shape, typename Epilogue>
__device__ inline void publish_groups(const Pass& pass, const WideShared& shared,
                                      unsigned warpgroup) {
  const unsigned lane = threadIdx.x % warp_lanes;
  std::uint32_t panel = first_group(pass, warpgroup);
  for (Turn turn{(warpgroup - 1) * descriptor_stages};;) {
    GroupDescriptor& descriptor = shared.descriptor[turn.number()];
    const typename Epilogue::Read read(pass, panel);  // before the wait, to hide its latency
    if (turn.round > 0) wait(descriptor.free, (turn.round - 1) % 2);
    if (lane == 0) descriptor.panel = panel;
    if (panel < pass.last_panel)
      Epilogue::publish(shared, read, descriptor, shared.room + turn.number() * Shape::width);
    arrive(descriptor.full);
    if (panel >= pass.last_panel) return;
    panel = live_after(pass, live_after(pass, panel));
    turn.pass_on(descriptor_stages);
  }
}

/// A consumer warpgroup: multiplies every other group of the block; `Epilogue` takes the sums.
template <typename Shape, typename Epilogue, typename Sink>
__device__ inline void multiply_rows(const Pass& pass, const WideShared& shared, unsigned warpgroup,
                                     const Sink& sink) {
  const std::uint32_t parts = Shape::parts(pass.rows.tiles);
  Turn turn{(warpgroup - 1) * pass.stages}, descriptor_turn{(warpgroup - 1) * descriptor_stages};
  Epilogue epilogue(pass, sink, shared);
  PartWords<Shape> words = {};
  auto next_panel = [&] {
    wait(shared.descriptor[descriptor_turn.number()].full, descriptor_turn.round % 2);
    return shared.descriptor[descriptor_turn.number()].panel;
  };
  std::uint32_t panel = next_panel();
  if (panel < pass.last_panel) {
    read_part<Shape>(shared, turn, words);
    release_stage(pass, shared, turn);
  }
  while (panel < pass.last_panel) {
    typename Shape::Sums sums[Shape::chains];
    for (std::uint32_t part = 0;;) {
      multiply_part<Shape>(shared, part, words, sums);
      if (++part == parts) break;
      wait_products<0>();
      read_part<Shape>(shared, turn, words);
      release_stage(pass, shared, turn);
    }
    const unsigned number = descriptor_turn.number();
    const GroupDescriptor& descriptor = shared.descriptor[number];
    const float* room = shared.room + number * Shape::width;
    descriptor_turn.pass_on(descriptor_stages);
    const std::uint32_t next = next_panel();
    if constexpr (Shape::chains > 1) {
      wait_products<1>();
      epilogue.apply(panel, descriptor, room, 0, sums[0]);
    }
    wait_products<0>();
    if (next < pass.last_panel) read_part<Shape>(shared, turn, words);
    epilogue.apply(panel, descriptor, room, (Shape::chains - 1) * Shape::chain,
                   sums[Shape::chains - 1]);
    if (next < pass.last_panel) release_stage(pass, shared, turn);  // its loads are complete by now
    arrive(shared.descriptor[number].free);
    panel = next;
  }
  epilogue.finish();
}

#endif

/// The body of a kernel of wide_threads; `sink` is the epilogue's destination.
template <typename Shape, typename Epilogue, typename Sink>
__device__ inline void scan_wide(const Pass& pass, const Sink& sink) {
#if ASOF_WARPGROUPS
  const WideShared shared = load_wide<Shape>(pass);
  const unsigned warpgroup = __shfl_sync(all_lanes, threadIdx.x / warpgroup_threads, 0);
  if (warpgroup == 0) {
    fewer_registers<40>();
    const unsigned warp = threadIdx.x / warp_lanes, consumer = warp % consumers + 1;
    if (warp >= consumers)
      publish_groups<Shape, Epilogue>(pass, shared, consumer);
    else if (threadIdx.x % warp_lanes == 0)
      copy_rows<Shape>(pass, shared, consumer);
  } else {
    more_registers<232>();
    multiply_rows<Shape, Epilogue>(pass, shared, warpgroup, sink);
  }
#else
  __trap();  // compiled for another generation (by a driver, from PTX): no result would be wrong
#endif
}

}  // namespace asof::cuda::products
