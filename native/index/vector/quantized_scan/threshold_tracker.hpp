// Score thresholds of a scan's slots: the certain bound of the k-th best score, which all scans of
// a group share, and an optional estimate of it that is verified at the end.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <vector>

#include "index/vector/selection.hpp"

namespace asof::vector {

class ThresholdTracker {
 public:
  ThresholdTracker() = default;
  /// `kth` holds, one a slot, the shared lower bound of the k-th best score.
  explicit ThresholdTracker(std::vector<std::atomic<double>*> kth)
      : kth_(std::move(kth)), slots_(std::make_unique<Slot[]>(kth_.size())) {}

  std::size_t size() const { return kth_.size(); }

  /// A row that scores less is no result, if the estimate holds. Rises during the scan.
  double threshold(std::size_t s) const { return std::max(kth_bound(s), estimate(s)); }
  /// A row that scores less is certainly no result.
  double kth_bound(std::size_t s) const { return kth_[s]->load(std::memory_order_relaxed); }
  double estimate(std::size_t s) const {
    return slots_[s].estimate.load(std::memory_order_relaxed);
  }
  /// The shared bound itself.
  std::atomic<double>& kth(std::size_t s) const { return *kth_[s]; }

  void raise_kth(std::size_t s, double score) const { raise(*kth_[s], score); }
  void raise_estimate(std::size_t s, double score) const { raise(slots_[s].estimate, score); }

  /// Compares the estimate with the final k-th best score of the candidates.
  void verify(std::size_t s, double kth_score) { slots_[s].missed = kth_score < estimate(s); }
  /// Slots whose estimate was too high, so that results may be missing.
  std::vector<std::size_t> missed() const {
    std::vector<std::size_t> slots;
    for (std::size_t s = 0; s < kth_.size(); ++s) {
      if (slots_[s].missed) slots.push_back(s);
    }
    return slots;
  }

 private:
  struct Slot {
    std::atomic<double> estimate{-infinity};
    bool missed = false;
  };
  std::vector<std::atomic<double>*> kth_;
  std::unique_ptr<Slot[]> slots_;
};

}  // namespace asof::vector
