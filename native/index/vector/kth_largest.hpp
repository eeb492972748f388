// K-th largest of floats by bisection over order-preserving integer keys: branch-free loops, faster
// than a partition of some hundred values.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "index/vector/request.hpp"

namespace asof::vector {

/// Integers in the order of floats; -0 is below 0. Not for NaN.
inline std::int32_t order_key(float value) {
  const std::int32_t bits = std::bit_cast<std::int32_t>(value);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}
inline float value_of_key(std::int32_t key) {
  return std::bit_cast<float>(key ^ ((key >> 31) & 0x7fffffff));
}

/// The key of a float just below the value; the lowest key for NaN.
inline std::int32_t order_key_below(double value) {
  const std::int32_t least = order_key(-std::numeric_limits<float>::infinity());
  const std::int32_t nearest = value > -infinity ? order_key(static_cast<float>(value)) : least;
  return nearest > least ? nearest - 1 : least;
}

/// The rank-th greatest of the keys; 1 <= rank <= their number.
std::int32_t kth_largest(const std::vector<std::int32_t>& keys, std::size_t rank);

/// The rank-th greatest as a float; -infinity with fewer keys.
inline double kth_largest_or_none(const std::vector<std::int32_t>& keys, std::size_t rank) {
  return rank == 0 || keys.size() < rank
             ? -infinity
             : static_cast<double>(value_of_key(kth_largest(keys, rank)));
}

}  // namespace asof::vector
