// Sparse rows: visible rows of tiles of which a window shows few, gathered until there are enough
// to multiply as f32 vectors in one kernel call, which costs less than the panels that hold them.
#pragma once

#include <vector>

#include "core/huge_pages.hpp"
#include "index/vector/quantized_scan/scan_plan.hpp"
#include "index/vector/quantized_scan/threshold_tracker.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

class SparseRows {
 public:
  /// One worker's gathered rows of one mask.
  struct Rows {
    std::size_t segment = 0;
    std::vector<std::uint32_t> rows;
    std::vector<std::size_t> slots;  // that have the mask
    std::vector<float> queries;      // the slots' vectors
    std::vector<Collector>* collectors = nullptr;
  };
  struct Buffer {
    std::vector<Rows> masks;
    HugePageVector<float> vectors;
    std::vector<float> products;
    std::vector<double>* rescored = nullptr;  // one a slot: rows whose f32 vectors were read
  };

  SparseRows(const ScanPlan& plan, const ThresholdTracker& thresholds,
             const inner_product::Kernels& kernels)
      : plan_(plan), thresholds_(thresholds), kernels_(kernels) {}

  /// Whether the tile is sparse for every mask.
  bool sparse(const Tile& tile, Buffer& buffer) const;
  /// Gathers the visible rows of a sparse tile, and scores gathered rows once there are enough.
  void gather(const Tile& tile, Buffer& buffer) const;
  /// Scores the gathered rows.
  void flush(Buffer& buffer) const;

 private:
  void score(Rows& group, Buffer& buffer) const;

  const ScanPlan& plan_;
  const ThresholdTracker& thresholds_;
  const inner_product::Kernels& kernels_;
};

}  // namespace asof::vector
