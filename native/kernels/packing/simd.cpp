// Packing of sixteen rows at a time: maxima and norms first, then integers from L1, transposed tile
// by tile. Levels without registers for sixteen rows use the reference.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // what g++ 12 says of its own header's intrinsics
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

#include "kernels/packing/contract.hpp"

#include "core/lanes.hpp"
#include "kernels/quantized/prefetch.hpp"

namespace asof::ASOF_LEVEL::packing {
namespace {

#if defined(__AVX512F__)
using ::asof::quantized::line_bytes;
using ::asof::quantized::panel_bytes;
using ::asof::quantized::panel_rows;
using ::asof::quantized::PanelRecord;
using ::asof::quantized::Storage;
using ::asof::quantized::tile_bytes;
using ::asof::quantized::tiles;
using quantized::Prefetcher;

constexpr float infinity = __builtin_inff(), largest_integer = 127, least_magnitude = 0x1p-60f,
                longest_square = 0x1p120f;
constexpr std::size_t tile_components = 64;

/// The first `count` of sixteen floats, zeros in the place of the others.
ASOF_INLINE __m512 read(const float* from, std::size_t count) {
  return count >= width ? _mm512_loadu_ps(from)
                        : _mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << count) - 1), from);
}

/// Sums of the lanes of sixteen vectors.
ASOF_INLINE __m512 sums_of(const __m512 (&each)[panel_rows]) {
  Lanes part[groups][4];
  repeat<panel_rows>([&](auto r) ASOF_INLINE_LAMBDA {
    part[r() / 4][r() % 4] = reinterpret_cast<Lanes>(each[r()]);
  });
  return reinterpret_cast<__m512>(sums(part));
}

/// Not below the length whose square the floats' sum is.
ASOF_INLINE __m512 length_of(__m512 sum, std::size_t d) {
  const float more = 1 + static_cast<float>(d + 256) * 0x1p-24f,
              least = static_cast<float>(d) * 0x1p-126f;
  const __m512 square = _mm512_fmadd_ps(sum, _mm512_set1_ps(more), _mm512_set1_ps(least));
  return _mm512_mul_ps(_mm512_sqrt_ps(square), _mm512_set1_ps(1 + 0x1p-20f));
}

/// What is asked for before it is read, of the rows that come next in their order:
constexpr std::size_t before = 3;  // shares while a row is measured; then one a tile and row

/// What one panel's rows are multiplied with to be integers, and back.
struct Scales {
  alignas(line_bytes) float inverse[panel_rows], scale[panel_rows];
};

/// The greatest component of a row, and the lanes of its sum of squares.
ASOF_INLINE __m512 measure(const float* row, std::size_t d, float& most) {
  __m512 greatest[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()},
         squares[2] = {_mm512_setzero_ps(), _mm512_setzero_ps()};
  auto add = [&](auto at, __m512 value) ASOF_INLINE_LAMBDA {
    greatest[at()] = _mm512_max_ps(greatest[at()], _mm512_abs_ps(value));
    squares[at()] = _mm512_fmadd_ps(value, value, squares[at()]);
  };
  std::size_t c = 0;
  for (; c + 2 * width <= d; c += 2 * width)
    repeat<2>([&](auto at)
                  ASOF_INLINE_LAMBDA { add(at, _mm512_loadu_ps(row + c + at() * width)); });
  for (; c < d; c += width) add(constant<0>{}, read(row + c, d - c));
  most = _mm512_reduce_max_ps(_mm512_max_ps(greatest[0], greatest[1]));
  return _mm512_add_ps(squares[0], squares[1]);
}

