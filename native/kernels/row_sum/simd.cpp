// Stretches of several vectors, each summed over all rows.
#include "kernels/row_sum/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::row_sum {
namespace {

constexpr int vectors = 4;  // independent sums, to hide the latency of an addition

/// `width` bytes as floats.
ASOF_INLINE Lanes load_bytes(const std::int8_t* from) {
#if defined(__AVX512F__)
  const __m512i wide =
      _mm512_maskz_cvtepi8_epi32(0xffff, _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
  return __builtin_convertvector(reinterpret_cast<Masks>(wide), Lanes);
#elif defined(__AVX2__)
  const __m256i wide =
      _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
  return __builtin_convertvector(reinterpret_cast<Masks>(wide), Lanes);
#elif defined(__SSE4_1__)
  int four;
  __builtin_memcpy(&four, from, sizeof four);
  return __builtin_convertvector(
      reinterpret_cast<Masks>(_mm_cvtepi8_epi32(_mm_cvtsi32_si128(four))), Lanes);
#else
  Masks wide;
  repeat<static_cast<int>(width)>([&](auto lane)
                                      ASOF_INLINE_LAMBDA { wide[lane()] = from[lane()]; });
  return __builtin_convertvector(wide, Lanes);
#endif
}

void sum(const std::int8_t* const* rows, const float* weights, std::size_t n, std::size_t d,
         float* out) {
  std::size_t c = 0;
  for (; c + vectors * width <= d; c += vectors * width) {
    Lanes totals[vectors] = {};
    for (std::size_t i = 0; i < n; ++i) {
      const Lanes weight = spread(weights[i]);
      repeat<vectors>([&](auto v) ASOF_INLINE_LAMBDA {
        totals[v] += weight * load_bytes(rows[i] + c + v() * width);
      });
    }
    repeat<vectors>([&](auto v) ASOF_INLINE_LAMBDA { store(out + c + v() * width, totals[v]); });
  }
  for (; c < d; ++c) {
    float total = 0;
    for (std::size_t i = 0; i < n; ++i) total += weights[i] * static_cast<float>(rows[i][c]);
    out[c] = total;
  }
}

}  // namespace

extern const ::asof::row_sum::Kernels kernels;
const ::asof::row_sum::Kernels kernels = {sum};

}  // namespace asof::ASOF_LEVEL::row_sum
