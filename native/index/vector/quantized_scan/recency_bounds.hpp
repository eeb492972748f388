// Bounds of forms that add a value to the relevance. One that all slots
// share is a bias of the kernel, so that each row is compared with its own.
#pragma once

#include "index/vector/quantized_scan/bound_provider.hpp"

namespace asof::vector {

class RecencyBounds final : public BoundProvider {
 public:
  RecencyBounds(const BoundInputs& inputs, const TimeKernels& kernels);

  /// Whether rows of at most the mean recency cannot reach the threshold of some slot: then few
  /// rows are left to scan.
  bool decides() const;

  void open_tile(const Tile& tile, RowBounds& bounds) const override;
  void open_range(const RangeScope& range, RowBounds& bounds) const override {
    if (shared()) bounds.max_recency = max_shared_recency(range);
  }
  void bound_tile(std::size_t s, const TileScope& scope, RowBounds& bounds) const override;
  void bound_range(std::size_t s, const RangeScope& range, RowBounds& bounds) const override;
  void tighten_range(std::size_t s, const KernelTerms& terms, RowBounds& bounds) const override;
  KernelTerms kernel_terms(const RangeScope& range, const PanelRange& panels,
                           RowBounds& bounds) const override;
  bool unit_terms(const SegmentRange& unit, float* buffer, UnitTerms& terms) const override;

 private:
  /// Recencies by tick of a segment whose rows hold one time each, in few distinct ticks; then that
  /// of rows without a time, and the maximum.
  struct TickTable {
    std::int32_t first = 0;
    std::vector<float> recencies;
  };

  bool shared() const { return plan().shared_term() == SharedTerm::recency; }
  const temporal::Form& form() const { return plan().recency_forms().front(); }
  double max_extra(std::size_t s, const RowBounds::RecencySpan& span) const;
  double max_extra(std::size_t s, const RangeScope& range) const;
  double max_shared_recency(const RangeScope& range) const;
  float min_biased_similarity(std::size_t s, double threshold) const;
  TickTable tick_table(const FlatRows& rows) const;
  void read_recencies(const SegmentRange& range, float* out) const;

  const TimeKernels& kernels_;
  // Of a shared recency, one a slot.
  std::vector<RecencySum> sums_;
  std::vector<float> bias_weights_, unit_constants_;
  double cap_ = 0;                      // rows of greater recency were scored as seeds
  double undated_ = 0;                  // upper bound of the recency of rows without one
  std::vector<TickTable> tick_tables_;  // one a segment; empty: recencies are computed row by row
};

}  // namespace asof::vector
