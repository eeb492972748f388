// Scalar reference implementation. Sums in double.
#include "kernels/inner_product/contract.hpp"

namespace asof::inner_product::reference {

static void block(const Matrix& queries, const Matrix& rows, std::size_t d, float* out,
                  std::size_t ldo) {
  for (std::size_t i = 0; i < queries.rows; ++i) {
    for (std::size_t j = 0; j < rows.rows; ++j) {
      double sum = 0;
      for (std::size_t c = 0; c < d; ++c)
        sum += static_cast<double>(queries.data[i * queries.stride + c]) *
               rows.data[j * rows.stride + c];
      out[i * ldo + j] = static_cast<float>(sum);
    }
  }
}

static void pairs(const float* const* queries, const float* const* rows, std::size_t n,
                  std::size_t d, float* out) {
  for (std::size_t i = 0; i < n; ++i) block({queries[i], 1, d}, {rows[i], 1, d}, d, out + i, 1);
}

const Kernels kernels = {block, pairs};

}  // namespace asof::inner_product::reference

ASOF_DISPATCH(inner_product)
