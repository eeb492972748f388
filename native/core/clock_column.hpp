// Packed clock columns: lossless ticks in the narrowest of i32 days, i32 minutes, i32 seconds and
// i64 milliseconds that holds every value of the column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ticks.hpp"

namespace asof {

template <typename Tick>
using ticks = ReservedTicks<Tick>;

using ClockEncoding = TickScale;

/// The coarsest encoding that holds every finite value; NaN is absent, infinities are open ends.
/// `wide`: ticks are i64.
struct ClockChoice {
  ClockEncoding encoding;
  bool wide = false;
};
ClockChoice choose_encoding(std::span<const double> milliseconds,
                            std::span<const double> more = {});

/// Packs values (NaN absent, infinities open) as ticks of an encoding that holds them.
template <typename Tick>
std::vector<Tick> pack_ticks(std::span<const double> milliseconds, const ClockEncoding& encoding);

/// The largest tick whose value is <= milliseconds (floor) or the smallest whose value is >= it
/// (ceil), clamped to the finite ticks; infinities map to the reserved ticks. They
/// convert a query's bounds to ticks.
template <typename Tick>
Tick floor_tick(double milliseconds, const ClockEncoding& encoding);
template <typename Tick>
Tick ceil_tick(double milliseconds, const ClockEncoding& encoding);

}  // namespace asof
