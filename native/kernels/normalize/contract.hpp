// Rows scaled to Euclidean length 1, in place.
#pragma once

#include <cstddef>

#include "core/isa.hpp"

//   norm(r) = sqrt(sum over c of row[r][c]^2)          row[r][c] = row[r][c] / norm(r)
//
// A row of zeros stays as it is. A row with a NaN or an infinity is unchanged, and reported.
//
// Accumulator: double, so that no float overflows or underflows; then one product in double and one
// rounding to float: |out - exact| <= (2^-24 + (d + 4) 2^-53) |exact| for results that are not
// denormal, 2^-150 more for those that are. A row's bits do not depend on other rows; levels may
// differ in the last bit.
//
// Two passes over a row, which stays in L1 between them; memory is read once and written once.

namespace asof::normalize {

struct Kernels {
  /// n rows of d floats, `ldr` floats apart. Writes each row's norm before scaling to norms[0..n),
  /// unless `norms` is null: NaN for a row that was refused. Returns how many were refused.
  std::size_t (*rows)(float* rows, std::size_t n, std::size_t ldr, std::size_t d, double* norms);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::normalize
