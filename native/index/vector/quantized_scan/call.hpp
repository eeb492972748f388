// What the two halves of Coarse share: the asking of tiles (coarse.cpp) and the taking of their
// survivors (scores.cpp).
#pragma once

#include <cmath>
#include <limits>

#include "index/vector/quantized_scan/coarse.hpp"
#include "index/vector/times/block_times.hpp"

namespace asof::vector {

/// One call of the kernel, as its survivors need it.
struct Coarse::Call {
  Coarse& coarse;
  Lane& lane;
  std::size_t segment;
  std::vector<Collector>& collectors;
  const Tile* tile;                      // null: a stretch, all of whose rows all slots look at
  std::size_t first_slot = 0, base = 0;  // row 0 of the call is row `base` of the segment
  bool timed = false;  // candidates come with products and bounds times lane.row_factors, which
                       // begin at row 0 of the call's first panel
  bool plain =
      false;  // bounds that candidates come with are those of scores, but for the query's weight
};

/// A float below a threshold, by more than rounding takes; infinities stay.
inline float below(double value) {
  constexpr double largest = std::numeric_limits<float>::max();
  const double less = value - rounding_slack * std::abs(value) -
                      static_cast<double>(std::numeric_limits<float>::min());
  if (less > largest) return std::numeric_limits<float>::infinity();
  return less >= -largest ? static_cast<float>(less) : -std::numeric_limits<float>::infinity();
}

}  // namespace asof::vector
