// Bound provider: upper bounds of one scoring form, as the least similarity with which a row can
// still reach its slot's threshold.
//
// There is one for each way in which a value combines with the relevance (temporal::Combine); the
// kinds of values are in temporal/forms.hpp.
#pragma once

#include "index/vector/quantized_scan/rounding.hpp"
#include "index/vector/quantized_scan/row_bounds.hpp"
#include "index/vector/quantized_scan/threshold_seeding.hpp"

namespace asof::vector {

/// Inputs of bounds; constant except for the thresholds, which rise.
struct BoundInputs {
  const ScanPlan& plan;
  const ThresholdTracker& thresholds;
  const ThresholdSeeds& seeds;
};

class BoundProvider {
 public:
  explicit BoundProvider(const BoundInputs& inputs) : inputs_(inputs) {}
  virtual ~BoundProvider() = default;

  /// Reads the inputs of the form for a tile's rows, once for all slots.
  virtual void open_tile(const Tile&, RowBounds&) const {}
  /// Reads the times of a range's blocks, once for all slots.
  virtual void open_range(const RangeScope&, RowBounds&) const {}
  /// Sets the slot's min_similarity, max_factor and rows for a tile.
  virtual void bound_tile(std::size_t s, const TileScope& tile, RowBounds& bounds) const = 0;
  /// Sets the slot's min_similarity and max_factor for a range, without reading rows.
  virtual void bound_range(std::size_t s, const RangeScope& range, RowBounds& bounds) const = 0;
  /// Raises the slot's min_similarity within a call, after its threshold has risen.
  virtual void tighten_tile(std::size_t, RowBounds&) const {}
  virtual void tighten_range(std::size_t, const KernelTerms&, RowBounds&) const {}

  // For the provider whose term all slots share:
  /// Rows of a tile that a range scan reads.
  virtual BlockBits range_rows(const Tile& tile) const {
    return tile.bits[tile.mask_of[plan().slot(0).q]];
  }
  /// The terms of a bounded range's rows; updates min_similarity to exclude them.
  virtual KernelTerms kernel_terms(const RangeScope&, const PanelRange&, RowBounds&) const {
    return {};
  }
  /// The terms of a sampled unit's rows, in `buffer` of 2 * unit_rows floats; false: not sampled.
  virtual bool unit_terms(const SegmentRange&, float*, UnitTerms&) const { return true; }

 protected:
  const ScanPlan& plan() const { return inputs_.plan; }
  const ThresholdTracker& thresholds() const { return inputs_.thresholds; }
  const SlotSeeds& seeds(std::size_t s) const { return inputs_.seeds.slot(s); }
  const ThresholdSeeds& seeds() const { return inputs_.seeds; }

 private:
  BoundInputs inputs_;
};

/// The least similarity with which a row of at most `max_factor` and `extra` from other terms
/// scores `threshold`; a little less, for rounding.
inline float min_similarity(const QuerySlot& slot, double threshold, double max_factor,
                            double extra) {
  const double needed = slot.adds_recency() ? threshold - rounding_slack * std::abs(threshold)
                                            : min_relevance(*slot.query, threshold, max_factor);
  return below_threshold((needed - extra - rounding_slack * std::abs(extra)) /
                         slot.query->semantic_weight);
}

/// Rows without a temporal or lexical part.
class PlainBounds : public BoundProvider {
 public:
  using BoundProvider::BoundProvider;
  void bound_tile(std::size_t s, const TileScope& tile, RowBounds& bounds) const override {
    bound(s, 1, bounds);
    bounds.rows[s] = tile.visible(plan().slot(s));
  }
  void bound_range(std::size_t s, const RangeScope&, RowBounds& bounds) const override {
    bound(s, 1, bounds);
  }
  void tighten_tile(std::size_t s, RowBounds& bounds) const override {
    tighten(s, thresholds().threshold(s), bounds);
  }
  void tighten_range(std::size_t s, const KernelTerms&, RowBounds& bounds) const override {
    tighten(s, thresholds().threshold(s), bounds);
  }

 protected:
  void bound(std::size_t s, double max_factor, RowBounds& bounds) const {
    const double threshold = thresholds().threshold(s);
    bounds.max_factor[s] = max_factor;
    update(s, threshold, bounds);
  }
  void tighten(std::size_t s, double threshold, RowBounds& bounds) const {
    if (threshold != bounds.cached[s].threshold) update(s, threshold, bounds);
  }
  /// For rows of at most bounds.max_factor[s]. An unchanged threshold is not evaluated again.
  void update(std::size_t s, double threshold, RowBounds& bounds) const {
    RowBounds::CachedMinimum& cached = bounds.cached[s];
    const double max_factor = bounds.max_factor[s];
    if (threshold != cached.threshold || max_factor != cached.max_factor)
      cached = {threshold, max_factor, min_similarity(plan().slot(s), threshold, max_factor, 0)};
    bounds.min_similarity[s] = cached.similarity;
  }
};

}  // namespace asof::vector
