// Scan of a query group on a device (native/device). Results have the bits of the host's scan.
#pragma once

#include <span>

#include "core/cancel.hpp"
#include "device/interface.hpp"
#include "index/vector/request.hpp"
#include "index/vector/search_group.hpp"
#include "kernels/standardize/contract.hpp"

namespace asof::vector {

/// The type in which a device multiplies rows: that of their panels, or f32 without panels that it
/// supports.
cuda::VectorStorage device_storage(const FlatRows& rows);

/// A segment in the library's form, its vectors verified; borrows from the rows, which outlive
/// their copy on the device.
cuda::SegmentData segment_data(const FlatRows& rows);

class OnDevice {
 public:
  explicit OnDevice(const Request& request);

  /// Whether a query can be scanned there. An additive query must be normalized in addition.
  bool suits(std::size_t query) const;

  /// Queries of a group: more than the host's, since a device reads all rows for every group and
  /// threads keep no hits.
  std::size_t max_group_size(std::size_t rows) const;

  struct Counts {
    std::vector<std::uint64_t> visible, rescored;  // one a mask; one a query of the group
  };
  /// Scans the group's queries; their hits go to its results.
  Counts scan(SearchGroup& group, const std::vector<standardize::Map>& normalization,
              const Cancel& cancel) const;

 private:
  struct Segments;
  Segments segments_of(const SearchGroup& group,
                       const std::vector<standardize::Map>& normalization) const;

  const Request& request_;
  bool supported_ = false;  // the request, regardless of its queries
};

}  // namespace asof::vector
