// Candidate buffer: one worker's rows whose upper bound may reach the threshold, a list per slot
// that is pruned when it is full. Lower bounds of the k-th best score raise the threshold.
#pragma once

#include "index/vector/quantized_scan/candidates.hpp"
#include "index/vector/quantized_scan/scan_plan.hpp"
#include "index/vector/quantized_scan/threshold_sampling.hpp"
#include "index/vector/quantized_scan/threshold_seeding.hpp"
#include "index/vector/quantized_scan/threshold_tracker.hpp"

namespace asof::vector {

struct alignas(64) CandidateList {  // one cache line: survivors come in the order of rows
  std::vector<Candidate> rows;
  std::vector<BoundedHit> hits;  // seeds and rows already rescored; may name rows of the list
  std::size_t capacity = 0;
  double semantic_weight = 1;
};

class CandidateBuffer {
 public:
  bool is_open() const { return !lists_.empty(); }
  void open(const ScanPlan& plan, const ThresholdSeeds& seeds, const ThresholdSampling& sampling);

  CandidateList& list(std::size_t s) { return lists_[s]; }
  CandidateList* lists() { return lists_.data(); }

  /// Raises the slot's threshold and drops the rows below it. True if too many rows remain, as with
  /// equal bounds: the list has to be rescored.
  bool prune(std::size_t s, const ThresholdTracker& thresholds, const ThresholdSampling& sampling);

  /// Raises the slot's threshold where rows came since it last rose.
  void raise(std::size_t s, const ThresholdTracker& thresholds);

  /// After sampling: drops rows below the estimate and grants room to the rest.
  void end_sampling(std::size_t s, const ThresholdTracker& thresholds);

  /// Moves the slot's candidates and hits to the end of `into`.
  void move_to(std::size_t s, CandidateList& into);

 private:
  double certain_kth_score(std::size_t s);

  const ScanPlan* plan_ = nullptr;
  const ThresholdSeeds* seeds_ = nullptr;
  std::vector<CandidateList> lists_;
  std::vector<std::size_t> raised_;  // rows of each list when its threshold was last raised
  // Buffers.
  std::vector<std::int32_t> keys_;
  std::vector<BoundedHit> hits_;
};

}  // namespace asof::vector
