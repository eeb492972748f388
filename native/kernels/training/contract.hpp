// Arithmetic of training steps: sums of rows by coefficients, the gradient of normalization, and
// AdamW.
#pragma once

#include <cstddef>

#include "core/isa.hpp"
#include "core/matrix.hpp"

//   combine        out_i += sum over t in [0, m) of c[i, t] rows_t      i in [0, n); d floats a row
//   unit_gradient  y = (du - (du . u) u) / norm for each row; zeros where norm is zero or NaN
//   adamw          m = b1 m + (1 - b1) g;  v = b2 v + (1 - b2) g^2;
//                  p -= rate (m c1 / (sqrt(v c2) + epsilon) + decay p)
//                  c1 = 1 / (1 - b1^t), c2 = 1 / (1 - b2^t): Loshchilov and Hutter 2019, alg. 2
//
// Accumulators: combine adds its terms in order in float, one lane a component (fused where the
// level has it), so a row of out has the same bits whatever n and its place; the reference adds in
// double and rounds once. unit_gradient takes its product in double and rounds once at the end.
// adamw is float throughout. Tolerances, to first order:
//   combine        |out - exact| <= (m + 1) * 2^-24 * (|before| + sum |c * row|), twice that at
//                  x86-64-v2
//   unit_gradient  |y - exact| <= 2^-24 |exact| + (d + 4) * 2^-52 * (|du| |u| + |du|) / norm
//   adamw          a few units of 2^-24 of each term
// NaN and infinities behave as IEEE 754 specifies. Nothing is allocated; rows may be unaligned.

namespace asof::training {

/// c[i, t] of combine: element i * row_stride + t * term_stride.
struct Coefficients {
  const float* values;
  std::size_t row_stride;
  std::size_t term_stride;
};

struct AdamStep {
  float rate, beta1, beta2, correction1, correction2, epsilon, decay;
};

struct AdamState {
  float* parameters;
  float* first;   // moment
  float* second;  // moment
};

/// n rows of d floats: unit vectors, their gradients, and the norms before normalization.
struct UnitRows {
  const float* u;
  const float* du;
  const double* norms;
};

struct Kernels {
  /// `terms`: m rows of d = stride floats; out: n rows.
  void (*combine)(Coefficients coefficients, const Matrix& terms, std::size_t n, float* out);
  void (*unit_gradient)(const UnitRows& rows, std::size_t n, std::size_t d, float* y);
  void (*adamw)(const AdamStep& step, const float* gradient, std::size_t n, AdamState state);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::training
