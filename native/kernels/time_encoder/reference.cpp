// Scalar reference implementation.
#include "kernels/time_encoder/contract.hpp"

namespace asof::time_encoder::reference {
namespace {

void sums(const Sums& sums, float* out) {
  for (std::size_t i = 0; i < sums.n; ++i) {
    for (std::size_t c = 0; c < sums.width; ++c) {
      float value = sums.bias[c];
      for (std::size_t k = 0; k < components; ++k) {
        if (sums.rows[k][i] != none) value += sums.tables[k][sums.rows[k][i] * sums.width + c];
      }
      out[i * sums.width + c] = sums.rectified && value < 0 ? 0 : value;
    }
  }
}

}  // namespace

const Kernels kernels = {sums};

}  // namespace asof::time_encoder::reference

ASOF_DISPATCH(time_encoder)
