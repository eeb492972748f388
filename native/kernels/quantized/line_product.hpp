// Product of one line (a group of four bytes of 16 rows) with a query's group, per storage and
// level: unpacking, multiplication and addition. Included by sources compiled once per level.
#pragma once

#include "core/lanes.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::ASOF_LEVEL::quantized {
namespace {

using ::asof::quantized::line_bytes;
using ::asof::quantized::panel_rows;
using ::asof::quantized::Queries;
using ::asof::quantized::tile_bytes;
using ::asof::quantized::tile_lines;

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

/// A query's group as bytes, for instructions that multiply bytes.
struct ByteWords {
  static constexpr int halves = 1;
  static constexpr std::size_t query_words = tile_lines, tile_words = tile_lines * panel_rows;
  static ASOF_INLINE const std::uint32_t* words(const Queries& queries) {
    return reinterpret_cast<const std::uint32_t*>(queries.tiles);
  }
};

/// A query's group as two words of wider numbers.
struct WideWords {
  static constexpr int halves = 2;
  static constexpr std::size_t query_words = 2 * tile_lines,
                               tile_words = 2 * tile_lines * panel_rows;
  static ASOF_INLINE const std::uint32_t* words(const Queries& queries) { return queries.words; }
};

#if defined(__AVX512BF16__)
/// The instruction flushes denormals.
struct Bf16 : ByteWords {
  static constexpr bool whole = false, squares = false;
  using Sum = Lanes;
  static ASOF_INLINE Sum start(const Queries&, std::size_t) { return Lanes{}; }
  template <int half>
  static ASOF_INLINE Groups part(Groups groups) {
    return groups;
  }
  static ASOF_INLINE Sum add(Sum sum, Groups part, std::uint32_t word) {
    return reinterpret_cast<Sum>(_mm512_dpbf16_ps(reinterpret_cast<__m512>(sum),
                                                  reinterpret_cast<__m512bh>(part),
                                                  reinterpret_cast<__m512bh>(spread_group(word))));
  }
};
#else
/// bf16 are the upper halves of floats. The lower of two is added first, everywhere, so that all
/// levels give the same bits.
struct Bf16 : WideWords {
  static constexpr bool whole = false, squares = false;
  using Sum = Lanes;
  static ASOF_INLINE Sum start(const Queries&, std::size_t) { return Lanes{}; }
  template <int half>
  static ASOF_INLINE Groups part(Groups groups) {
    return half == 0 ? groups << 16 : groups & 0xffff0000u;
  }
  static ASOF_INLINE Sum add(Sum sum, Groups part, std::uint32_t word) {
    return multiply_add(reinterpret_cast<Lanes>(part), reinterpret_cast<Lanes>(spread_group(word)),
                        sum);
  }
};
#endif

#if defined(__AVX512VNNI__)
/// Unsigned times signed: the rows are shifted by 128, and the sums start with what that adds,
/// taken away.
struct Int8 : ByteWords {
  static constexpr bool whole = true, squares = true;
  using Sum = Masks;
  static ASOF_INLINE Sum start(const Queries& queries, std::size_t query) {
    return queries.offset[query] - Masks{};
  }
  template <int half>
  static ASOF_INLINE Groups part(Groups groups) {
    return groups ^ 0x80808080u;
  }
  static ASOF_INLINE Sum add(Sum sum, Groups part, std::uint32_t word) {
    return reinterpret_cast<Sum>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum),
                                                     reinterpret_cast<__m512i>(part),
                                                     _mm512_set1_epi32(static_cast<int>(word))));
  }
  /// Adds the squares of the bytes of a line.
  static ASOF_INLINE Sum add_squares(Sum sum, Groups groups) {
    const __m512i bytes = _mm512_abs_epi8(reinterpret_cast<__m512i>(groups));
    return reinterpret_cast<Sum>(_mm512_dpbusd_epi32(reinterpret_cast<__m512i>(sum), bytes, bytes));
  }
};
#elif defined(__aarch64__)
/// Four products of bytes added at once where the dot-product extension is; else in pairs, 2 *
/// 127^2 < 2^15.
struct Int8 : ByteWords {
  static constexpr bool whole = true, squares = false;
  using Sum = Masks;
  static ASOF_INLINE Sum start(const Queries&, std::size_t) { return Masks{}; }
  template <int half>
  static ASOF_INLINE Groups part(Groups groups) {
    return groups;
  }
  static ASOF_INLINE Sum add(Sum sum, Groups part, std::uint32_t word) {
    int8x16_t rows = reinterpret_cast<int8x16_t>(part),
              query = vreinterpretq_s8_u32(vdupq_n_u32(word));
#if defined(__ARM_FEATURE_DOTPROD)
    return reinterpret_cast<Sum>(vdotq_s32(reinterpret_cast<int32x4_t>(sum), rows, query));
#else
    int16x8_t low = vmull_s8(vget_low_s8(rows), vget_low_s8(query)),
              high = vmull_high_s8(rows, query);
    return reinterpret_cast<Sum>(
        vpadalq_s16(reinterpret_cast<int32x4_t>(sum), vpaddq_s16(low, high)));
#endif
  }
};
#else
/// Sixteen-bit products added in pairs: components 0 and 2, then 1 and 3. Nothing saturates.
struct Int8 : WideWords {
  static constexpr bool whole = true, squares = false;
  using Sum = Masks;
  typedef std::int16_t Shorts __attribute__((vector_size(width * 4)));
  static ASOF_INLINE Sum start(const Queries&, std::size_t) { return Masks{}; }
  template <int half>
  static ASOF_INLINE Groups part(Groups groups) {
    Shorts shorts = reinterpret_cast<Shorts>(groups);
    if constexpr (half == 0) shorts = shorts << 8;
    return reinterpret_cast<Groups>(shorts >> 8);
  }
  static ASOF_INLINE Sum add(Sum sum, Groups part, std::uint32_t word) {
    return sum + pairs(part, spread_group(word));
  }

 private:
  static ASOF_INLINE Sum pairs(Groups a, Groups b) {
#if defined(__AVX512BW__)
    return reinterpret_cast<Sum>(
        _mm512_madd_epi16(reinterpret_cast<__m512i>(a), reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
    return reinterpret_cast<Sum>(
        _mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#elif defined(__x86_64__)
    return reinterpret_cast<Sum>(
        _mm_madd_epi16(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
#else
    Sum low = reinterpret_cast<Sum>(a) << 16 >> 16, high = reinterpret_cast<Sum>(a) >> 16;
    return low * (reinterpret_cast<Sum>(b) << 16 >> 16) + high * (reinterpret_cast<Sum>(b) >> 16);
#endif
  }
};
#endif

/// Sums as floats, before any scale.
template <typename Arithmetic>
ASOF_INLINE Lanes as_floats(typename Arithmetic::Sum sum) {
  if constexpr (Arithmetic::whole)
    return __builtin_convertvector(sum, Lanes);
  else
    return sum;
}

}  // namespace
}  // namespace asof::ASOF_LEVEL::quantized
