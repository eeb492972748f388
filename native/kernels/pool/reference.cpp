// Scalar reference implementation.
#include "kernels/pool/contract.hpp"

#include <limits>

namespace asof::pool::reference {

static void indexed(const GroupedScores& grouped, std::uint32_t first, float* best,
                    std::uint32_t* row) {
  const auto [scores, group, n] = grouped;
  for (std::size_t i = 0; i < n; ++i) {
    std::uint32_t g = group[i];
    if (scores[i] > best[g] || (row[g] == no_row && scores[i] >= best[g])) {
      best[g] = scores[i];
      row[g] = first + static_cast<std::uint32_t>(i);
    }
  }
}

static void contiguous(const float* scores, const std::uint32_t* offsets, std::size_t groups,
                       float* best, std::uint32_t* row) {
  for (std::size_t g = 0; g < groups; ++g) {
    best[g] = -std::numeric_limits<float>::infinity();
    row[g] = no_row;
    for (std::uint32_t i = offsets[g]; i < offsets[g + 1]; ++i) {
      if (scores[i] > best[g] || (row[g] == no_row && scores[i] >= best[g])) {
        best[g] = scores[i];
        row[g] = i;
      }
    }
  }
}

const Kernels kernels = {contiguous, indexed};

}  // namespace asof::pool::reference

ASOF_DISPATCH(pool)
