// Panels of a segment's rows: those of the segment, or on-the-fly panels of a segment without any,
// packed from a few thousand rows in cache, and used by all queries of the batch.
#pragma once

#include <vector>

#include "core/huge_pages.hpp"
#include "index/vector/quantized_scan/packed_queries.hpp"
#include "index/vector/quantized_scan/row_bounds.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/packing/contract.hpp"

namespace asof::vector {

class PanelSource {
 public:
  /// One worker's last on-the-fly panels.
  struct Buffer {
    SegmentRange rows;  // `begin` is the first row of a panel
    HugePageVector<std::uint8_t> bytes;
    std::vector<quantized::PanelRecord> records;
  };

  explicit PanelSource(const ScanPlan& plan)
      : request_(plan.request()), on_the_fly_(plan.packs_on_the_fly()) {}

  /// Whether a batch of the active queries of [first, first + active.size()) reads segments
  /// without panels faster by on-the-fly panels: with instructions that multiply integers several
  /// times as fast as floats, and rows that int8 products distinguish.
  static bool pays_on_the_fly(const Request& request, std::size_t first,
                              const std::vector<bool>& active,
                              const inner_product::Kernels& kernels);

  /// Rows that one kernel call scans at most.
  std::size_t max_range_rows() const;

  bool on_the_fly() const { return on_the_fly_; }
  quantized::Storage storage(std::size_t segment) const {
    return on_the_fly_ ? quantized::Storage::int8 : request_.segments[segment].rows.panels->storage;
  }

  /// The panels that hold the rows; on-the-fly ones last until the buffer's next use.
  PanelRange panels(const SegmentRange& rows, Buffer& buffer) const;
  /// Their shape, without bytes and records where they would have to be packed.
  PanelRange shape(const SegmentRange& rows) const;

 private:
  const Request& request_;
  bool on_the_fly_;
  const packing::Kernels& packing_ = packing::kernels();
};

}  // namespace asof::vector
