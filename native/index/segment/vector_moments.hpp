// Means and scatter matrices of vectors by row group, which give mean and deviation of a query's
// similarities without a scan: the mean of q.d is q.mean(d), its variance q' Cov(d) q.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "index/rows/group_moments.hpp"
#include "index/segment/segment.hpp"
#include "kernels/standardize/contract.hpp"

// They do not apply where a mask excludes rows. Accumulator: means in double; centred components
// are float, products of 256 rows are summed in float (the inner product's contract, with d of 256)
// and added in double. So a scatter entry errs by 9e-6 of sum |x_i x_j| at most, by 1e-7 in
// practice, and a deviation by half of that.

namespace asof {

class SegmentWriter;

/// Owned moments: (d + d (d + 1) / 2) * 8 bytes.
struct MeasuredGroup {
  double count = 0;
  std::vector<double> mean, scatter;
  GroupMoments view() const { return {count, mean, scatter}; }
};

/// Smaller groups have no moments: their similarities are computed as fast.
std::size_t min_measured_rows(std::size_t dimensions);

/// Appends the moments of the writer's vectors, for groups that are large enough;
/// groups are [0, ends[0]), [ends[0], ends[1]), [ends[1], ends[2]).
void append_moments(SegmentWriter& writer, std::array<std::size_t, 3> ends, std::size_t dimensions,
                    const Cancel& cancel);

/// Moments of vectors of d components in memory; count 0 for few vectors, or if a component is not
/// finite. The same bits as in a file.
MeasuredGroup measure(std::span<const float> vectors, std::size_t dimensions);

/// The moments of a file, each with count 0 if it has none; only the counts are verified. Throws
/// ERR_CORPUS_CORRUPT unless they are of d components.
VectorMoments view_moments(const Segment& segment, std::size_t dimensions);

/// The moments of a query's inner products with the group's vectors.
standardize::Moments product_moments(const GroupMoments& group, const float* query);

}  // namespace asof
