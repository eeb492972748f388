// A vector of `width` floats at the level this file is compiled for: 16 with AVX-512, 8 with AVX, else 4 (SSE, NEON). Only
// files that are compiled once a level (simd*.cpp) include it.
//
// Everything here has internal linkage and is inlined: an inline function with external linkage would be compiled at
// several levels under one name, and the linker might keep the one that an older processor cannot run. For the same
// reason these files call no inline function of the standard library; test/kernels/levels.test.ts checks the symbols.
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
typedef std::int32_t Masks __attribute__((vector_size(width * 4)));  // all ones where true, as comparisons of Lanes give
typedef float LooseLanes __attribute__((vector_size(width * 4), aligned(4), may_alias));

template <int I>
using constant = std::integral_constant<int, I>;

template <typename Body, int... I>
ASOF_INLINE void repeat_each(Body& body, std::integer_sequence<int, I...>) { (body(constant<I>{}), ...); }

/// Calls body(constant<0>) .. body(constant<N - 1>), unrolled. A fold, because g++ 12 ignores unroll pragmas in templates
/// and then keeps an array of accumulators in memory instead of registers.
template <int N, typename Body>
ASOF_INLINE void repeat(Body body) { repeat_each(body, std::make_integer_sequence<int, N>{}); }

ASOF_INLINE Lanes load(const float* from) { return *reinterpret_cast<const LooseLanes*>(from); }
ASOF_INLINE void store(float* to, Lanes value) { *reinterpret_cast<LooseLanes*>(to) = value; }
ASOF_INLINE Lanes spread(float value) { return value - Lanes{}; }

/// The first `count` (< width) floats, zeros in the other lanes; reads no others.
ASOF_INLINE Lanes load_first(const float* from, std::size_t count) {
#if defined(__AVX512F__)
  return reinterpret_cast<Lanes>(_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1u), from));
#else
  float padded[width] = {};
  for (std::size_t i = 0; i < count; ++i) padded[i] = from[i];
  return load(padded);
#endif
}

ASOF_INLINE void store_first(float* to, Lanes value, std::size_t count) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_ps(to, static_cast<__mmask16>((1u << count) - 1u), reinterpret_cast<__m512>(value));
#else
  float padded[width];
  store(padded, value);
  for (std::size_t i = 0; i < count; ++i) to[i] = padded[i];
#endif
}

/// a * b + c, rounded once where the level has a fused instruction (all but x86-64-v2).
ASOF_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
#if defined(__AVX512F__)
  return reinterpret_cast<Lanes>(_mm512_fmadd_ps(reinterpret_cast<__m512>(a), reinterpret_cast<__m512>(b), reinterpret_cast<__m512>(c)));
#elif defined(__FMA__)
  return reinterpret_cast<Lanes>(_mm256_fmadd_ps(reinterpret_cast<__m256>(a), reinterpret_cast<__m256>(b), reinterpret_cast<__m256>(c)));
#elif defined(__aarch64__)
  return reinterpret_cast<Lanes>(vfmaq_f32(reinterpret_cast<float32x4_t>(c), reinterpret_cast<float32x4_t>(a), reinterpret_cast<float32x4_t>(b)));
#else
  return a * b + c;
#endif
}

/// The lane of the pair (a, b) that lane `lane` of a folded pair takes: see fold. `side` 0 for the lower blocks, 1 for the upper.
template <int distance>
constexpr int fold_lane(int lane, int side) {
  constexpr int granule = distance >= 4 ? static_cast<int>(width) : 4;
  int within = lane % granule, half = within / (granule / 2), place = within % (granule / 2);
  return (lane / granule) * granule + (place / distance) * 2 * distance + place % distance + side * distance + half * static_cast<int>(width);
}

template <int distance, int... I>
ASOF_INLINE Lanes fold_lanes(Lanes a, Lanes b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, fold_lane<distance>(I, 0)...) + __builtin_shufflevector(a, b, fold_lane<distance>(I, 1)...);
}

/// Adds the lanes of `a` that are `distance` apart, and those of `b`, and packs both results into one vector. Folding
/// with width / 2, ..., 2, 1 sums `width` vectors at once; every vector's lanes are added in the same tree wherever it
/// stands, so that a sum has the same bits in any company. Shuffles stay within 128 bits for distances 2 and 1.
template <int distance>
ASOF_INLINE Lanes fold(Lanes a, Lanes b) { return fold_lanes<distance>(a, b, std::make_integer_sequence<int, static_cast<int>(width)>{}); }

constexpr int groups = static_cast<int>(width) / 4;

/// The sums of groups x 4 vectors: lane g * 4 + r of the result is the sum of the lanes of part[g][r].
ASOF_INLINE Lanes sums(const Lanes (&part)[groups][4]) {
  Lanes four[4];
  repeat<4>([&](auto r) ASOF_INLINE_LAMBDA {
    if constexpr (groups == 4) four[r] = fold<4>(fold<8>(part[0][r], part[1][r]), fold<8>(part[2][r], part[3][r]));
    else if constexpr (groups == 2) four[r] = fold<4>(part[0][r], part[1][r]);
    else four[r] = part[0][r];
  });
  return fold<1>(fold<2>(four[0], four[1]), fold<2>(four[2], four[3]));
}

}  // namespace
}  // namespace asof::ASOF_LEVEL
