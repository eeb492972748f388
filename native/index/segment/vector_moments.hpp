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

/// One that is kept in memory: (d + d (d + 1) / 2) * 8 bytes.
struct MeasuredGroup {
  double count = 0;
  std::vector<double> mean, scatter;
  GroupMoments view() const { return {count, mean, scatter}; }
};

/// Groups of fewer rows are not worth it: their similarities are computed as fast.
std::size_t fewest_measured(std::size_t dimensions);

/// Appends the moments of the vectors that the writer has written, where a group is large enough;
/// groups are [0, ends[0]), [ends[0], ends[1]), [ends[1], ends[2]).
void append_moments(SegmentWriter& writer, std::array<std::size_t, 3> ends, std::size_t dimensions,
                    const Cancel& cancel);

/// Of vectors of d components in memory; not measured where they are few, or where a component is
/// not finite. The bits that a file of them would hold.
MeasuredGroup measure(std::span<const float> vectors, std::size_t dimensions);

/// Those of a file; none measured where it has none. Throws ERR_CORPUS_CORRUPT where they are not
/// of d components.
VectorMoments view_moments(const Segment& segment, std::size_t dimensions);

/// The moments of a query's inner products with the group's vectors.
standardize::Moments product_moments(const GroupMoments& group, const float* query);

}  // namespace asof
