// Bound providers of a batch: one a slot by its scoring form, and the one whose term all slots
// share.
#pragma once

#include <memory>

#include "index/vector/quantized_scan/lexical_bounds.hpp"
#include "index/vector/quantized_scan/recency_bounds.hpp"
#include "index/vector/quantized_scan/temporal_bounds.hpp"

namespace asof::vector {

class BoundSet {
 public:
  BoundSet(const BoundInputs& inputs, const TimeKernels& kernels);

  const BoundProvider& slot(std::size_t s) const { return *slots_[s]; }
  /// The provider of the rows and kernel terms of a range.
  const BoundProvider& shared() const { return *shared_; }
  const RecencyBounds& recency() const { return recency_; }

  /// Bounds every slot over a tile; returns the rows that some slot has to scan.
  BlockBits bound_tile(const Tile& tile, RowBounds& bounds) const;
  /// Bounds every slot over a range and prunes slots that none of its rows can reach.
  void bound_range(const RangeScope& range, RowBounds& bounds) const;

 private:
  void prune_by_norm(const SegmentRange& range, RowBounds& bounds) const;

  BoundInputs inputs_;
  PlainBounds plain_;
  TemporalBounds temporal_;
  RecencyBounds recency_;
  std::unique_ptr<LexicalBounds> lexical_;
  std::vector<const BoundProvider*> slots_;
  const BoundProvider* shared_ = &plain_;
};

}  // namespace asof::vector
