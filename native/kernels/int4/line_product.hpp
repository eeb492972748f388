// Products of int4 planes per level: a line (eight components of sixteen rows) of the first plane
// with two groups of a query's integers, and a row of the second. Values are unsigned, as byte
// multipliers require.
#pragma once

#include "core/lanes.hpp"
#include "kernels/int4/layout.hpp"

namespace asof::ASOF_LEVEL::int4 {
namespace {

using ::asof::int4::panel_rows;
using ::asof::int4::Queries;
using ::asof::int4::Rows;
using ::asof::int4::units;

constexpr std::size_t line_bytes = ::asof::quantized::line_bytes;

/// Vectors that hold one line.
constexpr int pieces = static_cast<int>(panel_rows / width);

typedef std::uint32_t Groups __attribute__((vector_size(width * 4)));
typedef std::uint32_t LooseGroups __attribute__((vector_size(width * 4), aligned(1), may_alias));

ASOF_INLINE Groups load_groups(const std::uint8_t* from) {
  return *reinterpret_cast<const LooseGroups*>(from);
}
ASOF_INLINE Groups spread_group(std::uint32_t group) {
  return group - Groups{};
}

#if defined(__AVX512VNNI__)
/// Products of a vector of 4-bit values, added.
ASOF_INLINE Masks add_group(Masks sum, Groups values, std::uint32_t query) {
  return reinterpret_cast<Masks>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum),
                                                     reinterpret_cast<__m512i>(values),
                                                     _mm512_set1_epi32(static_cast<int>(query))));
}
ASOF_INLINE Masks add_groups(Masks sum, Groups low, Groups high, std::uint32_t query,
                             std::uint32_t more) {
  return add_group(add_group(sum, low, query), high, more);
}
#elif defined(__x86_64__)
/// Pairs of products, 2 * 15 * 127 at most, fit 16 bits four times over.
ASOF_INLINE Masks add_groups(Masks sum, Groups low, Groups high, std::uint32_t query,
                             std::uint32_t more) {
#if defined(__AVX512BW__)
  const __m512i both =
      _mm512_add_epi16(_mm512_maddubs_epi16(reinterpret_cast<__m512i>(low),
                                            reinterpret_cast<__m512i>(spread_group(query))),
                       _mm512_maddubs_epi16(reinterpret_cast<__m512i>(high),
                                            reinterpret_cast<__m512i>(spread_group(more))));
  return sum + reinterpret_cast<Masks>(_mm512_madd_epi16(both, _mm512_set1_epi16(1)));
#elif defined(__AVX2__)
  const __m256i both =
      _mm256_add_epi16(_mm256_maddubs_epi16(reinterpret_cast<__m256i>(low),
                                            reinterpret_cast<__m256i>(spread_group(query))),
                       _mm256_maddubs_epi16(reinterpret_cast<__m256i>(high),
                                            reinterpret_cast<__m256i>(spread_group(more))));
  return sum + reinterpret_cast<Masks>(_mm256_madd_epi16(both, _mm256_set1_epi16(1)));
#else
  const __m128i both =
      _mm_add_epi16(_mm_maddubs_epi16(reinterpret_cast<__m128i>(low),
                                      reinterpret_cast<__m128i>(spread_group(query))),
                    _mm_maddubs_epi16(reinterpret_cast<__m128i>(high),
                                      reinterpret_cast<__m128i>(spread_group(more))));
  return sum + reinterpret_cast<Masks>(_mm_madd_epi16(both, _mm_set1_epi16(1)));
#endif
}
#elif defined(__aarch64__)
ASOF_INLINE int32x4_t add_signed(int32x4_t sum, int8x16_t rows, int8x16_t query) {
#if defined(__ARM_FEATURE_DOTPROD)
  return vdotq_s32(sum, rows, query);
#else
  return vpadalq_s16(
      sum, vpaddq_s16(vmull_s8(vget_low_s8(rows), vget_low_s8(query)), vmull_high_s8(rows, query)));
#endif
}
ASOF_INLINE Masks add_groups(Masks sum, Groups low, Groups high, std::uint32_t query,
                             std::uint32_t more) {
  const int32x4_t first =
      add_signed(reinterpret_cast<int32x4_t>(sum), reinterpret_cast<int8x16_t>(low),
                 vreinterpretq_s8_u32(vdupq_n_u32(query)));
  return reinterpret_cast<Masks>(add_signed(first, reinterpret_cast<int8x16_t>(high),
                                            vreinterpretq_s8_u32(vdupq_n_u32(more))));
}
#else
ASOF_INLINE Masks add_bytes(Masks sum, Groups values, std::uint32_t query) {
  for (int at = 0; at < 32; at += 8)
    sum += reinterpret_cast<Masks>(values >> at & 15u) *
           static_cast<std::int32_t>(static_cast<std::int8_t>(query >> at));
  return sum;
}
ASOF_INLINE Masks add_groups(Masks sum, Groups low, Groups high, std::uint32_t query,
                             std::uint32_t more) {
  return add_bytes(add_bytes(sum, low, query), high, more);
}
#endif

