// SIMD loads of instants as doubles in milliseconds, from milliseconds or ticks; NaN for absent,
// infinities for open ends. Included only by sources compiled once per level.
#pragma once

#include "core/lanes.hpp"
#include "core/ticks.hpp"

namespace asof::ASOF_LEVEL {
namespace {

template <typename Tick>
struct TickLanes {
  typedef Tick Type __attribute__((vector_size(wide_width * sizeof(Tick))));
  typedef Tick Loose
      __attribute__((vector_size(wide_width * sizeof(Tick)), aligned(alignof(Tick)), may_alias));
};

ASOF_INLINE Wides load_instants(const double* from, const TickScale&) {
  return load_wide(from);
}

/// Ticks as doubles, reserved ones included. Exact within 2^53. Written out for the reason given at
/// `widen`.
ASOF_INLINE Wides load_ticks(const std::int32_t* from) {
#if defined(__AVX512F__)
  return reinterpret_cast<Wides>(
      _mm512_maskz_cvtepi32_pd(0xff, _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))));
#elif defined(__AVX__)
  return reinterpret_cast<Wides>(
      _mm256_cvtepi32_pd(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
#else
  return __builtin_convertvector(*reinterpret_cast<const TickLanes<std::int32_t>::Loose*>(from),
                                 Wides);
#endif
}

ASOF_INLINE Wides load_ticks(const std::int64_t* from) {
  return __builtin_convertvector(*reinterpret_cast<const TickLanes<std::int64_t>::Loose*>(from),
                                 Wides);
}

template <typename Tick>
ASOF_INLINE Wides load_instants(const Tick* from, const TickScale& scale) {
  using Reserved = ReservedTicks<Tick>;
  typename TickLanes<Tick>::Type tick =
      *reinterpret_cast<const typename TickLanes<Tick>::Loose*>(from);
  Wides value = scale.origin_ms + load_ticks(from) * scale.unit_ms;
  // Compared as integers: as doubles the reserved 64-bit ticks would be equal.
  WideMasks absent = __builtin_convertvector(tick == Reserved::absent, WideMasks);
  WideMasks past = __builtin_convertvector(tick == Reserved::past, WideMasks);
  WideMasks future = __builtin_convertvector(tick == Reserved::future, WideMasks);
  value = absent ? spread_wide(__builtin_nan("")) : value;
  value = past ? spread_wide(-__builtin_inf()) : value;
  return future ? spread_wide(__builtin_inf()) : value;
}

}  // namespace
}  // namespace asof::ASOF_LEVEL
