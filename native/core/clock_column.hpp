// Clocks packed as ticks: value_ms = origin_ms + ticks * unit_ms, lossless, in the narrowest of i32
// days, i32 minutes, i32 seconds and i64 milliseconds that holds every value of the column. Three
// tick values are reserved: absent (the row has no such clock), and an infinite past and future.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace asof {

template <typename Tick>
struct ticks {
  static constexpr Tick absent = std::numeric_limits<Tick>::min();
  static constexpr Tick past = std::numeric_limits<Tick>::min() + 1;
  static constexpr Tick future = std::numeric_limits<Tick>::max();
};

struct ClockEncoding {
  double unit_ms = 86'400'000;
  double origin_ms = 0;
};

/// The coarsest encoding that holds every finite value; NaN is absent, infinities are open ends.
/// `wide` says i64.
struct ClockChoice {
  ClockEncoding encoding;
  bool wide = false;
};
ClockChoice choose_encoding(std::span<const double> milliseconds,
                            std::span<const double> more = {});

/// Packs values (NaN absent, infinities open) as ticks of an encoding that holds them.
template <typename Tick>
std::vector<Tick> pack_ticks(std::span<const double> milliseconds, const ClockEncoding& encoding);

/// Back to milliseconds: NaN for absent, infinities for open ends.
template <typename Tick>
constexpr double milliseconds_of(Tick tick, const ClockEncoding& encoding) {
  if (tick == ticks<Tick>::absent) return std::numeric_limits<double>::quiet_NaN();
  if (tick == ticks<Tick>::past) return -std::numeric_limits<double>::infinity();
  if (tick == ticks<Tick>::future) return std::numeric_limits<double>::infinity();
  return encoding.origin_ms + static_cast<double>(tick) * encoding.unit_ms;
}

/// The largest tick whose value is <= milliseconds (floor) or the smallest whose value is >= it
/// (ceil), clamped to the finite ticks; infinities map to the reserved ticks. A query's bounds are
/// turned into ticks with these.
template <typename Tick>
Tick floor_tick(double milliseconds, const ClockEncoding& encoding);
template <typename Tick>
Tick ceil_tick(double milliseconds, const ClockEncoding& encoding);

}  // namespace asof
