// First and last times of blocks of rows, and the greatest temporal factor that they allow.
#pragma once

#include <array>

#include "index/vector/request.hpp"

namespace asof::vector {

// Sums of doubles, and what was rounded to float, stay far within this of their terms.
inline constexpr double rounding_slack = 1e-6;

/// From the first to the last instant of a block's times; empty where it has none.
temporal::Window span_of_block(const ClockColumn& column, std::size_t row);

/// The first and the last time of some blocks, by clock.
class BlockTimes {
 public:
  BlockTimes(const FlatRows& rows, std::size_t begin, std::size_t count);
  const temporal::Window& of(temporal::Clock clock) const {
    return times_[static_cast<std::size_t>(clock)];
  }
  /// Upper bound of c of the blocks' rows.
  double max_factor(const temporal::Form& form) const;
  /// Upper bound of the decay of the blocks' rows.
  double max_decay(temporal::Clock clock, const decay::Curve& curve) const;

 private:
  std::array<temporal::Window, 3> times_;  // in the order of Clock
};

}  // namespace asof::vector
