// Scalar reference implementation.
#include "kernels/normalize/contract.hpp"

#include <cmath>
#include <limits>

namespace asof::normalize::reference {

static std::size_t rows(float* rows, std::size_t n, std::size_t ldr, std::size_t d, double* norms) {
  std::size_t refused = 0;
  for (std::size_t r = 0; r < n; ++r) {
    float* row = rows + r * ldr;
    double squares = 0;
    for (std::size_t c = 0; c < d; ++c) squares += static_cast<double>(row[c]) * row[c];
    double norm = std::sqrt(squares);
    if (!std::isfinite(
            norm)) {  // only where a component is not: squares of floats do not overflow a double
      norm = std::numeric_limits<double>::quiet_NaN();
      refused += 1;
    } else if (norm > 0) {
      for (std::size_t c = 0; c < d; ++c) row[c] = static_cast<float>(row[c] * (1 / norm));
    }
    if (norms != nullptr) norms[r] = norm;
  }
  return refused;
}

const Kernels kernels = {rows};

}  // namespace asof::normalize::reference

ASOF_DISPATCH(normalize)
