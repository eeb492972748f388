// Register tiles of rows by two vectors of queries: a row component is broadcast and multiplied
// with that component of all queries of the tile.
#include "kernels/threshold_products/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::threshold_products {
namespace {

using ::asof::threshold_products::Candidate;
using ::asof::threshold_products::group;
using ::asof::threshold_products::Scan;

// Registers: 32 with AVX-512 and NEON, else 16. A tile needs rows * vectors sums, `vectors` of
// queries and one of a row.
#if defined(__AVX512F__)
constexpr int vectors = 2, most_rows = 12;
#elif defined(__aarch64__)
constexpr int vectors = 4, most_rows = 6;
#elif defined(__FMA__)
constexpr int vectors = 2, most_rows = 6;
#else
constexpr int vectors = 2,
              most_rows =
                  4;  // a product needs a register of its own where there is no fused multiply-add
#endif
constexpr int few_rows = 4;
constexpr std::size_t pieces = group / width;  // vectors of a group
constexpr std::size_t line_floats = 16, step = 16;

/// Asks for lines of rows that come next, some after every few components, so that memory works
/// while registers do.
struct Ahead {
  std::uintptr_t next, lines_each;
  ASOF_INLINE void fetch() {
    for (std::size_t line = 0; line < lines_each; ++line)
      __builtin_prefetch(reinterpret_cast<const void*>(next + line * line_floats * sizeof(float)),
                         0, 2);
    next += lines_each * line_floats * sizeof(float);
  }
};

struct Sink {
  explicit Sink(const Scan& scan) : scan(scan) {}

  const Scan& scan;
  std::size_t candidate_count = 0;
  Candidate room[512];

  void flush() {
    if (candidate_count > 0) scan.take(scan.context, room, candidate_count);
    candidate_count = 0;
  }
};

/// Sums of a tile, and where they belong.
template <int R, int V>
__attribute__((noinline)) void keep(Sink& sink, const Lanes (&sums)[R][V], std::size_t row,
                                    std::size_t query) {
  for (std::size_t r = 0; r < R; ++r) {
    for (std::size_t v = 0; v < V; ++v) {
      const std::size_t first = query + v * width;
      if (first >= sink.scan.nq) break;
      float products[width];
      store(products, sums[r][v]);
      for (std::size_t i = 0; i < width && first + i < sink.scan.nq; ++i) {
        if (products[i] < sink.scan.thresholds[first + i]) continue;
        sink.room[sink.candidate_count++] = {static_cast<std::uint32_t>(first + i),
                                             static_cast<std::uint32_t>(row + r), products[i]};
      }
      if (sink.candidate_count + width > sizeof(sink.room) / sizeof(Candidate)) sink.flush();
    }
  }
}

/// R rows by the V vectors of queries from `query` on.
template <int R, int V>
ASOF_INLINE void tile(Sink& sink, std::size_t row, std::size_t query, const Lanes (&limits)[V],
                      Ahead& ahead) {
  const std::size_t d = sink.scan.d, triple = 3 * d;
  const float* from[(R + 3) / 4];
  const float* queries[V];
  repeat<(R + 3) / 4>([&](auto r)
                          ASOF_INLINE_LAMBDA { from[r()] = sink.scan.rows + (row + 4 * r()) * d; });
  repeat<V>([&](auto v) ASOF_INLINE_LAMBDA {
    const std::size_t at = query / width + v();
    queries[v()] = sink.scan.queries + at / pieces * d * group + at % pieces * width;
  });
  Lanes sums[R][V] = {};
  auto component = [&](std::size_t c) ASOF_INLINE_LAMBDA {
    Lanes own[V];
    repeat<V>([&](auto v) ASOF_INLINE_LAMBDA { own[v()] = load(queries[v()] + c * group); });
    repeat<R>([&](auto r) ASOF_INLINE_LAMBDA {
      constexpr int place = r() % 4;
      const float* at = from[r() / 4] + c;
      Lanes value = spread(place == 3 ? at[triple] : at[place * d]);
      repeat<V>([&](auto v) ASOF_INLINE_LAMBDA {
        sums[r()][v()] = multiply_add(own[v()], value, sums[r()][v()]);
      });
    });
  };
  std::size_t c = 0;
  for (; c + step <= d; c += step) {
    ahead.fetch();
    for (std::size_t i = c; i < c + step; ++i) component(i);
  }
  for (; c < d; ++c) component(c);
  Masks below = ~Masks{};
  repeat<R>([&](auto r) ASOF_INLINE_LAMBDA {
    repeat<V>([&](auto v) ASOF_INLINE_LAMBDA { below &= sums[r()][v()] < limits[v()]; });
  });
  if (__builtin_expect(bits(below) != (1u << width) - 1, 0)) {
    // A copy, since Clang would store sums whose address is taken in every step.
    Lanes kept[R][V];
    repeat<R>([&](auto r) ASOF_INLINE_LAMBDA {
      repeat<V>([&](auto v) ASOF_INLINE_LAMBDA { kept[r()][v()] = sums[r()][v()]; });
    });
    keep<R, V>(sink, kept, row, query);
  }
}

template <int V>
ASOF_INLINE void read_limits(const Scan& scan, std::size_t query, Lanes (&limits)[V]) {
  float values[V * width];
  for (std::size_t i = 0; i < V * width; ++i)
    values[i] = query + i < scan.nq ? scan.thresholds[query + i] : __builtin_inff();
  repeat<V>([&](auto v) ASOF_INLINE_LAMBDA { limits[v()] = load(values + v() * width); });
}

/// R rows by all queries.
template <int R>
ASOF_INLINE void pass(Sink& sink, std::size_t row) {
  const Scan& scan = sink.scan;
  const std::size_t in_groups = (scan.nq + group - 1) / group * group,
                    tiles = (in_groups + vectors * width - 1) / (vectors * width);
  const std::size_t lines = R * scan.d / line_floats, calls = tiles * (scan.d / step) + 1;
  Ahead ahead = {reinterpret_cast<std::uintptr_t>(scan.rows + (row + R) * scan.d),
                 (lines + calls - 1) / calls};
  std::size_t query = 0;
  for (; query + vectors * width <= in_groups; query += vectors * width) {
    Lanes limits[vectors];
    read_limits(scan, query, limits);
    tile<R, vectors>(sink, row, query, limits, ahead);
  }
  for (; query < in_groups; query += width) {
    Lanes limits[1];
    read_limits(scan, query, limits);
    tile<R, 1>(sink, row, query, limits, ahead);
  }
}

void scan(const Scan& scan) {
  Sink sink(scan);
  std::size_t row = 0;
  for (; row + most_rows <= scan.n; row += most_rows) pass<most_rows>(sink, row);
  if constexpr (few_rows < most_rows) {
    for (; row + few_rows <= scan.n; row += few_rows) pass<few_rows>(sink, row);
  }
  for (; row < scan.n; ++row) pass<1>(sink, row);
  sink.flush();
}

}  // namespace

extern const ::asof::threshold_products::Kernels kernels;
const ::asof::threshold_products::Kernels kernels = {scan};

}  // namespace asof::ASOF_LEVEL::threshold_products
