// Scalar reference implementation. Sums in double, rounded once.
#include "kernels/training/contract.hpp"

#include <cmath>

namespace asof::training {
namespace reference {

static void combine(Coefficients coefficients, const Matrix& terms, std::size_t n, float* out) {
  const auto [rows, m, d] = terms;
  for (std::size_t i = 0; i < n; ++i) {
    const float* own = coefficients.values + i * coefficients.row_stride;
    for (std::size_t c = 0; c < d; ++c) {
      double sum = out[i * d + c];
      for (std::size_t t = 0; t < m; ++t)
        sum += static_cast<double>(own[t * coefficients.term_stride]) * rows[t * d + c];
      out[i * d + c] = static_cast<float>(sum);
    }
  }
}

static void unit_gradient(const UnitRows& rows, std::size_t n, std::size_t d, float* y) {
  auto [u, du, norms] = rows;
  for (std::size_t i = 0; i < n; ++i, u += d, du += d, y += d) {
    double along = 0, factor = norms[i] > 0 ? 1 / norms[i] : 0;
    for (std::size_t c = 0; c < d; ++c) along += static_cast<double>(u[c]) * du[c];
    for (std::size_t c = 0; c < d; ++c)
      y[c] = factor == 0 ? 0 : static_cast<float>((du[c] - along * u[c]) * factor);
  }
}

static void adamw(const AdamStep& step, const float* gradient, std::size_t n, AdamState state) {
  const auto [parameters, first, second] = state;
  for (std::size_t i = 0; i < n; ++i) {
    first[i] = step.beta1 * first[i] + (1 - step.beta1) * gradient[i];
    second[i] = step.beta2 * second[i] + (1 - step.beta2) * (gradient[i] * gradient[i]);
    float moved =
        first[i] * step.correction1 / (std::sqrt(second[i] * step.correction2) + step.epsilon);
    parameters[i] -= step.rate * (moved + step.decay * parameters[i]);
  }
}

const Kernels kernels = {combine, unit_gradient, adamw};

}  // namespace reference
}  // namespace asof::training

ASOF_DISPATCH(training)
