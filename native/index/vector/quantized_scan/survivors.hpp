// Survivors of one kernel call, turned into candidates: products become bounds of scores by each
// row's own terms, and rows that cannot reach their slot's threshold are dropped.
#pragma once

#include <cstdint>
#include <span>

#include "index/vector/quantized_scan/scan_batch.hpp"
#include "index/vector/quantized_scan/worker.hpp"

namespace asof::vector {

class SurvivorCollector {
 public:
  /// The rows of a call: row 0 is row `base` of the segment.
  struct Call {
    std::size_t segment = 0, base = 0;
    const Tile* tile = nullptr;  // bounded row by row; null for a range
    KernelTerms terms;
    bool plain = false;  // kernel bounds are those of scores, except for the semantic weight
  };

  SurvivorCollector(const ScanBatch& batch, ScanWorker& worker,
                    const inner_product::Kernels& kernels)
      : batch_(batch), worker_(worker), kernels_(kernels) {}

  /// Runs the kernel for every run of slots that rows can still reach. `rows` is a bitmap of the
  /// panels' rows to scan, or null for all.
  void scan(const Call& call, const PanelRange& panels, const std::uint64_t* rows);

 private:
  std::span<const float> minima() const;
  bool pruned(std::size_t first_slot) const;
  void update_least();
  void take(std::span<const quantized::PanelSurvivor> survivors);
  void take_plain(std::span<const quantized::PanelSurvivor> survivors);
  void take_one(const quantized::PanelSurvivor& scaled);
  void take_inexact(const quantized::PanelSurvivor& survivor, std::size_t s, std::size_t row);
  double row_time(const RowScorer& scorer, std::size_t s, std::size_t row) const;
  void push(std::size_t s, const Candidate& candidate);
  void make_room(std::size_t s);

  const ScanBatch& batch_;
  ScanWorker& worker_;
  const inner_product::Kernels& kernels_;
  Call call_;
  std::size_t first_slot_ = 0;  // of the kernel's queries
  float least_similarity_ = 0;  // of all slots, where they compare one product
};

}  // namespace asof::vector