/// 64 components of a row as bytes: group 4 j + i is dword 4 i + j. Adds the squares of what is
/// lost.
ASOF_INLINE __m512i integers(const float* row, std::size_t left, float inverse, float scale,
                             __m512& lost) {
  __m512i whole[4];
  __m512 squares[2] = {lost, _mm512_setzero_ps()};
  repeat<4>([&](auto at) ASOF_INLINE_LAMBDA {
    constexpr std::size_t c = at() * width;
    const __m512 value = left >= tile_components ? _mm512_loadu_ps(row + c)
                         : c < left              ? read(row + c, left - c)
                                                 : _mm512_setzero_ps();
    whole[at()] = _mm512_cvt_roundps_epi32(_mm512_mul_ps(value, _mm512_set1_ps(inverse)),
                                           _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m512 rest =
        _mm512_fnmadd_ps(_mm512_cvtepi32_ps(whole[at()]), _mm512_set1_ps(scale), value);
    squares[at() % 2] = _mm512_fmadd_ps(rest, rest, squares[at() % 2]);
  });
  lost = _mm512_add_ps(squares[0], squares[1]);
  return _mm512_packs_epi16(_mm512_packs_epi32(whole[0], whole[1]),
                            _mm512_packs_epi32(whole[2], whole[3]));
}

/// Turns sixteen rows of sixteen dwords, in the order of `integers`, into a tile of sixteen lines,
/// and stores it.
ASOF_INLINE void turn(const __m512i (&rows)[panel_rows], std::uint8_t* tile) {
  __m512i half[panel_rows], quarter[panel_rows];
  repeat<8>([&](auto r) ASOF_INLINE_LAMBDA {
    half[2 * r()] = _mm512_unpacklo_epi32(rows[2 * r()], rows[2 * r() + 1]);
    half[2 * r() + 1] = _mm512_unpackhi_epi32(rows[2 * r()], rows[2 * r() + 1]);
  });
  // quarter[4 f + j]: rows 4 f to 4 f + 3 of dword j of every 128 bits.
  repeat<4>([&](auto f) ASOF_INLINE_LAMBDA {
    repeat<2>([&](auto j) ASOF_INLINE_LAMBDA {
      quarter[4 * f() + 2 * j()] =
          _mm512_unpacklo_epi64(half[4 * f() + j()], half[4 * f() + 2 + j()]);
      quarter[4 * f() + 2 * j() + 1] =
          _mm512_unpackhi_epi64(half[4 * f() + j()], half[4 * f() + 2 + j()]);
    });
  });
  repeat<4>([&](auto j) ASOF_INLINE_LAMBDA {
    const __m512i low = _mm512_shuffle_i32x4(quarter[j()], quarter[4 + j()], 0x88),
                  high = _mm512_shuffle_i32x4(quarter[j()], quarter[4 + j()], 0xdd);
    const __m512i more_low = _mm512_shuffle_i32x4(quarter[8 + j()], quarter[12 + j()], 0x88);
    const __m512i more_high = _mm512_shuffle_i32x4(quarter[8 + j()], quarter[12 + j()], 0xdd);
    // The 128 bits i of the rows: groups 4 j + i.
    std::uint8_t* lines = tile + 4 * j() * line_bytes;
    _mm512_storeu_si512(lines, _mm512_shuffle_i32x4(low, more_low, 0x88));
    _mm512_storeu_si512(lines + line_bytes, _mm512_shuffle_i32x4(high, more_high, 0x88));
    _mm512_storeu_si512(lines + 2 * line_bytes, _mm512_shuffle_i32x4(low, more_low, 0xdd));
    _mm512_storeu_si512(lines + 3 * line_bytes, _mm512_shuffle_i32x4(high, more_high, 0xdd));
  });
}

void pack_panel(const float* const (&row)[panel_rows], std::size_t d, std::size_t count,
                Prefetcher ahead, std::uint8_t* panel, PanelRecord& record) {
  Scales scales;
  __m512 each[panel_rows];
  alignas(line_bytes) float most[panel_rows] = {};
  for (std::size_t r = 0; r < panel_rows; ++r) {
    for (std::size_t i = 0; i < before; ++i) ahead.fetch();
    each[r] = r < count ? measure(row[r], d, most[r]) : _mm512_setzero_ps();
  }
  const __m512 squares = sums_of(each), greatest = _mm512_load_ps(most);
  // False of what is not a number.
  const __mmask16 usable = _mm512_cmp_ps_mask(squares, _mm512_set1_ps(longest_square), _CMP_LE_OQ);
  const __mmask16 representable =
      usable & _mm512_cmp_ps_mask(greatest, _mm512_set1_ps(least_magnitude), _CMP_GE_OQ);
  _mm512_store_ps(scales.inverse,
                  _mm512_maskz_div_ps(representable, _mm512_set1_ps(largest_integer), greatest));
  _mm512_store_ps(scales.scale,
                  _mm512_maskz_div_ps(representable, greatest, _mm512_set1_ps(largest_integer)));
  for (std::size_t r = 0; r < panel_rows; ++r) each[r] = _mm512_setzero_ps();
  for (std::size_t c = 0; c < d; c += tile_components, panel += tile_bytes) {
    __m512i bytes[panel_rows];
    repeat<panel_rows>([&](auto r) ASOF_INLINE_LAMBDA {
      ahead.fetch();
      bytes[r()] = integers(row[r()] + c, (representable >> r() & 1) != 0 ? d - c : 0,
                            scales.inverse[r()], scales.scale[r()], each[r()]);
    });
    turn(bytes, panel);
  }
  // Of rows of next to nothing all is lost.
  const __m512 whole = length_of(squares, d),
               lost = _mm512_mask_mov_ps(whole, representable, length_of(sums_of(each), d));
  const __mmask16 rows = static_cast<__mmask16>(count >= panel_rows ? 0xffff : (1u << count) - 1);
  const __m512 errors =
      _mm512_maskz_mov_ps(rows, _mm512_mask_mov_ps(_mm512_set1_ps(infinity), usable, lost));
  const __m512 lengths = _mm512_maskz_mul_ps(rows & representable, _mm512_add_ps(whole, lost),
                                             _mm512_set1_ps(1 + 0x1p-20f));
  __builtin_memset(static_cast<void*>(&record), 0, sizeof(record));
  _mm512_storeu_ps(record.scale, _mm512_load_ps(scales.scale));
  _mm512_storeu_ps(record.error, errors);
  _mm512_storeu_ps(record.length, lengths);
  record.most_error = _mm512_reduce_max_ps(errors);
  record.most_length = _mm512_reduce_max_ps(lengths);
}

void pack(const Matrix& rows, std::size_t d, std::uint8_t* panels, PanelRecord* records) {
  const std::size_t count = rows.rows, ldr = rows.stride;
  const std::size_t bytes = panel_bytes(Storage::int8, d),
                    steps = (tiles(Storage::int8, d) + before) * panel_rows;
  const std::size_t share = (panel_rows * ldr * sizeof(float) / line_bytes + steps - 1) / steps;
  for (std::size_t first = 0; first < count; first += panel_rows, panels += bytes, ++records) {
    const float* row[panel_rows];
    const std::size_t left = count - first;
    for (std::size_t r = 0; r < panel_rows; ++r)
      row[r] = rows.data + (first + (r < left ? r : 0)) * ldr;
    pack_panel(row, d, left,
               {reinterpret_cast<std::uintptr_t>(rows.data + (first + panel_rows) * ldr), share},
               panels, *records);
  }
}
#endif

}  // namespace

extern const ::asof::packing::Kernels kernels;
#if defined(__AVX512F__)
const ::asof::packing::Kernels kernels = {pack};
#else
const ::asof::packing::Kernels kernels = {[](const ::asof::Matrix& rows, std::size_t d,
                                             std::uint8_t* panels,
                                             ::asof::quantized::PanelRecord* records) {
  ::asof::quantized::pack_rows(::asof::quantized::Storage::int8, rows, d, panels, records);
}};
#endif

}  // namespace asof::ASOF_LEVEL::packing
