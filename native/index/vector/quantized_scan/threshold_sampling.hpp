// Threshold sampling: an estimate of each slot's k-th best score from a sample of the rows, which
// prunes nearly all rows from the start of a batch. The sample consists of whole tiles, whose
// candidates are kept, or of units of two panels, of which only products are read. A wrong estimate
// is detected at the end, because fewer than k rows reach it, and the slot is scanned again.
#pragma once

#include <span>
#include <vector>

#include "index/vector/quantized_scan/bound_set.hpp"
#include "index/vector/quantized_scan/candidates.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::vector {

class PanelSource;
struct ScanWorker;

/// A call's rows as the unit sampler reads them: bit i of `visible` is row 0 of the panels plus i.
struct SampledRange {
  const PanelRange& panels;
  const std::uint64_t* visible;
};

class ThresholdSampling {
 public:
  /// One in tile_step tiles is sampled.
  static constexpr std::size_t tile_step = 16;

  /// One worker's unit sample.
  struct Buffer {
    std::vector<float> peaks;     // groups_ a slot: the greatest estimates of groups of rows
    std::vector<float> products;  // of a unit
  };

  ThresholdSampling() = default;  // samples nothing
  /// Chooses the sample, if it costs less than thresholds that rise slowly.
  ThresholdSampling(const ScanPlan& plan, const BoundSet& bounds);

  /// The phase of the scan: a sample of tiles or a pass over units comes first.
  bool by_tiles() const { return by_tiles_; }
  bool by_units() const { return unit_step_ > 0; }

  /// Whether the candidates of the slot are those of a sample of tiles.
  bool samples(std::size_t s) const { return by_tiles_ && slots_[s]; }
  /// Candidates that a slot's list holds before it is cut.
  std::size_t capacity(std::size_t s, std::size_t usual) const;
  /// About how many candidates a slot keeps after a unit sample, or 0.
  std::size_t expected_candidates() const { return groups_ > 0 ? expected_ : 0; }

  /// Raises the slot's estimate by its sampled candidates.
  void raise_estimate(std::size_t s, std::span<const Candidate> rows,
                      const ThresholdTracker& thresholds) const;
  void end_tiles() { by_tiles_ = false; }

  /// Keeps the greatest estimates of the sampled units of a range.
  void sample_units(const SampledRange& range, const BoundSet& bounds, const PanelSource& source,
                    ScanWorker& worker) const;
  /// Sets the estimates by all workers' samples.
  void end_units(std::span<const Buffer* const> buffers, const ThresholdTracker& thresholds);

 private:
  bool choose_units();
  std::size_t rank_within(double share) const;
  void keep_peaks(std::size_t s, std::size_t ordinal, const float* estimates, Buffer& buffer) const;

  const ScanPlan* plan_ = nullptr;
  std::vector<bool> slots_;  // with an estimate
  bool by_tiles_ = false;
  std::size_t unit_step_ = 0;  // one in unit_step_ units is sampled; 0 after the pass
  std::size_t rank_ = 0;       // of the sampled row that an estimate is taken from
  std::size_t groups_ = 0;     // peaks a slot
  std::size_t expected_ = 0;
};

}  // namespace asof::vector
