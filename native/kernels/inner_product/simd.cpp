// Inner products in registers: a tile of a few queries by a few rows keeps one accumulator per pair, so that a loaded
// vector is used several times; the accumulators of a tile are summed across their lanes together (sums in core/lanes).
// Compiled once a level. See contract.hpp.
#include "kernels/inner_product/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::inner_product {
namespace {

// Registers: 32 with AVX-512 and NEON, else 16. A tile needs q * r accumulators, q query vectors and one row vector.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int tile_queries = 4;
#elif defined(__FMA__)
constexpr int tile_queries = 3;
#else
constexpr int tile_queries = 2;  // a product needs a register of its own where there is no fused multiply-add
#endif
constexpr int tile_rows = 4;
constexpr int single_rows = 8;  // rows beside one query: enough independent sums to hide the latency of an addition

constexpr std::size_t query_bytes = 24 * 1024;  // queries kept in the first-level cache, with room for a tile of rows
constexpr std::size_t panel_bytes = 256 * 1024;  // rows kept in the second-level cache while all queries pass over them

struct Shape {
  std::size_t ldq, ldr, d, ldo;
};

// Stores the sums of Q * R accumulators: groups of four rows of one query fill 128 bits of a vector of sums.
template <int Q, int R>
ASOF_INLINE void store_sums(const Lanes (&accumulators)[Q][R], float* out, std::size_t ldo) {
  constexpr int quads = (R + 3) / 4, pieces = Q * quads;
  repeat<(pieces + groups - 1) / groups>([&](auto batch) ASOF_INLINE_LAMBDA {
    Lanes part[groups][4] = {};
    repeat<groups * 4>([&](auto at) ASOF_INLINE_LAMBDA {
      constexpr int piece = batch() * groups + at() / 4, row = (piece % quads) * 4 + at() % 4;
      if constexpr (piece < pieces && row < R) part[at() / 4][at() % 4] = accumulators[piece / quads][row];
    });
    float summed[width];
    store(summed, sums(part));
    repeat<groups * 4>([&](auto at) ASOF_INLINE_LAMBDA {
      constexpr int piece = batch() * groups + at() / 4, row = (piece % quads) * 4 + at() % 4;
      if constexpr (piece < pieces && row < R) out[(piece / quads) * ldo + row] = summed[at()];
    });
  });
}

template <int Q, int R>
ASOF_INLINE void tile(const float* queries, const float* rows, float* out, const Shape& shape) {
  Lanes accumulators[Q][R] = {};
  auto step = [&](auto read, std::size_t c) ASOF_INLINE_LAMBDA {
    Lanes query[Q];
    repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA { query[q] = read(queries + q * shape.ldq + c); });
    repeat<R>([&](auto r) ASOF_INLINE_LAMBDA {
      Lanes row = read(rows + r * shape.ldr + c);
      repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA { accumulators[q][r] = multiply_add(query[q], row, accumulators[q][r]); });
    });
  };
  std::size_t c = 0;
  for (; c + width <= shape.d; c += width) step([](const float* from) ASOF_INLINE_LAMBDA { return load(from); }, c);
  if (std::size_t rest = shape.d - c; rest > 0) step([rest](const float* from) ASOF_INLINE_LAMBDA { return load_first(from, rest); }, c);
  store_sums<Q, R>(accumulators, out, shape.ldo);
}

// All rows beside Q queries.
template <int Q, int R>
void stripe(const float* queries, const float* rows, std::size_t n, float* out, const Shape& shape) {
  std::size_t j = 0;
  for (; j + R <= n; j += R) tile<Q, R>(queries, rows + j * shape.ldr, out + j, shape);
  for (; j < n; ++j) tile<Q, 1>(queries, rows + j * shape.ldr, out + j, shape);
}

// All queries beside one tile of rows.
template <int R>
void column(const float* queries, std::size_t nq, const float* rows, float* out, const Shape& shape) {
  std::size_t i = 0;
  for (; i + tile_queries <= nq; i += tile_queries) tile<tile_queries, R>(queries + i * shape.ldq, rows, out + i * shape.ldo, shape);
  if constexpr (tile_queries > 3) {
    if (i + 2 < nq) { tile<3, R>(queries + i * shape.ldq, rows, out + i * shape.ldo, shape); return; }
  }
  if constexpr (tile_queries > 2) {
    if (i + 1 < nq) { tile<2, R>(queries + i * shape.ldq, rows, out + i * shape.ldo, shape); return; }
  }
  if (i < nq) tile<1, R>(queries + i * shape.ldq, rows, out + i * shape.ldo, shape);
}

void block(const float* queries, std::size_t nq, std::size_t ldq, const float* rows, std::size_t n, std::size_t ldr, std::size_t d, float* out, std::size_t ldo) {
  Shape shape = {ldq, ldr, d, ldo};
  if (nq == 1) return stripe<1, single_rows>(queries, rows, n, out, shape);
  std::size_t vector_bytes = d * sizeof(float) + 1;
  std::size_t some_queries = query_bytes / vector_bytes / tile_queries * tile_queries;
  std::size_t panel = panel_bytes / vector_bytes / tile_rows * tile_rows;
  if (some_queries < tile_queries) some_queries = tile_queries;
  if (panel < tile_rows) panel = tile_rows;
  for (std::size_t first = 0; first < n; first += panel) {
    std::size_t end = n - first < panel ? n : first + panel;
    for (std::size_t i = 0; i < nq; i += some_queries) {
      std::size_t count = nq - i < some_queries ? nq - i : some_queries;
      const float* group = queries + i * ldq;
      float* results = out + i * ldo;
      std::size_t j = first;
      for (; j + tile_rows <= end; j += tile_rows) column<tile_rows>(group, count, rows + j * ldr, results + j, shape);
      for (; j < end; ++j) column<1>(group, count, rows + j * ldr, results + j, shape);
    }
  }
}

}  // namespace

extern const ::asof::inner_product::Kernels kernels;
const ::asof::inner_product::Kernels kernels = {block};

}  // namespace asof::ASOF_LEVEL::inner_product
