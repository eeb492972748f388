// Threshold seeding: rows that probably rank high, scored by their f32 vectors before the scan, so
// that it starts with thresholds. Sources: the best rows by lexical score, the top recencies.
#pragma once

#include <span>
#include <vector>

#include "index/vector/quantized_scan/candidates.hpp"
#include "index/vector/quantized_scan/scan_plan.hpp"
#include "index/vector/quantized_scan/threshold_tracker.hpp"
#include "index/vector/results.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

/// Seeds of a slot.
struct SlotSeeds {
  std::vector<BoundedHit> hits;   // seed rows; the scan scores those by lexical score again
  double recency_cap = infinity;  // rows of greater recency are scored, and in the results
  bool complete = false;          // no other row can be a result
  double rescored = 0;            // rows whose f32 vectors were read for recency

  bool scored(double recency) const { return recency > recency_cap; }
  /// Upper bound of the recency of rows that are yet to be scored.
  double capped(double recency) const { return scored(recency) ? recency_cap : recency; }
};

class ThresholdSeeds {
 public:
  ThresholdSeeds() = default;
  /// Seeds every slot and raises its threshold. Rows scored by recency go to the results.
  ThresholdSeeds(const ScanPlan& plan, const ThresholdTracker& thresholds, GroupResults& results,
                 const inner_product::Kernels& kernels);

  const SlotSeeds& slot(std::size_t s) const { return slots_[s]; }
  /// Whether hits and candidates of the slot are distinct results: without pooling and seeds.
  bool distinct(std::size_t s) const { return !pool_ && slots_[s].hits.empty(); }
  /// Whether all slots are complete: there is nothing to scan.
  bool complete() const { return complete_; }
  /// Length of the longest row, infinite without panels; set where recencies seed.
  double max_row_norm() const { return max_row_norm_; }

 private:
  struct Seeder;
  std::vector<SlotSeeds> slots_;
  bool pool_ = false, complete_ = false;
  double max_row_norm_ = 0;
};

/// Appends seed rows of a slot by lexical score; of many, those with the best temporal scores.
void add_lexical_seeds(const ScanPlan& plan, const QuerySlot& slot, std::vector<RowId>& rows);

/// Rows with at most the returned recency, and rows without one, cannot reach the threshold by any
/// similarity to a row of at most `max_row_norm`.
double min_recency(const QuerySlot& slot, double threshold, double max_row_norm);

}  // namespace asof::vector
