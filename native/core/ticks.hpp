// Ticks of packed clock columns: value_ms = origin_ms + tick * unit_ms, and three reserved values.
#pragma once

#include <cstdint>
#include <limits>

namespace asof {

/// Both numbers are integers and every value is within 2^53, so that milliseconds are exact.
struct TickScale {
  double unit_ms = 86'400'000;
  double origin_ms = 0;
};

/// Reserved ticks: no value; infinite past; infinite future.
template <typename Tick>
struct ReservedTicks {
  static constexpr Tick absent =
      sizeof(Tick) == 4 ? static_cast<Tick>(INT32_MIN) : static_cast<Tick>(INT64_MIN);
  static constexpr Tick past = absent + 1;
  static constexpr Tick future = ~absent;
};

/// NaN for absent, infinities for open ends. Not for sources compiled once per level.
template <typename Tick>
constexpr double milliseconds_of(Tick tick, const TickScale& scale) {
  using Reserved = ReservedTicks<Tick>;
  if (tick == Reserved::absent) return std::numeric_limits<double>::quiet_NaN();
  if (tick == Reserved::past) return -std::numeric_limits<double>::infinity();
  if (tick == Reserved::future) return std::numeric_limits<double>::infinity();
  return scale.origin_ms + static_cast<double>(tick) * scale.unit_ms;
}

}  // namespace asof
