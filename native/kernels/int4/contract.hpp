// Inner products of queries with int4 rows in two bit planes of four bits: the first prunes, the
// second is read for the rows that remain. Survivors of both are bounded as int8 rows are
// (kernels/quantized).
#pragma once

#include <span>
#include <vector>

#include "kernels/quantized/queries.hpp"

// Two planes cost the bytes of one of int8, and a scan that prunes most rows reads half of them.
// Terms and types are those of kernels/quantized.
//
// Rotation and centring. Four bits certify little of a vector with a few large components, and
// coding what all rows have in common gains nothing. So a row r is stored as x = R (r - m), with a
// centre m of the caller's (the mean of some rows; any m is correct) and the orthogonal R = product
// of (H_b S) over blocks b: S changes signs by a fixed sequence, H is the normalised Hadamard
// matrix of the largest power of two, h <= d, over components [0, h), and once more over [d - h, d)
// where h < d. Then q.r = q.m + (Rq).x for every query.
//
// Codes. s = max(max |x_c|, 2^-60) / 127 rounded to float; v_c the integer nearest to x_c * (127 /
// that), ties to even, within [-127, 127]; u_c = floor(v_c / 16) + 8 and w_c = v_c mod 16 are the
// planes, each of 0 .. 15. Both planes stand for s v_c, the first alone for the middle of its cell,
// s (16 (u_c - 8) + 7.5) = (s / 2) (32 u_c - 241). A row with a component that is not finite, or
// with |x| > 2^60, has u = 8, w = 0, s = 0 and an infinite error: it survives every threshold. Such
// a query keeps every row.
//
// Layout. T = ceil(d / 64). A *block* is 64 panels of 16 rows (the last one fewer): the first
// planes of its panels, 512 T bytes each, then the second planes of its rows, 32 T bytes each, so
// that both are read in one direction and pieces of whole blocks are packed alone.
//   first:  component 8 g + 4 i + j of row r of a panel is half i (0: bits 0-3, 1: bits 4-7) of
//           byte g * 64 + r * 4 + j
//   second: component 64 t + 32 i + j of a row is half i of its byte t * 32 + j
// Components beyond d are zeros in queries; their values in rows do not matter.
//
// Products. q^ are a query's integers, of Rq, with the scale s_q, by the rules of int8 rows above.
//   first:  A = sum q^_c (32 u_c - 241), exact, |A| < 2^31
//           first = m_q + (float(A) * s) * (s_q / 2)
//   both:   B = sum q^_c v_c, exact
//           product = m_q + (float(B) * s) * s_q
// m_q = q.m as float. Every operation on floats is rounded once, so all levels give the same bits.
//
// Bound. As in kernels/quantized, with u = 2^-24, delta >= |R (r - m) - x^|, rho >= |x^|, epsilon
// >= |Rq - q^|, and C |q| |r|, |r| <= |m| + rho + delta, for the canonical kernel. |canonical -
// product| <= alpha delta + beta rho + omega, with
//   alpha = |q| (1 + C) (1 + 2^-20)
//   beta  = (epsilon + C |q| + P |q^|) (1 + 2^-20)
//   omega = (d + 8) 2^-124 + (C + 8 u) |q| |m| (1 + 2^-20)
// rounded up; P = 12 u: three roundings of the product and the sum with m_q; 8 u of |q| |m|: m_q,
// that sum and the sum with the error. delta and epsilon include the rotation: each of the log2(h)
// steps and the scale of a block rounds a vector once, the scale is itself rounded, and steps keep
// lengths, so
//   |computed - exact| <= (1 + blocks (log2(h) + 2)) u (1 + 2^-5) |computed| + d 2^-146
// Each record holds delta and rho of the first plane for each row. Of both planes they are at most
// fine_error * s and fine_length * rho, where those are the panel's greatest ratios; fine_error and
// fine_length are rounded up with 2^-20 of themselves, room for these products. A panel's
// most_length is the greatest |r|, and most_error 0, or infinite where a row survives always: their
// sum is, as int8's, not below the length of any of its rows.
//
// Survivors. A row survives where first + error >= threshold by the first plane, and product +
// error >= threshold by both; `upper` is the latter. So survivors are the same rows at every level,
// and every row whose exact or canonical product reaches its threshold is one. A threshold that is
// NaN counts as -infinity. A row bias is added to both bounds as in kernels/quantized, not to
// `upper`.
//
// Many queries. Each of them would split planes again, so rows are reassembled once: `unpack` makes
// int8 panels of them, with records of s, fine_error * s and fine_length * rho, and
// quantized::Kernels compares them with thresholds less m_q. Rows survive by both planes alone,
// then.
//
// Memory. Reads the panels and records of the range and the second planes of rows that survive the
// first; prefetches lines beyond them.

