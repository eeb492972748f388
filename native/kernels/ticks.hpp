// Clocks as the kernels read them: milliseconds as doubles, or ticks of a packed column
// (core/clock_column.hpp), which hold value_ms = origin_ms + tick * unit_ms and three reserved
// values. Plain data, so that files compiled once a level may include it.
#pragma once

#include <cstdint>

namespace asof {

/// What a tick is worth. Both numbers are whole, and every value stays within 2^53, so that
/// milliseconds come out exact.
struct TickScale {
  double unit_ms = 1;
  double origin_ms = 0;
};

/// Reserved ticks: the row has no such clock; an infinite past; an infinite future.
template <typename Tick>
struct ReservedTicks {
  static constexpr Tick absent =
      sizeof(Tick) == 4 ? static_cast<Tick>(INT32_MIN) : static_cast<Tick>(INT64_MIN);
  static constexpr Tick past = absent + 1;
  static constexpr Tick future = ~absent;
};

}  // namespace asof
