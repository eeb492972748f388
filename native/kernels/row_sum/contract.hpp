// Weighted sum of rows of bytes: a text's vector of the vectors of its tokens.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"

//   out[c] = sum over i in [0, n) of weights[i] * rows[i][c]                    c in [0, d)
//
// Accumulator: float, in the order of the rows, a product and a sum each, both rounded: the same
// bits at every level, so that vectors that were stored on one machine are those of another.
//
// Tolerance: |out - exact| <= (n + 1) * 2^-24 * sum |weights[i] * rows[i][c]| to first order, plus
// 2^-149 per product that underflows.
//
// Speed: a stretch of the row stays in registers over all rows, which are read from L1. Rows may be
// unaligned; no byte beyond their last component is read.

namespace asof::row_sum {

struct Kernels {
  void (*sum)(const std::int8_t* const* rows, const float* weights, std::size_t n, std::size_t d,
              float* out);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::row_sum
