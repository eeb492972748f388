// Survivors of one kernel call, turned into candidates: products become bounds of scores by each
// row's own terms, and rows that cannot reach their slot's threshold are dropped.
#pragma once

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
    bool plain = false;          // kernel bounds are those of scores, but for the semantic weight
    std::size_t first_slot = 0;  // of the kernel's queries
  };

  SurvivorCollector(const ScanBatch& batch, ScanWorker& worker,
                    const inner_product::Kernels& kernels)
      : batch_(batch), worker_(worker), kernels_(kernels) {}

  void open(const Call& call) { call_ = call; }
  /// The kernel's queries begin at this slot.
  void set_first_slot(std::size_t slot) { call_.first_slot = slot; }
  void take(std::span<const quantized::Candidate> survivors);

 private:
  void take_plain(std::span<const quantized::Candidate> survivors);
  void take_one(const quantized::Candidate& survivor);
  void take_inexact(const quantized::Candidate& survivor, std::size_t s, std::size_t row);
  double row_time(const Scored& scored, std::size_t s, std::size_t row) const;
  void push(std::size_t s, const Candidate& candidate);
  void make_room(std::size_t s);

  const ScanBatch& batch_;
  ScanWorker& worker_;
  const inner_product::Kernels& kernels_;
  Call call_;
};

}  // namespace asof::vector
