// Register blocks of some queries by some panels: each line is loaded once for all queries of a
// block, each query group broadcast once for all its panels.
#pragma once

#include "kernels/quantized/prefetch.hpp"
#include "kernels/quantized/prefix_bound.hpp"

namespace asof::ASOF_LEVEL::quantized {
namespace {

using ::asof::quantized::panel_bytes;
using ::asof::quantized::tiles;

// Registers: 32 with AVX-512 and NEON, else 16; a block needs one for each sum of a query and a
// vector of rows, and a few more.
#if defined(__AVX512F__)
constexpr int most_sums = 24, most_block_queries = 8;
#elif defined(__aarch64__)
constexpr int most_sums = 16, most_block_queries = 4;
#elif defined(__AVX2__)
constexpr int most_sums = 8, most_block_queries = 4;
#else
constexpr int most_sums = 8, most_block_queries = 2;
#endif

/// Panels per block of `queries` queries; never more than eight: each is a stream of memory of its
/// own.
constexpr int block_panels(int queries) {
  return most_sums / (queries * pieces) > 8 ? 8 : most_sums / (queries * pieces);
}

template <typename Arithmetic, int Q, int P>
struct Block {
  using Sum = typename Arithmetic::Sum;
  Sum sums[Q][P][pieces];

  /// Queries first .. first + Q - 1 lie in one group of 16.
  ASOF_INLINE void multiply(const Rows& rows, const Queries& queries, std::size_t first,
                            const std::size_t* panels, Prefetcher& ahead) {
    const std::size_t bytes = panel_bytes(rows.storage, rows.d),
                      tile_count = tiles(rows.storage, rows.d);
    const std::uint8_t* lines[P];
    repeat<P>([&](auto p) ASOF_INLINE_LAMBDA { lines[p()] = rows.panels + panels[p()] * bytes; });
    repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
      repeat<P>([&](auto p) ASOF_INLINE_LAMBDA {
        repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
          sums[q()][p()][v()] = Arithmetic::start(queries, first + q());
        });
      });
    });
    const std::uint32_t* words = Arithmetic::words(queries) +
                                 first / panel_rows * tile_count * Arithmetic::tile_words +
                                 first % panel_rows * Arithmetic::query_words;
    for (std::size_t tile = 0; tile < tile_count; ++tile, words += Arithmetic::tile_words) {
      for (std::size_t group = 0; group < tile_lines; ++group) {
        ahead.fetch();
        line(lines, words + group * Arithmetic::halves);
        repeat<P>([&](auto p) ASOF_INLINE_LAMBDA { lines[p()] += line_bytes; });
      }
    }
  }

 private:
  ASOF_INLINE void line(const std::uint8_t* const (&lines)[P], const std::uint32_t* words) {
    repeat<Arithmetic::halves>([&](auto half) ASOF_INLINE_LAMBDA {
      Groups part[P][pieces];
      repeat<P>([&](auto p) ASOF_INLINE_LAMBDA {
        repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
          part[p()][v()] =
              Arithmetic::template part<half()>(load_groups(lines[p()] + v() * width * 4));
        });
      });
      repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
        const std::uint32_t word = words[q() * Arithmetic::query_words + half()];
        repeat<P>([&](auto p) ASOF_INLINE_LAMBDA {
          repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
            sums[q()][p()][v()] = Arithmetic::add(sums[q()][p()][v()], part[p()][v()], word);
          });
        });
      });
    });
  }
};

/// The panel test of a block: whether any of its pairs passes.
template <typename Arithmetic, int Q, int P>
ASOF_INLINE bool any_passes(const Block<Arithmetic, Q, P>& block, const Lanes (&scale)[P][pieces],
                            const float (*room)[chunk_queries], std::size_t first,
                            const PanelTest& test, const Lanes (*bias)[pieces]) {
  Masks failed = ~Masks{};
  repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
    repeat<P>([&](auto p) ASOF_INLINE_LAMBDA {
      repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
        Lanes sum = as_floats<Arithmetic>(block.sums[q()][p()][v()]),
              spare = spread(room[p()][first + q()]);
        if (bias != nullptr)
          spare += widened(bias[p()][v()]) * spread(test.bias_weight[first + q()]);
        failed &= reinterpret_cast<Masks>(
            Arithmetic::whole ? multiply_add(sum, scale[p()][v()], spare) : sum + spare);
      });
    });
  });
  return bits(failed < 0) != (1u << width) - 1;
}

