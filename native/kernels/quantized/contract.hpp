// Inner products of queries with bf16 or int8 rows, with certified bounds: a scan that keeps every
// row whose upper bound reaches its threshold prunes no result.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"
#include "core/matrix.hpp"

// Layout. A *panel* is 16 rows. A row's components lie in groups of four bytes (4 int8 or 2 bf16),
// d is padded with zeros to whole tiles of 16 groups, and a line of 64 bytes holds one group of the
// 16 rows: component c of row r of panel p is number c % G of the four bytes at p * panel_bytes +
// (c / G) * 64 + r * 4, with G = 4 or 2. The same bytes are a tile of AMX's second operand and a
// vector of broadcast kernels. Bytes are packed alike at every level, so that they may be written
// to files (little endian).
//
// Rounding. bf16: to nearest, ties to even; denormal results become 0. int8: scale = max |x_c| /
// 127 rounded to float, the integer nearest to x_c * (127 / max |x_c|), ties to even, within [-127,
// 127]. Write r^ for the rounded row (s_r times the integers) and q^ for a query, rounded by the
// same rules. A row of zeros, and for int8 one with all |x_c| < 2^-60, is stored as zeros; the
// bound includes it. A row with a component that is not finite, or longer than 2^60, is stored as
// zeros with an infinite error: it survives every threshold, with the product 0 and the bound
// +infinity. Such a query keeps every row, in the same way.
//
// Products.
//   int8  A = sum over c of q_c r_c in integers, exact: |A| <= 127^2 d < 2^30
//         product = (float(A) * s_r) * s_q, each * rounded once
//   bf16  float accumulator; a product of two bf16 is exact in float, sums are rounded
//         product = sum over c of q^_c r^_c
// int8 products have the same bits at every level. bf16 products have the same bits at every level
// without instructions for bf16, wherever no product of two components is denormal; AVX-512 BF16
// and AMX sum in orders of their own and flush denormals. At a level a pair's bits do not depend on
// other pairs.
//
// Bound. With u = 2^-24, |q| and |q^| lengths, rho = |r^|, delta = |r - r^| (both stored, rounded
// up) and epsilon = |q - q^|, q.r - q^.r^ = q.(r - r^) + (q - q^).r^, so
//   |q.r - q^.r^| <= |q| delta + epsilon rho                                (rounding of values)
//   |inner_product - q.r| <= C |q| |r|, |r| <= rho + delta                  (canonical kernel)
//       C = (d / 2 + 8) u (1 + 2^-6)
//   |product - q^.r^| <= P |q^| rho + d 2^-125                              (this kernel)
//       P = 8 u (int8), (d + 12) u (1 + 2^-6) (bf16)
// C: its contract states (2 ceil(d / 4) + 4) u to first order, at most (d / 2 + 5.5) u; the second
// order is below 2^-9 of it for d <= 2^16. P, int8: float(A), * s_r and * s_q round once each: 3 u.
// bf16: a term passes at most d sums: d u, second order as above. Both have room for the sum of
// product and error below (u |product|). d 2^-125: a product and a sum flushed per component,
// 2^-126 each; with C's 2^-149 per component. So for every query and row
//   |canonical f32 inner product - product| <= error(q, r) = alpha delta + beta rho + omega
// and the same for the exact q.r, with
//   alpha = max(2^-126, |q| (1 + C) (1 + 2^-20))
//   beta  = (epsilon + C |q| + P |q^|) (1 + 2^-20)
//   omega = (d + 8) 2^-124
// computed in double and rounded up to float; alpha is not 0, so that an infinite delta counts. (1
// + 2^-20) is 16 u: room for alpha * delta, beta * rho, their sum and that with omega, each rounded
// once in this order (4 u). `upper` = product + error is rounded once.
//
// Survivors. A row survives threshold pruning where upper >= threshold, in float, as above; for
// int8 therefore the same rows at every level. So every row whose exact product, or whose canonical
// f32 product at any level, reaches the threshold survives. A threshold that is NaN counts as
// -infinity; -infinity keeps every row, +infinity those of infinite bound only.
//
// Row bias. Where a scan adds b[r] of weight w[q] to products, a row survives where (upper + x) +
// (|upper| + |x|) 2^-22 >= threshold, x = w[q] b[r], each operation rounded once: wherever upper +
// w[q] b[r] reaches the threshold, whatever the rounding.
//
// Memory. Reads whole panels and records of the range and no other byte, and may skip parts of a
// panel by early termination; prefetches lines beyond them. Panels and records may be unaligned;
// aligned lines of 64 bytes are faster. Uses up to 128 KiB of stack.

