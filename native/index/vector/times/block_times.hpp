// First and last times of blocks of rows, and the values that a form has within.
#pragma once

#include <array>

#include "index/vector/request.hpp"

namespace asof::vector {

using temporal::rounding_slack;

/// From the first to the last instant of a block's times; empty where it has none.
temporal::Window span_of_block(const ClockColumn& column, std::size_t row);

/// The first and the last time of some blocks, by clock.
class BlockTimes {
 public:
  BlockTimes(const FlatRows& rows, std::size_t begin, std::size_t count);
  const temporal::Window& of(temporal::Clock clock) const {
    return times_[static_cast<std::size_t>(clock)];
  }
  /// Bounds of the values of the blocks' rows.
  temporal::Range range(const temporal::Form& form) const;
  /// Upper bound of their factors, 1 where the form is none.
  double max_factor(const temporal::Form& form) const {
    return form.combine == temporal::Combine::product ? range(form).greatest : 1;
  }

 private:
  std::array<temporal::Window, 3> times_;  // in the order of Clock
};

}  // namespace asof::vector
