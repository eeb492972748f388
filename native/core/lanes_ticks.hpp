// SIMD loads of instants as doubles in milliseconds, from milliseconds or ticks; NaN for absent,
// infinities for open ends. Included only by sources compiled once per level.
#pragma once

#include <type_traits>

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

/// Detects a reserved tick among many: one subtraction and one minimum per vector.
template <typename Tick>
class ReservedAmong {
 public:
  /// Ticks from[0..`step`).
  ASOF_INLINE void look(const Tick* from) {
    // future, absent and past are consecutive as unsigned numbers, across the signed overflow.
    Type place =
        *reinterpret_cast<const Loose*>(from) - static_cast<Unsigned>(ReservedTicks<Tick>::future);
    least_ = place < least_ ? place : least_;
  }
  ASOF_INLINE bool any_lane() const { return any(reinterpret_cast<Compared>(least_ < 3)); }
  static constexpr std::size_t step = width * 4 / sizeof(Tick);

 private:
  using Unsigned = std::make_unsigned_t<Tick>;
  typedef Unsigned Type __attribute__((vector_size(width * 4)));
  typedef Unsigned Loose __attribute__((vector_size(width * 4), aligned(alignof(Tick)), may_alias));
  // Compilers differ in whether 64 bits are long or long long.
  using Compared = std::conditional_t<sizeof(Tick) == 8, WideMasks, Masks>;
  Type least_ = ~Type{};
};

/// The first `count` (< wide_width) instants; the other lanes are unspecified.
template <typename Instant>
ASOF_INLINE Wides load_instants_first(const Instant* from, const TickScale& scale,
                                      std::size_t count) {
  Instant padded[wide_width] = {};
  for (std::size_t i = 0; i < count; ++i) padded[i] = from[i];
  return load_instants(padded, scale);
}

}  // namespace
}  // namespace asof::ASOF_LEVEL
