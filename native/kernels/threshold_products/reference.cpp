// Query packing, and the scalar reference implementation.
#include "kernels/threshold_products/contract.hpp"

#include <algorithm>

namespace asof::threshold_products {

void pack(const float* queries, std::size_t nq, std::size_t ldq, std::size_t d, float* packed) {
  std::fill_n(packed, packed_floats(nq, d), 0.0f);
  for (std::size_t i = 0; i < nq; ++i) {
    for (std::size_t c = 0; c < d; ++c)
      packed[(i / group * d + c) * group + i % group] = queries[i * ldq + c];
  }
}

namespace reference {

static void scan(const Scan& scan) {
  for (std::size_t r = 0; r < scan.n; ++r) {
    for (std::size_t i = 0; i < scan.nq; ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < scan.d; ++c) {
        sum += static_cast<double>(scan.queries[(i / group * scan.d + c) * group + i % group]) *
               static_cast<double>(scan.rows[r * scan.d + c]);
      }
      const Candidate candidate{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(r),
                                static_cast<float>(sum)};
      if (!(candidate.product < scan.thresholds[i])) scan.take(scan.context, &candidate, 1);
    }
  }
}

const Kernels kernels = {scan};

}  // namespace reference
}  // namespace asof::threshold_products

ASOF_DISPATCH(threshold_products)