template <typename Arithmetic, int Q, int P>
__attribute__((noinline)) void keep_block(Sink& sink, const Block<Arithmetic, Q, P>& block,
                                          std::size_t first, const std::size_t* panels,
                                          std::size_t count) {
  for (std::size_t q = 0; q < Q && first + q < sink.first_query + sink.query_count; ++q) {
    for (std::size_t p = 0; p < count; ++p) {
      keep<Arithmetic::whole>(sink, first + q, panels[p],
                              reinterpret_cast<const std::uint32_t*>(&block.sums[q][p]));
    }
  }
}

/// All queries of the sink's chunk by the panels of the scan.
template <typename Arithmetic, int Q, int P>
void survivors_of(Sink& sink) {
  auto walk = PanelWalk<Arithmetic, Q>::over(sink);
  const std::size_t bytes = panel_bytes(sink.rows.storage, sink.rows.d),
                    blocks = (sink.query_count + Q - 1) / Q;
  const std::size_t share = (P + blocks - 1) / blocks;
  alignas(line_bytes) float room[P][chunk_queries];
  std::size_t panels[P];
  while (std::size_t count = walk.take(panels, P)) {
    for (std::size_t p = count; p < P; ++p) panels[p] = panels[count - 1];
    Lanes scale[P][pieces], bias[P][pieces];
    for (std::size_t p = 0; p < P; ++p) {
      repeat<pieces>([&](auto v) ASOF_INLINE_LAMBDA {
        bias[p][v()] = sink.row_bias(panels[p], static_cast<std::size_t>(v()));
      });
      const PanelRecord& record = sink.rows.records[panels[p]];
      rooms(sink.test, record, sink.query_count, room[p]);
      repeat<pieces>([&](auto v)
                         ASOF_INLINE_LAMBDA { scale[p][v()] = load(record.scale + v() * width); });
    }
    Prefetcher ahead = {reinterpret_cast<std::uintptr_t>(sink.rows.panels + walk.next * bytes),
                        walk.next < walk.last && walk.in_line() ? share : 0};
    for (std::size_t i = 0; i < sink.query_count; i += Q) {
      if (i == P * Q) ahead.lines = 0;  // all are prefetched
      Block<Arithmetic, Q, P> block;
      block.multiply(sink.rows, sink.queries, sink.first_query + i, panels, ahead);
      if (__builtin_expect(any_passes(block, scale, room, i, sink.test,
                                      sink.scan.row_bias == nullptr ? nullptr : bias),
                           0)) {
        // A copy, since Clang would store the sums of a block whose address is taken in every step.
        const Block<Arithmetic, Q, P> kept = block;
        keep_block(sink, kept, sink.first_query + i, panels, count);
      }
    }
  }
}

template <typename Arithmetic, int Q, int P>
void products_of(const Rows& rows, const Queries& queries, PanelRange range, float* out,
                 std::size_t ldo) {
  const auto [first_panel, last_panel] = range;
  const std::size_t first_row = first_panel * panel_rows,
                    row_count = smaller(rows.n, last_panel * panel_rows) - first_row;
  for (std::size_t panel = first_panel; panel < last_panel; panel += P) {
    std::size_t panels[P];
    for (std::size_t p = 0; p < P; ++p) panels[p] = smaller(panel + p, last_panel - 1);
    for (std::size_t i = 0; i < queries.nq; i += Q) {
      Block<Arithmetic, Q, P> block;
      Prefetcher none = {0, 0};
      block.multiply(rows, queries, i, panels, none);
      for (std::size_t q = 0; q < Q && i + q < queries.nq; ++q) {
        for (std::size_t p = 0; p < P && panel + p < last_panel; ++p) {
          const float* scale = rows.records[panel + p].scale;
          for (std::size_t v = 0; v < pieces; ++v) {
            const std::size_t at = (panel + p) * panel_rows - first_row + v * width;
            if (at >= row_count) break;
            Lanes value = as_floats<Arithmetic>(block.sums[q][p][v]);
            if constexpr (Arithmetic::whole)
              value = value * load(scale + v * width) * spread(queries.scale[i + q]);
            if (at + width <= row_count)
              store(out + (i + q) * ldo + at, value);
            else
              store_first(out + (i + q) * ldo + at, value, row_count - at);
          }
        }
      }
    }
  }
}

/// Calls run(constant<Q>) with the number of queries of a block that suits `count` queries.
template <int Q, typename Run>
ASOF_INLINE void with_block(std::size_t count, Run run) {
  if constexpr (Q > 1) {
    if (count <= Q / 2) return with_block<Q / 2>(count, run);
  }
  run(constant<Q>{});
}

template <typename Arithmetic>
void chunk_by_blocks(Sink& sink) {
  with_block<most_block_queries>(sink.query_count, [&](auto q) ASOF_INLINE_LAMBDA {
    survivors_of<Arithmetic, q(), block_panels(q())>(sink);
  });
}

}  // namespace
}  // namespace asof::ASOF_LEVEL::quantized
