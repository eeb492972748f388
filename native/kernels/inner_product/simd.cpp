// Register-tiled inner products: a tile of a few queries by a few rows keeps one accumulator per
// pair, and reduces a tile's accumulators across lanes together.
#include "kernels/inner_product/contract.hpp"

#include "core/lanes.hpp"
#include "core/matrix.hpp"

namespace asof::ASOF_LEVEL::inner_product {
namespace {

using ::asof::Matrix;

// Registers: 32 with AVX-512 and NEON, else 16. A tile needs q * r accumulators, q query vectors
// and one row vector.
#if defined(__AVX512F__) || defined(__aarch64__)
constexpr int tile_queries = 4;
#elif defined(__FMA__)
constexpr int tile_queries = 3;
#else
constexpr int tile_queries =
    2;  // a product needs a register of its own where there is no fused multiply-add
#endif
constexpr int tile_rows = 4;
// Rows by one query: as many stretches are read side by side, and as many rows of each are reduced
// together.
constexpr int stretches = 4, stretch_rows = 4;
constexpr std::size_t bytes_ahead = 1024;  // of a stretch, asked for before they are read

constexpr std::size_t query_bytes =
    24 * 1024;  // queries kept in the first-level cache, with room for a tile of rows
// Rows kept in the second-level cache while all queries pass over them. Processors with AVX-512
// have 1 MiB or more.
constexpr std::size_t panel_bytes = width == 16 ? 512 * 1024 : 160 * 1024;
constexpr std::size_t line_bytes = 64;

struct Shape {
  std::size_t ldq, ldr, d, ldo;
};

// Stores the sums of Q * R accumulators: groups of four rows of one query fill 128 bits of a vector
// of sums.
template <int Q, int R>
ASOF_INLINE void store_sums(const Lanes (&accumulators)[Q][R], float* out, std::size_t ldo) {
  constexpr int quads = (R + 3) / 4, pieces = Q * quads;
  repeat<(pieces + groups - 1) / groups>([&](auto batch) ASOF_INLINE_LAMBDA {
    Lanes part[groups][4] = {};
    repeat<groups * 4>([&](auto at) ASOF_INLINE_LAMBDA {
      constexpr int piece = batch() * groups + at() / 4, row = (piece % quads) * 4 + at() % 4;
      if constexpr (piece < pieces && row < R)
        part[at() / 4][at() % 4] = accumulators[piece / quads][row];
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
      repeat<Q>([&](auto q) ASOF_INLINE_LAMBDA {
        accumulators[q][r] = multiply_add(query[q], row, accumulators[q][r]);
      });
    });
  };
  std::size_t c = 0;
  for (; c + width <= shape.d; c += width)
    step([](const float* from) ASOF_INLINE_LAMBDA { return load(from); }, c);
  if (std::size_t rest = shape.d - c; rest > 0)
    step([rest](const float* from) ASOF_INLINE_LAMBDA { return load_first(from, rest); }, c);
  store_sums<Q, R>(accumulators, out, shape.ldo);
}

/// Adds the products of a query with a row in each of S stretches, `apart` components from one
/// another. Lines of each are asked for ahead: what memory answers fastest, over small pages a
/// quarter faster than one stretch.
template <int S>
ASOF_INLINE void row_of_each(const float* query, const float* rows, std::size_t apart,
                             std::size_t d, Lanes (&sums)[S]) {
  constexpr std::size_t line = line_bytes / sizeof(float);
  const auto step = [&](auto read, std::size_t c) ASOF_INLINE_LAMBDA {
    const Lanes part = read(query + c);
    repeat<S>([&](auto s) ASOF_INLINE_LAMBDA {
      sums[s] = multiply_add(part, read(rows + s() * apart + c), sums[s]);
    });
  };
  const auto whole = [](const float* from) ASOF_INLINE_LAMBDA { return load(from); };
  std::size_t c = 0;
  for (; c + line <= d; c += line) {
    repeat<S>([&](auto s) ASOF_INLINE_LAMBDA {
      const auto at = reinterpret_cast<std::uintptr_t>(rows + s() * apart + c);
      __builtin_prefetch(reinterpret_cast<const void*>(at + bytes_ahead), 0, 2);
    });
    repeat<line / width>([&](auto part) ASOF_INLINE_LAMBDA { step(whole, c + part() * width); });
  }
  for (; c + width <= d; c += width) step(whole, c);
  if (const std::size_t rest = d - c; rest > 0)
    step([rest](const float* from) ASOF_INLINE_LAMBDA { return load_first(from, rest); }, c);
}

/// All rows by one query.
void single(const float* query, const float* rows, std::size_t n, float* out, const Shape& shape) {
  const std::size_t each = n / (stretches * stretch_rows) * stretch_rows;
  for (std::size_t j = 0; j < each; j += stretch_rows) {
    Lanes accumulators[stretches][stretch_rows];
    repeat<stretch_rows>([&](auto r) ASOF_INLINE_LAMBDA {
      Lanes sums[stretches] = {};
      row_of_each<stretches>(query, rows + (j + r()) * shape.ldr, each * shape.ldr, shape.d, sums);
      repeat<stretches>([&](auto s) ASOF_INLINE_LAMBDA { accumulators[s][r()] = sums[s]; });
    });
    store_sums<stretches, stretch_rows>(accumulators, out + j, each);
  }
  for (std::size_t j = each * stretches; j < n; ++j) {
    Lanes sums[1][1] = {};
    row_of_each<1>(query, rows + j * shape.ldr, 0, shape.d, sums[0]);
    store_sums<1, 1>(sums, out + j, shape.ldo);
  }
}

// Prefetches lines of later rows. A prefetch may run past the end.
struct Prefetcher {
  std::uintptr_t next;
  std::size_t lines_per_tile;
  ASOF_INLINE void fetch() {
    for (std::size_t line = 0; line < lines_per_tile; ++line)
      __builtin_prefetch(reinterpret_cast<const void*>(next + line * line_bytes), 0, 2);
    next += lines_per_tile * line_bytes;
  }
};

// All queries of a group by one tile of rows.
template <int R>
ASOF_INLINE void column(const Matrix& group, const float* rows, float* out, const Shape& shape,
                        Prefetcher ahead) {
  const float* const queries = group.data;
  const std::size_t nq = group.rows;
  std::size_t i = 0;
  for (; i + tile_queries <= nq; i += tile_queries) {
    ahead.fetch();
    tile<tile_queries, R>(queries + i * shape.ldq, rows, out + i * shape.ldo, shape);
  }
  if (i == nq) return;
  ahead.fetch();
  if constexpr (tile_queries > 3) {
    if (i + 2 < nq) return tile<3, R>(queries + i * shape.ldq, rows, out + i * shape.ldo, shape);
  }
  if constexpr (tile_queries > 2) {
    if (i + 1 < nq) return tile<2, R>(queries + i * shape.ldq, rows, out + i * shape.ldo, shape);
  }
  tile<1, R>(queries + i * shape.ldq, rows, out + i * shape.ldo, shape);
}

// Some queries by a panel of rows. The share of the next panel that this group of queries
// prefetches:
struct Share {
  std::size_t place, places;
};
void panel(const Matrix& queries, const Matrix& rows, float* out, const Shape& shape, Share group) {
  const std::size_t n = rows.rows, tiles = (queries.rows + tile_queries - 1) / tile_queries,
                    lines = shape.ldr * tile_rows * sizeof(float) / line_bytes;
  std::size_t share = (lines + tiles * group.places - 1) / (tiles * group.places);
  std::size_t j = 0;
  for (; j + tile_rows <= n; j += tile_rows) {
    std::uintptr_t next_panel =
        reinterpret_cast<std::uintptr_t>(rows.data) + (n + j) * shape.ldr * sizeof(float);
    column<tile_rows>(queries, rows.data + j * shape.ldr, out + j, shape,
                      {next_panel + group.place * tiles * share * line_bytes, share});
  }
  for (; j < n; ++j) column<1>(queries, rows.data + j * shape.ldr, out + j, shape, {0, 0});
}

// The queries, or a copy of them where their vectors straddle cache lines and the copy has room: a
// query is loaded again for every tile of rows, and a load that straddles lines takes twice its
// time.
const float* aligned(const float* queries, std::size_t nq, const Shape& shape, float* copy,
                     std::size_t& ldq) {
  std::size_t stride = (shape.d + width - 1) / width * width;
  bool straddles =
      (reinterpret_cast<std::uintptr_t>(queries) | (nq > 1 ? shape.ldq * sizeof(float) : 0)) %
          (width * sizeof(float)) !=
      0;
  if (!straddles || nq * stride * sizeof(float) > query_bytes) return queries;
  for (std::size_t i = 0; i < nq; ++i)
    __builtin_memcpy(copy + i * stride, queries + i * shape.ldq, shape.d * sizeof(float));
  ldq = stride;
  return copy;
}

void block(const Matrix& queries, const Matrix& rows, std::size_t d, float* out, std::size_t ldo) {
  const std::size_t nq = queries.rows, n = rows.rows;
  Shape shape = {queries.stride, rows.stride, d, ldo};
  if (nq == 1) return single(queries.data, rows.data, n, out, shape);
  alignas(line_bytes) float copy[query_bytes / sizeof(float)];
  std::size_t vector_bytes = d * sizeof(float) + 1;
  std::size_t some_queries = query_bytes / vector_bytes / tile_queries * tile_queries;
  std::size_t some_rows = panel_bytes / vector_bytes / tile_rows * tile_rows;
  if (some_queries < tile_queries) some_queries = tile_queries;
  if (some_rows < tile_rows) some_rows = tile_rows;
  std::size_t places = (nq + some_queries - 1) / some_queries;
  for (std::size_t first = 0; first < n; first += some_rows) {
    std::size_t count = n - first < some_rows ? n - first : some_rows;
    for (std::size_t place = 0; place < places; ++place) {
      std::size_t i = place * some_queries,
                  width_of_group = nq - i < some_queries ? nq - i : some_queries;
      const float* group =
          aligned(queries.data + i * queries.stride, width_of_group, shape, copy, shape.ldq);
      panel({group, width_of_group, shape.ldq},
            {rows.data + first * rows.stride, count, rows.stride}, out + i * ldo + first, shape,
            {place, places});
      shape.ldq = queries.stride;
    }
  }
}

// R pairs side by side, as a tile of one query and R rows but for where the vectors lie.
template <int R>
ASOF_INLINE void some_pairs(const float* const* queries, const float* const* rows, std::size_t d,
                            float* out) {
  Lanes accumulators[1][R] = {};
  auto step = [&](auto read, std::size_t c) ASOF_INLINE_LAMBDA {
    repeat<R>([&](auto r) ASOF_INLINE_LAMBDA {
      accumulators[0][r] =
          multiply_add(read(queries[r()] + c), read(rows[r()] + c), accumulators[0][r]);
    });
  };
  std::size_t c = 0;
  for (; c + width <= d; c += width)
    step([](const float* from) ASOF_INLINE_LAMBDA { return load(from); }, c);
  if (std::size_t rest = d - c; rest > 0)
    step([rest](const float* from) ASOF_INLINE_LAMBDA { return load_first(from, rest); }, c);
  store_sums<1, R>(accumulators, out, R);
}

void pairs(const float* const* queries, const float* const* rows, std::size_t n, std::size_t d,
           float* out) {
  constexpr int together = 4;  // eight addresses; those of more pairs find no registers
  std::size_t i = 0;
  for (; i + together <= n; i += together) some_pairs<together>(queries + i, rows + i, d, out + i);
  for (; i < n; ++i) some_pairs<1>(queries + i, rows + i, d, out + i);
}

}  // namespace

extern const ::asof::inner_product::Kernels kernels;
const ::asof::inner_product::Kernels kernels = {block, pairs};

}  // namespace asof::ASOF_LEVEL::inner_product
