// Products and survivors by AMX tiles: 16 queries by 16 rows by 64 bytes of components an
// instruction.
#pragma once

#include "kernels/quantized/blocks.hpp"

// A block is 32 queries by two panels: four tiles of sums, and two tiles each of queries and rows
// that are loaded once a step. Multiplication occupies the tile unit for some hundred cycles, in
// which the vector units test the sums of the previous block. Its sums are stored between the first
// instructions of this one, tile by tile, so that the tile unit never stalls on a store.

namespace asof::ASOF_LEVEL::quantized {
namespace {

constexpr std::size_t tile_sums = panel_rows * panel_rows;
constexpr std::size_t block_queries = 2 * panel_rows;

struct TileShapes {
  std::uint8_t palette, start_row, reserved[14];
  std::uint16_t row_bytes[16];
  std::uint8_t rows[16];
};

/// Tiles 0 to 3 hold sums, 4 and 5 queries, 6 and 7 rows; all are whole. In memory before any code
/// runs: the compiler believes that the instruction reads eight bytes of it, and would not write
/// the others.
alignas(line_bytes) constexpr TileShapes tile_shapes = {
    1, 0, {}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};

struct TileScope {
  TileScope() {
    _tile_loadconfig(&tile_shapes);
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
  }
  ~TileScope() { _tile_release(); }
};

/// Four tiles of sums (queries 0-15 by panel 0, by panel 1, queries 16-31 by either) and the inputs
/// of their panel test.
struct TileBlock {
  alignas(line_bytes) std::uint32_t sums[4][tile_sums];
  alignas(line_bytes) float room[4][panel_rows];
  alignas(line_bytes) float scale[2][panel_rows];
  alignas(line_bytes) float bias[2][panel_rows],
      weight[2][panel_rows];  // of rows and of queries, for scans with a row bias
  std::size_t first_query, panels[2];
  unsigned used;  // one bit a tile that is no repetition of another
};

/// The panel test of sixteen sums: negative where they fail. `more`: with a row bias.
template <bool whole, bool more>
ASOF_INLINE Masks test_value(const std::uint32_t* sums, Lanes scale, float room, Lanes bias,
                             float weight) {
  Groups raw = load_groups(reinterpret_cast<const std::uint8_t*>(sums));
  Lanes spare = spread(room);
  if constexpr (more) spare = multiply_add(bias, spread(weight), spare);
  if constexpr (whole)
    return reinterpret_cast<Masks>(
        multiply_add(__builtin_convertvector(reinterpret_cast<Masks>(raw), Lanes), scale, spare));
  else
    return reinterpret_cast<Masks>(reinterpret_cast<Lanes>(raw) + spare);
}

/// The next block to multiply, rows of the last one to test at each of its steps, and lines to
/// prefetch.
struct TileWork {
  const std::uint8_t *queries, *more_queries, *rows, *more_rows;
  std::size_t steps, test_rows;
  Prefetcher ahead;
};

#define ASOF_TILE_MULTIPLY(sum, query, row) \
  if constexpr (whole)                      \
    _tile_dpbssd(sum, query, row);          \
  else                                      \
    _tile_dpbf16ps(sum, query, row)

/// Stores the sums of the block before, multiplies the next one and tests the former: one bit a
/// tile that has a pair which passes.
template <bool whole, bool more>
__attribute__((noinline)) unsigned multiply_and_test(const TileWork& work, TileBlock& before) {
  const std::uint8_t *queries = work.queries, *more_queries = work.more_queries, *rows = work.rows,
                     *more_rows = work.more_rows;
  _tile_loadd(6, rows, line_bytes);
  _tile_loadd(4, queries, line_bytes);
  _tile_stored(0, before.sums[0], line_bytes);
  _tile_zero(0);
  ASOF_TILE_MULTIPLY(0, 4, 6);
  _tile_loadd(7, more_rows, line_bytes);
  _tile_stored(1, before.sums[1], line_bytes);
  _tile_zero(1);
  ASOF_TILE_MULTIPLY(1, 4, 7);
  _tile_loadd(5, more_queries, line_bytes);
  _tile_stored(2, before.sums[2], line_bytes);
  _tile_zero(2);
  ASOF_TILE_MULTIPLY(2, 5, 6);
  _tile_stored(3, before.sums[3], line_bytes);
  _tile_zero(3);
  ASOF_TILE_MULTIPLY(3, 5, 7);
  const Lanes scale = load(before.scale[0]), more_scale = load(before.scale[1]);
  const Lanes bias = more ? load(before.bias[0]) : Lanes{},
              more_bias = more ? load(before.bias[1]) : Lanes{};
  Masks failed0 = ~Masks{}, failed1 = failed0, failed2 = failed0, failed3 = failed0;
  const std::uint32_t* sums = before.sums[0];
  const float* room = before.room[0];
  const float* const room_end = room + panel_rows;
  const float* weight = before.weight[0];
  auto test = [&](std::size_t count) ASOF_INLINE_LAMBDA {
    const float* stop = room + count < room_end ? room + count : room_end;
    for (; room != stop; ++room, ++weight, sums += panel_rows) {
      failed0 &= test_value<whole, more>(sums, scale, room[0], bias, weight[0]);
      failed1 &= test_value<whole, more>(sums + tile_sums, more_scale, room[panel_rows], more_bias,
                                         weight[0]);
      failed2 &= test_value<whole, more>(sums + 2 * tile_sums, scale, room[2 * panel_rows], bias,
                                         weight[panel_rows]);
      failed3 &= test_value<whole, more>(sums + 3 * tile_sums, more_scale, room[3 * panel_rows],
                                         more_bias, weight[panel_rows]);
    }
  };
  Prefetcher ahead = work.ahead;
  const std::size_t test_rows = work.test_rows;
  ahead.fetch();
  for (std::size_t at = tile_bytes, end = work.steps * tile_bytes; at < end; at += tile_bytes) {
    _tile_loadd(6, rows + at, line_bytes);
    _tile_loadd(4, queries + at, line_bytes);
    ASOF_TILE_MULTIPLY(0, 4, 6);
    _tile_loadd(7, more_rows + at, line_bytes);
    ASOF_TILE_MULTIPLY(1, 4, 7);
    _tile_loadd(5, more_queries + at, line_bytes);
    ASOF_TILE_MULTIPLY(2, 5, 6);
    ASOF_TILE_MULTIPLY(3, 5, 7);
    test(test_rows);
    ahead.fetch();
  }
  test(panel_rows);
  if (__builtin_expect(bits(failed0 & failed1 & failed2 & failed3) == every_row, 1)) return 0;
  auto passes = [](Masks failed)
                    ASOF_INLINE_LAMBDA { return static_cast<unsigned>(bits(failed) != every_row); };
  return passes(failed0) | passes(failed1) << 1 | passes(failed2) << 2 | passes(failed3) << 3;
}

/// Applies the exact rule to the pairs in the tiles of `passing` that pass the panel test.
template <bool whole, bool more>
__attribute__((noinline)) void keep_tiles(Sink& sink, const TileBlock& block, unsigned passing) {
  const std::size_t last = sink.first_query + sink.query_count;
  for (passing &= block.used; passing != 0; passing &= passing - 1) {
    const unsigned tile = static_cast<unsigned>(__builtin_ctz(passing)), panel = tile & 1;
    const std::size_t first = block.first_query + (tile >> 1) * panel_rows;
    const Lanes scale = load(block.scale[panel]), bias = load(block.bias[panel]);
    unsigned queries = 0;
    repeat<panel_rows>([&](auto q) ASOF_INLINE_LAMBDA {
      const Masks failed =
          test_value<whole, more>(block.sums[tile] + q() * panel_rows, scale, block.room[tile][q()],
                                  bias, block.weight[tile >> 1][q()]);
      queries |= static_cast<unsigned>(bits(failed) != every_row) << q();
    });
    for (; queries != 0; queries &= queries - 1) {
      const unsigned q = static_cast<unsigned>(__builtin_ctz(queries));
      if (first + q < last)
        keep<whole>(sink, first + q, block.panels[panel], block.sums[tile] + q * panel_rows);
    }
  }
}

/// Constants of all blocks of a sink's chunk of queries.
template <bool more>
struct TileChunk {
  Sink& sink;
  std::size_t steps = tiles(sink.rows.storage, sink.rows.d), bytes = steps * tile_bytes;
  std::size_t groups = (sink.query_count + panel_rows - 1) / panel_rows, pairs = (groups + 1) / 2;

