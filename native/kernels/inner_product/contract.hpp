// Inner products of a block of queries with a block of rows.
#pragma once

#include <cstddef>

#include "core/isa.hpp"
#include "core/matrix.hpp"

//   out[i * ldo + j] = sum over c in [0, d) of query[i][c] * row[j][c]
//                      i in [0, nq), j in [0, n)
//
// Accumulator: float, in `width` lanes (lane l adds components l, l + width, ...; one fused
// multiply-add each where the level has it), then a fixed tree over the lanes; the reference adds
// in double and rounds once.
//
// Reproducibility: a pair (query, row) gives the same bits at one level whatever nq, n, the strides
// and its place in the block, and by `pairs`. So tiles may be cut anywhere, and a batch equals its
// queries one by one.
//
// Tolerance: a lane rounds at most 2 * ceil(d / width) times (a product and a sum each), the tree
// log2(width) times, so to first order, at every level (width is 4, 8 or 16),
//   |out - exact| <= (2 * ceil(d / 4) + 4) * 2^-24 * sum |q_c * r_c|
// plus 2^-149 per product that underflows. Sums of whole numbers that stay below 2^24 are exact.
// NaN and infinities behave as IEEE 754 specifies.
//
// Speed: one query reads every row once and is bound by memory; a batch keeps a row in cache while
// several queries use it. Rows and queries may be unaligned. Rows are not padded: no byte beyond
// the last component of the last row is read.

namespace asof::inner_product {

struct Kernels {
  /// Products of all pairs; row i of out starts at i * ldo. d <= either stride.
  void (*block)(const Matrix& queries, const Matrix& rows, std::size_t d, float* out,
                std::size_t ldo);
  /// out[i] = the product of the vectors at queries[i] and rows[i], of d components each, i in [0,
  /// n): pairs that lie anywhere.
  void (*pairs)(const float* const* queries, const float* const* rows, std::size_t n, std::size_t d,
                float* out);
};

/// The functions at a level, and at the level in use. Long work asks once and keeps the table.
const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::inner_product
