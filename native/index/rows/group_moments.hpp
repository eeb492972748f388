// Borrowed means and scatter matrices of vectors by row group (index/segment/vector_moments.hpp).
#pragma once

#include <array>
#include <span>

namespace asof {

/// Of one group: the mean of each component, and the lower triangle of the sums of centred
/// products, row by row.
struct GroupMoments {
  double count = 0;  // 0: not measured
  std::span<const double> mean, scatter;
};

using VectorMoments = std::array<GroupMoments, 3>;

}  // namespace asof
