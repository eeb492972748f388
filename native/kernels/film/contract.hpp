// Re3's FiLM fusion of time into vectors (section 3.3, equation 9, and normalization), for dated
// rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"

//   t = (1 + alpha gamma) * x + beta   (component by component)          y = t / |t|
//
// A row without any time component bypasses the fusion: y is x bit for bit, not even normalised. A
// row whose t is all zeros gives zeros. A row with a NaN or an infinity in x, gamma or beta, or
// with an alpha that is not finite, gives x bit for bit, and is reported.
//
// Accumulator: double throughout, one rounding to float at the end. With m = (1 + |alpha gamma|)
// |x| + |beta| of the component,
//   |y - exact| <= (2^-24 + (d + 8) 2^-53) |exact| + 2^-51 (m + max m) / |t|
// for results that are not denormal. A row's bits do not depend on other rows; levels may differ in
// the last bit.
//
// One pass over memory: t of up to 2,048 components stays in L1 until its length is known, else it
// is computed again. Results of 32 MiB and more use non-temporal stores.

namespace asof::film {

/// Row r of each matrix starts at r * d; `gamma` and `beta` have a row for each of x. timed[r] = 0
/// says that row r has no time.
struct Rows {
  const float* x;
  const float* gamma;
  const float* beta;
  const std::uint8_t* timed;
  std::size_t n;
  std::size_t d;
};

struct Kernels {
  /// Writes y[0..n * d), which may be x. Returns how many rows were refused; refused[r] says which,
  /// unless it is null.
  std::size_t (*rows)(const Rows& rows, double alpha, float* y, std::uint8_t* refused);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::film
