// SIMD vector of `width` floats: 16 lanes with AVX-512, 8 with AVX, 4 with SSE and NEON. Included
// only by sources compiled once per level (simd*.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define ASOF_INLINE __attribute__((always_inline)) inline
#define ASOF_INLINE_LAMBDA __attribute__((always_inline))

// Everything here has internal linkage and is inlined: an inline function with external linkage
// would be compiled at several levels under one name, and the linker might keep the one that an
// older processor cannot run. For the same reason these files call no inline function of the
// standard library; test/kernels/levels.test.ts checks the symbols.

namespace asof::ASOF_LEVEL {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t width = 16;
#elif defined(__AVX__)
constexpr std::size_t width = 8;
#else
constexpr std::size_t width = 4;
#endif

typedef float Lanes __attribute__((vector_size(width * 4)));
typedef std::int32_t Masks
    __attribute__((vector_size(width * 4)));  // all ones where true, as comparisons of Lanes give
typedef float LooseLanes __attribute__((vector_size(width * 4), aligned(4), may_alias));

template <int I>
using constant = std::integral_constant<int, I>;

template <typename Body, int... I>
ASOF_INLINE void repeat_each(Body& body, std::integer_sequence<int, I...>) {
  (body(constant<I>{}), ...);
}

/// Calls body(constant<0>) .. body(constant<N - 1>), unrolled. A fold, because g++ 12 ignores
/// unroll pragmas in templates and then keeps an array of accumulators in memory instead of
/// registers.
template <int N, typename Body>
ASOF_INLINE void repeat(Body body) {
  repeat_each(body, std::make_integer_sequence<int, N>{});
}

ASOF_INLINE Lanes load(const float* from) {
  return *reinterpret_cast<const LooseLanes*>(from);
}
ASOF_INLINE void store(float* to, Lanes value) {
  *reinterpret_cast<LooseLanes*>(to) = value;
}

/// Non-temporal store if the level has one; `to` is aligned to the vector. Call streamed() before
/// the memory is read.
ASOF_INLINE void stream(float* to, Lanes value) {
#if defined(__AVX512F__)
  _mm512_stream_ps(to, reinterpret_cast<__m512>(value));
#elif defined(__AVX__)
  _mm256_stream_ps(to, reinterpret_cast<__m256>(value));
#elif defined(__x86_64__)
  _mm_stream_ps(to, reinterpret_cast<__m128>(value));
#else
  store(to, value);
#endif
}

ASOF_INLINE void streamed() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

ASOF_INLINE Lanes spread(float value) {
  return value - Lanes{};
}

/// The first `count` (< width) floats, zeros in the other lanes; reads no others.
ASOF_INLINE Lanes load_first(const float* from, std::size_t count) {
#if defined(__AVX512F__)
  return reinterpret_cast<Lanes>(
      _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1u), from));
#else
  float padded[width] = {};
  for (std::size_t i = 0; i < count; ++i) padded[i] = from[i];
  return load(padded);
#endif
}

ASOF_INLINE void store_first(float* to, Lanes value, std::size_t count) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1u),
                        reinterpret_cast<__m512>(value));
#else
  float padded[width];
  store(padded, value);
  for (std::size_t i = 0; i < count; ++i) to[i] = padded[i];
#endif
}