  /// The block of queries 32 * pair and on by two panels.
  ASOF_INLINE void aim(TileWork& work, std::size_t pair, std::size_t panel,
                       std::size_t more_panel) const {
    work.queries = sink.queries.tiles + (sink.first_query / panel_rows + 2 * pair) * bytes;
    work.more_queries = work.queries + (2 * pair + 1 < groups ? bytes : 0);
    work.rows = sink.rows.panels + panel * bytes;
    work.more_rows = sink.rows.panels + more_panel * bytes;
  }

  /// Sets the inputs of the panel test of the block that was just multiplied.
  ASOF_INLINE void describe(TileBlock& block, std::size_t pair, std::size_t panel,
                            std::size_t more_panel) const {
    block.first_query = sink.first_query + pair * block_queries;
    block.panels[0] = panel;
    block.panels[1] = more_panel;
    block.used = (panel == more_panel ? 5u : 15u) & (2 * pair + 1 < groups ? 15u : 3u);
    const PanelTest& test = sink.test;
    for (std::size_t p = 0; p < 2; ++p) {
      const PanelRecord& record = sink.rows.records[block.panels[p]];
      Lanes error = spread(record.most_error), length = spread(record.most_length);
      store(block.scale[p], load(record.scale));
      if constexpr (more) store(block.bias[p], widened(sink.row_bias(block.panels[p], 0)));
      for (std::size_t group = 0; group < 2; ++group) {
        const std::size_t i = pair * block_queries + group * panel_rows;
        Lanes limit = load(test.limit + i), alpha = load(test.alpha + i),
              beta = load(test.beta + i);
        store(block.room[p + 2 * group],
              multiply_add(alpha, error, multiply_add(beta, length, -limit)));
        if constexpr (more) store(block.weight[group], load(test.bias_weight + i));
      }
    }
  }
};

constexpr std::size_t stretch_bytes =
    384 * 1024;  // panels in the second-level cache while all queries pass over them
constexpr std::size_t most_stretch = 256;
constexpr std::size_t near_query_bytes =
    24 * 1024;  // queries in the first-level cache while they share two panels

template <bool whole, bool more>
void chunk_by_tiles(Sink& sink) {
  const TileScope scope;
  const TileChunk<more> chunk = {sink};
  TileBlock block;
  __builtin_memset(&block, 0, sizeof(block));  // the first block before: nothing of it is used
  TileWork work;
  work.steps = chunk.steps;
  work.test_rows = chunk.steps > 1 ? (panel_rows + chunk.steps - 2) / (chunk.steps - 1) : 0;
  const std::size_t stretch = smaller(most_stretch, stretch_bytes / chunk.bytes / 2 * 2 + 2);
  const std::size_t near_pairs =
      near_query_bytes / (2 * chunk.bytes) > 1 ? near_query_bytes / (2 * chunk.bytes) : 1;
  const std::size_t visits = chunk.pairs * chunk.steps,
                    share = (2 * chunk.bytes / line_bytes + visits - 1) / visits;
  Walk walk = {sink, sink.scan.first_panel, sink.scan.last_panel};
  std::size_t panels[most_stretch];
  while (std::size_t count = walk.take(panels, stretch)) {
    const bool follows = walk.next < walk.last && sink.scan.rows == nullptr;
    for (std::size_t first_pair = 0; first_pair < chunk.pairs; first_pair += near_pairs) {
      for (std::size_t p = 0; p < count; p += 2) {
        const std::size_t panel = panels[p], more_panel = panels[smaller(p + 1, count - 1)];
        for (std::size_t pair = first_pair; pair < smaller(chunk.pairs, first_pair + near_pairs);
             ++pair) {
          chunk.aim(work, pair, panel, more_panel);
          const std::uint8_t* next = sink.rows.panels + (walk.next + p) * chunk.bytes +
                                     pair * chunk.steps * share * line_bytes;
          work.ahead = {reinterpret_cast<std::uintptr_t>(next), follows ? share : 0};
          if (unsigned passing = multiply_and_test<whole, more>(work, block);
              __builtin_expect(passing != 0, 0))
            keep_tiles<whole, more>(sink, block, passing);
          chunk.describe(block, pair, panel, more_panel);
        }
      }
    }
  }
  work.steps = 1;  // multiplies a little for nothing, to store and test the last block
  if (block.used == 0) return;
  if (unsigned passing = multiply_and_test<whole, more>(work, block))
    keep_tiles<whole, more>(sink, block, passing);
}

/// Products of a block whose sums are stored; row r of query i goes to out[i * ldo + r].
template <bool whole>
ASOF_INLINE void store_products(const Rows& rows, const Queries& queries, const TileBlock& block,
                                float* out, std::size_t ldo) {
  for (std::size_t tile = 0; tile < 4; ++tile) {
    const std::size_t at = block.panels[tile & 1] * panel_rows,
                      first = block.first_query + (tile >> 1) * panel_rows;
    const Lanes scale = load(rows.records[block.panels[tile & 1]].scale);
    for (std::size_t q = 0; q < panel_rows && first + q < queries.nq; ++q) {
      Groups raw =
          load_groups(reinterpret_cast<const std::uint8_t*>(block.sums[tile] + q * panel_rows));
      Lanes value = reinterpret_cast<Lanes>(raw);
      if constexpr (whole)
        value = __builtin_convertvector(reinterpret_cast<Masks>(raw), Lanes) * scale *
                spread(queries.scale[first + q]);
      float* to = out + (first + q) * ldo + at;
      if (at + panel_rows <= rows.n)
        store(to, value);
      else
        store_first(to, value, rows.n - at);
    }
  }
}

/// Products of 32 queries and two panels at a time; those of a block are stored while the next one
/// is multiplied.
template <bool whole>
void products_by_tiles(const Rows& rows, const Queries& queries, PanelRange range, float* out,
                       std::size_t ldo) {
  const auto [first_panel, last_panel] = range;
  const TileScope scope;
  const Scan scan = {first_panel, last_panel, nullptr, nullptr, nullptr, nullptr};
  Sink sink(rows, queries, scan);
  sink.query_count = queries.nq;
  const TileChunk<false> chunk = {sink};
  TileBlock block;
  __builtin_memset(&block, 0, sizeof(block));
  TileWork work;
  work.steps = chunk.steps;
  work.test_rows = 0;
  work.ahead = {0, 0};
  for (std::size_t panel = first_panel; panel < last_panel; panel += 2) {
    for (std::size_t pair = 0; pair < chunk.pairs; ++pair) {
      const std::size_t more_panel = smaller(panel + 1, last_panel - 1);
      chunk.aim(work, pair, panel, more_panel);
      multiply_and_test<whole, false>(work, block);
      if (block.used != 0)
        store_products<whole>(rows, queries, block, out - first_panel * panel_rows, ldo);
      block.first_query = pair * block_queries;
      block.panels[0] = panel;
      block.panels[1] = more_panel;
      block.used = 1;
    }
  }
  work.steps = 1;
  multiply_and_test<whole, false>(work, block);
  store_products<whole>(rows, queries, block, out - first_panel * panel_rows, ldo);
}

}  // namespace
}  // namespace asof::ASOF_LEVEL::quantized
