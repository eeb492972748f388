// Bounds of splines and decays: relevance times a row's temporal factor. One that all slots share
// scales the panels' records, so that the kernel compares each row with its own factor.
#pragma once

#include "index/vector/quantized_scan/bound_provider.hpp"

namespace asof::vector {

class TemporalBounds final : public PlainBounds {
 public:
  TemporalBounds(const BoundInputs& inputs, const TimeKernels& kernels)
      : PlainBounds(inputs), kernels_(kernels) {}

  void bound_tile(std::size_t s, const TileScope& tile, RowBounds& bounds) const override {
    bound(s, tile.times.max_factor(plan().slot(s).query->form), bounds);
    bounds.rows[s] = tile.visible(plan().slot(s));
  }
  void bound_range(std::size_t s, const RangeScope& range, RowBounds& bounds) const override {
    bound(s, range.times.max_factor(plan().slot(s).query->form), bounds);
  }
  void tighten_range(std::size_t s, const KernelTerms& terms, RowBounds& bounds) const override;
  KernelTerms kernel_terms(const RangeScope& range, const PanelRange& panels,
                           RowBounds& bounds) const override;
  bool unit_terms(const SegmentRange& unit, float* buffer, UnitTerms& terms) const override;

 private:
  const TimeKernels& kernels_;
};

}  // namespace asof::vector