/// a * b + c, rounded once where the level has a fused instruction (all but x86-64-v2).
ASOF_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
#if defined(__AVX512F__)
  return reinterpret_cast<Lanes>(_mm512_fmadd_ps(
      reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
#elif defined(__FMA__)
  return reinterpret_cast<Lanes>(_mm256_fmadd_ps(
      reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
#elif defined(__aarch64__)
  return reinterpret_cast<Lanes>(vfmaq_f32(reinterpret_cast<float32x4_t>(c),
                                           reinterpret_cast<float32x4_t>(a),
                                           reinterpret_cast<float32x4_t>(b)));
#else
  return a * b + c;
#endif
}

/// One bit per lane, lane 0 lowest.
ASOF_INLINE unsigned bits(Masks mask) {
#if defined(__AVX512F__)
  return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask));
#elif defined(__AVX__)
  return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#elif defined(__x86_64__)
  return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
#else
  unsigned all = 0;
  repeat<static_cast<int>(width)>([&](auto lane) ASOF_INLINE_LAMBDA {
    all |= (static_cast<unsigned>(mask[lane()]) & 1u) << lane();
  });
  return all;
#endif
}

// Half as many doubles, of the same total size.
constexpr std::size_t wide_width = width / 2;
typedef double Wides __attribute__((vector_size(width * 4)));
typedef std::int64_t WideMasks __attribute__((vector_size(width * 4)));
typedef double LooseWides __attribute__((vector_size(width * 4), aligned(8), may_alias));
typedef float HalfLanes __attribute__((vector_size(width * 2)));
typedef float LooseHalfLanes __attribute__((vector_size(width * 2), aligned(4), may_alias));

/// Floats as doubles. Spelled out, because g++ 12 converts a vector to one of twice its bytes by
/// halves, in five instructions; and with a mask of all, because it takes the form without one for
/// a use of something uninitialized.
ASOF_INLINE Wides widen(HalfLanes value) {
#if defined(__AVX512F__)
  return reinterpret_cast<Wides>(_mm512_maskz_cvtps_pd(0xff, reinterpret_cast<__m256>(value)));
#elif defined(__AVX__)
  return reinterpret_cast<Wides>(_mm256_cvtps_pd(reinterpret_cast<__m128>(value)));
#else
  return __builtin_convertvector(value, Wides);
#endif
}

ASOF_INLINE Wides load_wide(const float* from) {
  return widen(*reinterpret_cast<const LooseHalfLanes*>(from));
}
ASOF_INLINE Wides load_wide(const double* from) {
  return *reinterpret_cast<const LooseWides*>(from);
}
ASOF_INLINE void store_wide(double* to, Wides value) {
  *reinterpret_cast<LooseWides*>(to) = value;
}
ASOF_INLINE void store_wide(float* to, Wides value) {
  *reinterpret_cast<LooseHalfLanes*>(to) = __builtin_convertvector(value, HalfLanes);
}
ASOF_INLINE Wides spread_wide(double value) {
  return value - Wides{};
}

/// a * b + c, rounded once where the level has a fused instruction, as multiply_add of Lanes.
ASOF_INLINE Wides multiply_add(Wides a, Wides b, Wides c) {
#if defined(__AVX512F__)
  return reinterpret_cast<Wides>(_mm512_fmadd_pd(
      reinterpret_cast<__m512d>(a), reinterpret_cast<__m512d>(b), reinterpret_cast<__m512d>(c)));
#elif defined(__FMA__)
  return reinterpret_cast<Wides>(_mm256_fmadd_pd(
      reinterpret_cast<__m256d>(a), reinterpret_cast<__m256d>(b), reinterpret_cast<__m256d>(c)));
#elif defined(__aarch64__)
  return reinterpret_cast<Wides>(vfmaq_f64(reinterpret_cast<float64x2_t>(c),
                                           reinterpret_cast<float64x2_t>(a),
                                           reinterpret_cast<float64x2_t>(b)));
#else
  return a * b + c;
#endif
}

/// Whether any lane is true.
ASOF_INLINE bool any(Masks mask) {
  return bits(mask) != 0;
}

ASOF_INLINE bool any(WideMasks mask) {
#if defined(__AVX512F__)
  return _mm512_movepi64_mask(reinterpret_cast<__m512i>(mask)) != 0;
#elif defined(__AVX__)
  return _mm256_movemask_pd(reinterpret_cast<__m256d>(mask)) != 0;
#elif defined(__x86_64__)
  return _mm_movemask_pd(reinterpret_cast<__m128d>(mask)) != 0;
#else
  std::int64_t all = 0;
  repeat<static_cast<int>(wide_width)>([&](auto lane) ASOF_INLINE_LAMBDA { all |= mask[lane()]; });
  return all != 0;
#endif
}

/// The first `count` (< wide_width) numbers, zeros in the other lanes; reads no others.
template <typename Number>
ASOF_INLINE Wides load_wide_first(const Number* from, std::size_t count) {
  double padded[wide_width] = {};
  for (std::size_t i = 0; i < count; ++i) padded[i] = static_cast<double>(from[i]);
  return load_wide(padded);
}

ASOF_INLINE void store_wide_first(float* to, Wides value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<float>(value[i]);
}

/// The sum of the lanes, in a fixed order.
ASOF_INLINE double sum(Wides value) {
  double total = 0;
  repeat<static_cast<int>(wide_width)>([&](auto lane)
                                           ASOF_INLINE_LAMBDA { total += value[lane()]; });
  return total;
}

/// The lane of the pair (a, b) that lane `lane` of a folded pair takes: see fold. `side` 0 for the
/// lower blocks, 1 for the upper.
template <int distance>
constexpr int fold_lane(int lane, int side) {
  constexpr int granule = distance >= 4 ? static_cast<int>(width) : 4;
  int within = lane % granule, half = within / (granule / 2), place = within % (granule / 2);
  return (lane / granule) * granule + (place / distance) * 2 * distance + place % distance +
         side * distance + half * static_cast<int>(width);
}

template <int distance, int... I>
ASOF_INLINE Lanes fold_lanes(Lanes a, Lanes b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, fold_lane<distance>(I, 0)...) +
         __builtin_shufflevector(a, b, fold_lane<distance>(I, 1)...);
}

/// Adds the lanes of `a` that are `distance` apart, and those of `b`, and packs both results into
/// one vector. Folding with width / 2, ..., 2, 1 sums `width` vectors at once; every vector's lanes
/// are added in the same tree at any index, so that a sum's bits do not depend on the others.
/// Shuffles stay within 128 bits for distances 2 and 1.
template <int distance>
ASOF_INLINE Lanes fold(Lanes a, Lanes b) {
  return fold_lanes<distance>(a, b, std::make_integer_sequence<int, static_cast<int>(width)>{});
}

constexpr int groups = static_cast<int>(width) / 4;

/// The sums of groups x 4 vectors: lane g * 4 + r of the result is the sum of the lanes of
/// part[g][r].
ASOF_INLINE Lanes sums(const Lanes (&part)[groups][4]) {
  Lanes four[4];
  repeat<4>([&](auto r) ASOF_INLINE_LAMBDA {
    if constexpr (groups == 4)
      four[r] = fold<4>(fold<8>(part[0][r], part[1][r]), fold<8>(part[2][r], part[3][r]));
    else if constexpr (groups == 2)
      four[r] = fold<4>(part[0][r], part[1][r]);
    else
      four[r] = part[0][r];
  });
  return fold<1>(fold<2>(four[0], four[1]), fold<2>(four[2], four[3]));
}

}  // namespace
}  // namespace asof::ASOF_LEVEL