namespace asof::quantized {

/// (int4: two planes of four bits, kernels/int4, not for the functions below.)
enum class Storage : std::uint8_t { bf16, int8, int4 };

inline constexpr std::size_t panel_rows = 16;
inline constexpr std::size_t line_bytes = 64;
inline constexpr std::size_t tile_lines = 16;
inline constexpr std::size_t tile_bytes = line_bytes * tile_lines;
inline constexpr std::size_t most_dimensions = 65536;  // int8 sums stay below 2^30
inline constexpr std::size_t most_rows = 0xfffffffe;

#define ASOF_PANEL_SIZE __attribute__((always_inline)) inline constexpr std::size_t
ASOF_PANEL_SIZE component_bytes(Storage storage) {
  return storage == Storage::bf16 ? 2 : 1;
}
/// Tiles of 16 groups that d components fill.
ASOF_PANEL_SIZE tiles(Storage storage, std::size_t d) {
  return (d * component_bytes(storage) + line_bytes - 1) / line_bytes;
}
ASOF_PANEL_SIZE panel_bytes(Storage storage, std::size_t d) {
  return tiles(storage, d) * tile_bytes;
}
ASOF_PANEL_SIZE panels(std::size_t rows) {
  return (rows + panel_rows - 1) / panel_rows;
}
#undef ASOF_PANEL_SIZE

/// Per-row data of a panel in addition to its bytes. Rows beyond the last one are zeros
/// throughout. Its bytes may be written to files.
struct PanelRecord {
  float most_error = 0, most_length = 0;  // the greatest of the sixteen
  float fine_error = 0, fine_length = 0;  // of int4 alone, see kernels/int4
  float unused[12] = {};
  float scale[panel_rows] = {};   // s_r; 1 for bf16
  float error[panel_rows] = {};   // delta, rounded up; infinite where the row survives always
  float length[panel_rows] = {};  // rho, rounded up
};
static_assert(sizeof(PanelRecord) == 4 * line_bytes);

/// Rows [0, n) of d components in panels(n) panels, borrowed.
struct Rows {
  Storage storage;
  std::size_t n, d;
  const std::uint8_t* panels;
  const PanelRecord* records;
};

/// Packed queries, borrowed from a QueryBlock (queries.hpp). Numbers beyond nq, up to a multiple of
/// 16, are zeros.
struct Queries {
  Storage storage;
  std::size_t nq, d;
  /// Query i: the 64 bytes of its tile t at ((i / 16) * tiles + t) * 1024 + (i % 16) * 64. AMX's
  /// first operand.
  const std::uint8_t* tiles;
  /// The same once more for levels without instructions for narrow numbers, 128 bytes in the place
  /// of 64: two words a group, bf16 as two floats, int8 as pairs of 16 bits, (0, 2) and (1, 3).
  const std::uint32_t* words;
  const std::int32_t* offset;  // int8: -128 times the sum of a query's integers, for levels that
                               // multiply unsigned by signed
  const float* scale;          // s_q; 1 for bf16
  const float* alpha;
  const float* beta;
  const float* omega;  // infinite where a query keeps every row
};

/// A pair of a query and a row that survives threshold pruning. 2 * product - upper is a lower
/// bound, less a rounding.
struct PanelSurvivor {
  std::uint32_t query, row;
  float product, upper;  // upper: the certified upper bound
};

/// Thresholds of a scan and the receiver of its survivors.
struct Scan {
  std::size_t first_panel, last_panel;  // [first, last)
  const float* thresholds;  // one a query; may be raised by `take`, which counts for rows that are
                            // yet to be compared
  const std::uint64_t* rows;  // bit r % 64 of word r / 64: row r is considered; null: all are
  /// Receives survivors, in no order, every (query, row) at most once. Called often enough to keep
  /// them in cache, and at the end. It must not call this family's kernels, whose tiles are in use;
  /// it may throw.
  void (*take)(void* context, const PanelSurvivor* candidates, std::size_t count);
  void* context;
  /// A finite bias a row, times a non-negative weight a query, is added to products; both below
  /// 2^60. Null: no bias.
  const float* row_bias = nullptr;
  const float* bias_weights = nullptr;
};

/// What is compared with the threshold for a row of that upper bound.
__attribute__((always_inline)) inline float biased_bound(const Scan& scan, std::size_t query,
                                                         std::size_t row, float upper) {
  if (scan.row_bias == nullptr) return upper;
  const float more = scan.bias_weights[query] * scan.row_bias[row];
  return (upper + more) + (__builtin_fabsf(upper) + __builtin_fabsf(more)) * 0x1p-22f;
}

/// Panels [first, last).
struct PanelRange {
  std::size_t first, last;
};

struct Kernels {
  /// out[i * ldo + r - 16 * first] = product of query i with row r, for r in
  /// [16 * first, min(16 * last, n)).
  void (*products)(const Rows& rows, const Queries& queries, PanelRange range, float* out,
                   std::size_t ldo);
  /// Hands over the rows of the range that survive, for every query.
  void (*survivors)(const Rows& rows, const Queries& queries, const Scan& scan);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

/// Packs rows of d components into panels and their records, the last one padded with zeros. A long
/// matrix is packed in pieces of whole panels.
void pack_rows(Storage storage, const Matrix& rows, std::size_t d, std::uint8_t* out_panels,
               PanelRecord* records);

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::quantized