/// Sum of a query's integers times the row's second plane; `query` is its 64 bytes of the first
/// unit, those of the next 1,024 further on.
ASOF_INLINE std::int32_t second_sum(const std::uint8_t* row, const std::uint8_t* query,
                                    std::size_t count) {
#if defined(__AVX512VNNI__) || defined(__AVX2__)
  const __m256i low = _mm256_set1_epi8(15);
  __m256i sum = _mm256_setzero_si256();
  for (std::size_t unit = 0; unit < count; ++unit, row += 32, query += 1024) {
    const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row)),
                  high = _mm256_srli_epi16(both, 4);
    const __m256i first = _mm256_load_si256(reinterpret_cast<const __m256i*>(query)),
                  second = _mm256_load_si256(reinterpret_cast<const __m256i*>(query + 32));
#if defined(__AVX512VNNI__)
    sum = _mm256_dpbusd_epi32(_mm256_dpbusd_epi32(sum, _mm256_and_si256(both, low), first),
                              _mm256_and_si256(high, low), second);
#else
    const __m256i pairs =
        _mm256_add_epi16(_mm256_maddubs_epi16(_mm256_and_si256(both, low), first),
                         _mm256_maddubs_epi16(_mm256_and_si256(high, low), second));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#endif
  }
  __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
  return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1)));
#else
  Masks sum{};
  for (std::size_t unit = 0; unit < count; ++unit, row += 32, query += 1024) {
    for (std::size_t at = 0; at < 32; at += 16) {
      const Groups both = load_groups(row + at), low = both & 0x0f0f0f0fu,
                   high = both >> 4 & 0x0f0f0f0fu;
      const Groups first = load_groups(query + at), second = load_groups(query + at + 32);
#if defined(__x86_64__)
      const __m128i pairs = _mm_add_epi16(
          _mm_maddubs_epi16(reinterpret_cast<__m128i>(low), reinterpret_cast<__m128i>(first)),
          _mm_maddubs_epi16(reinterpret_cast<__m128i>(high), reinterpret_cast<__m128i>(second)));
      sum += reinterpret_cast<Masks>(_mm_madd_epi16(pairs, _mm_set1_epi16(1)));
#elif defined(__aarch64__)
      const int32x4_t half =
          add_signed(reinterpret_cast<int32x4_t>(sum), reinterpret_cast<int8x16_t>(low),
                     reinterpret_cast<int8x16_t>(first));
      sum = reinterpret_cast<Masks>(
          add_signed(half, reinterpret_cast<int8x16_t>(high), reinterpret_cast<int8x16_t>(second)));
#else
      for (int lane = 0; lane < 4; ++lane) {
        for (int bit = 0; bit < 32; bit += 8) {
          sum[lane] += static_cast<std::int32_t>(low[lane] >> bit & 15) *
                       static_cast<std::int8_t>(first[lane] >> bit);
          sum[lane] += static_cast<std::int32_t>(high[lane] >> bit & 15) *
                       static_cast<std::int8_t>(second[lane] >> bit);
        }
      }
#endif
    }
  }
  return sum[0] + sum[1] + sum[2] + sum[3];
#endif
}

}  // namespace
}  // namespace asof::ASOF_LEVEL::int4
