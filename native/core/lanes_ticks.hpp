// Instants read as vectors of doubles in milliseconds, from milliseconds or from ticks: NaN where the row has no such
// clock, infinities for open ends. For files compiled once a level; see core/lanes.hpp.
#pragma once

#include "core/lanes.hpp"
#include "kernels/ticks.hpp"

namespace asof::ASOF_LEVEL {
namespace {

template <typename Tick>
struct TickLanes {
  typedef Tick Type __attribute__((vector_size(wide_width * sizeof(Tick))));
  typedef Tick Loose __attribute__((vector_size(wide_width * sizeof(Tick)), aligned(alignof(Tick)), may_alias));
};

ASOF_INLINE Wides load_instants(const double* from, const TickScale&) { return load_wide(from); }

template <typename Tick>
ASOF_INLINE Wides load_instants(const Tick* from, const TickScale& scale) {
  using Reserved = ReservedTicks<Tick>;
  typename TickLanes<Tick>::Type tick = *reinterpret_cast<const typename TickLanes<Tick>::Loose*>(from);
  Wides value = scale.origin_ms + __builtin_convertvector(tick, Wides) * scale.unit_ms;
  // Compared as integers: as doubles the reserved 64-bit ticks would be equal.
  WideMasks absent = __builtin_convertvector(tick == Reserved::absent, WideMasks);
  WideMasks past = __builtin_convertvector(tick == Reserved::past, WideMasks);
  WideMasks future = __builtin_convertvector(tick == Reserved::future, WideMasks);
  value = absent ? spread_wide(__builtin_nan("")) : value;
  value = past ? spread_wide(-__builtin_inf()) : value;
  return future ? spread_wide(__builtin_inf()) : value;
}

/// The first `count` (< wide_width) instants; the other lanes hold some instant.
template <typename Instant>
ASOF_INLINE Wides load_instants_first(const Instant* from, const TickScale& scale, std::size_t count) {
  Instant padded[wide_width] = {};
  for (std::size_t i = 0; i < count; ++i) padded[i] = from[i];
  return load_instants(padded, scale);
}

}  // namespace
}  // namespace asof::ASOF_LEVEL
