// Scalar reference implementation.
#include "kernels/row_sum/contract.hpp"

namespace asof::row_sum::reference {

static void sum(const std::int8_t* const* rows, const float* weights, std::size_t n, std::size_t d,
                float* out) {
  for (std::size_t c = 0; c < d; ++c) {
    float total = 0;
    for (std::size_t i = 0; i < n; ++i) total += weights[i] * static_cast<float>(rows[i][c]);
    out[c] = total;
  }
}

const Kernels kernels = {sum};

}  // namespace asof::row_sum::reference

ASOF_DISPATCH(row_sum)
