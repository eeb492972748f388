// Scan of a query group on a device (native/device), with the bits of the host's scan.
#pragma once

#include <span>

#include "core/cancel.hpp"
#include "device/interface.hpp"
#include "index/vector/request.hpp"
#include "index/vector/results.hpp"
#include "index/vector/times/mask.hpp"
#include "kernels/standardize/contract.hpp"

namespace asof::vector {

/// As what a device multiplies rows: their panels, or their vectors where they have no panels that
/// it knows.
cuda::VectorStorage device_storage(const FlatRows& rows);

/// A segment as the library takes it. The rows stay as long as their copy is on the device.
cuda::SegmentData segment_data(const FlatRows& rows);

class OnDevice {
 public:
  explicit OnDevice(const Request& request);

  /// Whether a query can be scanned there at all. One that sums must have its standards settled
  /// besides.
  bool suits(std::size_t query) const;

  /// So many queries at once: a device reads all rows for every group, and no thread keeps finds.
  std::size_t group_size(std::size_t rows) const;

  struct Group {
    std::size_t first, size;                   // queries of the request
    const std::vector<Mask>& masks;            // distinct
    const std::vector<std::size_t>& mask_of;   // one a query of the group
    const std::vector<SegmentMask>& compiled;  // segments * masks
    const std::vector<standardize::Map>& normalization;
    const std::vector<std::size_t>& keep;  // one a query of the group
  };
  struct Counts {
    std::vector<std::uint64_t> visible, rescored;  // one a mask; one a query of the group
  };
  Counts scan(const Group& group, GroupResults& results, const Cancel& cancel) const;

 private:
  struct Parts;
  Parts parts_of(const Group& group) const;

  const Request& request_;
  bool fits_ = false;  // the request, whatever its queries
};

}  // namespace asof::vector
