// Directed rounding of doubles to floats, cheaper than a change of the rounding mode.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/vector/times/block_times.hpp"

namespace asof::vector {

/// A float not below the value, at most two units above it.
inline float round_up(double value) {
  constexpr double largest = std::numeric_limits<double>::max(),
                   least = static_cast<double>(std::numeric_limits<float>::denorm_min());
  return static_cast<float>(value + std::min(std::abs(value), largest) * 0x1p-23 + least);
}

inline float round_down(double value) {
  return -round_up(-value);
}

/// A float below a threshold by more than the rounding of scores. Of a threshold above all floats
/// it is the largest one: infinite similarities reach it, which RowBounds::unreachable would skip.
inline float below_threshold(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  if (value > largest) return std::numeric_limits<float>::max();
  const double less = value - rounding_slack * std::abs(value) -
                      static_cast<double>(std::numeric_limits<float>::min());
  return less >= -largest ? static_cast<float>(less) : -std::numeric_limits<float>::infinity();
}

}  // namespace asof::vector
