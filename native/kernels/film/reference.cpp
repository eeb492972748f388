// Scalar reference implementation.
#include "kernels/film/contract.hpp"

#include <cmath>
#include <cstring>

namespace asof::film::reference {
namespace {

double fused(float x, float gamma, float beta, double alpha) {
  return (1 + alpha * gamma) * x + beta;
}

// False where the row is refused.
bool fuse(const Rows& rows, std::size_t at, double alpha, float* y) {
  const float *x = rows.x + at, *gamma = rows.gamma + at, *beta = rows.beta + at;
  const std::size_t d = rows.d;
  double squares = 0;
  for (std::size_t c = 0; c < d; ++c) {
    double t = fused(x[c], gamma[c], beta[c], alpha);
    squares += t * t;
  }
  if (!std::isfinite(squares)) return false;
  double factor = squares > 0 ? 1 / std::sqrt(squares) : 0;
  for (std::size_t c = 0; c < d; ++c)
    y[c] = static_cast<float>(fused(x[c], gamma[c], beta[c], alpha) * factor);
  return true;
}

std::size_t rows(const Rows& rows, double alpha, float* y, std::uint8_t* refused) {
  std::size_t count = 0;
  for (std::size_t r = 0; r < rows.n; ++r) {
    std::size_t at = r * rows.d;
    bool good = rows.timed[r] == 0 || fuse(rows, at, alpha, y + at);
    if (rows.timed[r] == 0 || !good) std::memmove(y + at, rows.x + at, rows.d * sizeof(float));
    if (refused != nullptr) refused[r] = !good;
    count += !good;
  }
  return count;
}

}  // namespace

const Kernels kernels = {rows};

}  // namespace asof::film::reference

ASOF_DISPATCH(film)
