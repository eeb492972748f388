// Row counts of matrix arguments, and parallel loops over tiles of rows with cancellation between
// them.
#pragma once

#include <algorithm>
#include <string>

#include "boundary/arguments.hpp"
#include "core/cancel.hpp"
#include "core/threads.hpp"

namespace asof::boundary {

inline constexpr std::size_t tile_rows = 256;  // rows between two checks of the cancellation
inline constexpr double most_dimensions = 1 << 24;
/// Larger results would not fail to allocate: the process would be killed on touching the memory.
inline constexpr double most_products = 1 << 30;

/// Rows of `dimensions` components in an array of `length`.
inline std::size_t rows_of(std::size_t length, std::size_t dimensions, const char* name) {
  if (length % dimensions != 0) {
    refuse(name, "a whole number of vectors of " + std::to_string(dimensions),
           "an array of " + std::to_string(length));
  }
  return length / dimensions;
}

/// Throws for more pairs of queries and rows than `limit`, which is 2^`exponent`.
inline void check_pairs(std::size_t queries, std::size_t rows, double limit, int exponent) {
  if (static_cast<double>(queries) * static_cast<double>(rows) > limit) {
    refuse("queries and rows", "at most 2^" + std::to_string(exponent) + " pairs",
           std::to_string(queries) + " by " + std::to_string(rows));
  }
}

/// Calls body(first, count) for tiles of the rows [0, n) on the pool's threads.
template <typename Body>
void each_tile(std::size_t n, const Cancel& cancel, Body body) {
  parallel_for((n + tile_rows - 1) / tile_rows, 0, [&](std::size_t tile, std::size_t) {
    cancel.throw_if_requested();
    std::size_t first = tile * tile_rows;
    body(first, std::min(tile_rows, n - first));
  });
}

}  // namespace asof::boundary