namespace asof::int4 {

using quantized::panel_rows;
using quantized::PanelRange;
using quantized::PanelRecord;
using quantized::panels;
using quantized::PanelSurvivor;
using quantized::Scan;

inline constexpr std::size_t block_panels = 64;
inline constexpr std::size_t block_rows = block_panels * panel_rows;

#define ASOF_INT4_SIZE __attribute__((always_inline)) inline constexpr std::size_t
/// Units of 64 components: 512 bytes of a panel's first plane, 32 of a row's second.
ASOF_INT4_SIZE units(std::size_t d) {
  return (d + 63) / 64;
}
/// Of both planes, as much as int8's.
ASOF_INT4_SIZE panel_bytes(std::size_t d) {
  return 1024 * units(d);
}
#undef ASOF_INT4_SIZE

/// Rows [0, n) of d components, borrowed: those of panels `first` and on of a matrix of `all`
/// panels.
struct Rows {
  std::size_t n, d;
  const std::uint8_t* bytes;   // of the matrix: all * panel_bytes(d)
  const PanelRecord* records;  // of panels `first` and on
  std::size_t first, all;
};

/// Packed queries, borrowed, as rows with one centre need them.
struct Queries {
  std::size_t nq, d;
  const std::uint8_t* tiles;  // as quantized::Queries::tiles of int8, of the rotated queries
  const std::int32_t* sum;    // of a query's integers
  const float* scale;         // s_q
  const float* alpha;
  const float* beta;
  const float* shift;  // m_q
  const float* omega;  // infinite where a query keeps every row
  quantized::Queries
      whole;  // of int8 rows less their centre, with bounds that are wider by 2^-18 of themselves
};

struct Kernels {
  /// out[i * ldo + r - 16 * first] = product of query i with row r by both planes, for r in
  /// [16 * first, min(16 * last, n)).
  void (*products)(const Rows& rows, const Queries& queries, PanelRange range, float* out,
                   std::size_t ldo);
  /// Hands over the rows of the range that survive, for every query, as quantized::Kernels does.
  void (*survivors)(const Rows& rows, const Queries& queries, const Scan& scan);
  /// Panels [first_panel, last_panel) and their records, as those of int8.
  void (*unpack)(const Rows& rows, std::size_t first_panel, std::size_t last_panel,
                 std::uint8_t* out, PanelRecord* records);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

/// Hands over the rows of the range that survive by both planes, for every query: faster than
/// `survivors` from some nine queries on. Without a row bias.
void survivors_of_whole(const Kernels& kernels, const quantized::Kernels& whole, const Rows& rows,
                        const Queries& queries, const Scan& scan);
inline constexpr std::size_t many_queries = 9;

/// A centre for rows like those of the sample, n rows of d components: their mean, zeros where
/// there are none that are finite.
std::vector<float> centre_of(const float* sample, std::size_t n, std::size_t d);

/// Packs rows of d components into panels of whole blocks and a last one, and their records. A long
/// matrix is packed in pieces of whole blocks.
void pack_rows(const Matrix& rows, std::size_t d, const float* centre, std::uint8_t* out,
               PanelRecord* records);

/// Terms of queries for one centre: one number each a query, and zeros up to a multiple of 16.
struct Shifts {
  std::vector<float> shift, omega, wider;  // wider: omega with 2^-18 of itself
};

/// Owns a block of packed queries.
class QueryBlock {
 public:
  /// Query i starts at i * ldq.
  QueryBlock(const float* queries, std::size_t nq, std::size_t ldq, std::size_t d);
  std::size_t size() const { return nq_; }
  /// Of the same queries; `centre` is empty or d numbers.
  Shifts shifts(const float* queries, std::size_t ldq, std::span<const float> centre) const;
  /// The queries [first, first + count); `first` is a multiple of 16.
  Queries view(const Shifts& shifts, std::size_t first, std::size_t count) const;

 private:
  std::size_t nq_, d_;
  quantized::QueryBlock rotated_;
  std::vector<std::int32_t> sum_;
  std::vector<float> alpha_, beta_, wider_alpha_, wider_beta_;
  std::vector<double> length_;  // |q|, not below it; infinite where the query keeps every row
};

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::int4
