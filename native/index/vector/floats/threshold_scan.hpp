// Batch scan of f32 rows: products in the fastest order of summation are compared in registers with
// their queries' thresholds (kernels/threshold_products), lowered by their rounding; survivors are
// scored by the canonical kernel.
#pragma once

#include <algorithm>
#include <vector>

#include "core/huge_pages.hpp"
#include "index/vector/selection.hpp"
#include "kernels/inner_product/contract.hpp"
#include "kernels/threshold_products/contract.hpp"

namespace asof::vector {

class ThresholdScan {
 public:
  /// State of one thread; lists are one a slot.
  struct Worker {
    std::vector<float> thresholds;  // of the fast product
    std::vector<double> needed;     // of the relevance
  };

  ThresholdScan(const Request& request, const inner_product::Kernels& kernels)
      : request_(request), kernels_(kernels) {}

  /// Selects the queries of [first, first + others.size()) that no other scan takes and that can be
  /// bounded, if they are enough for a batch.
  void open(std::size_t first, const std::vector<bool>& others, std::atomic<double>* best);

  bool takes(std::size_t q) const { return !slots_.empty() && takes_[q]; }

  /// Scans the tile for the selected queries; false if the exhaustive scan has to.
  bool scan(Worker& worker, const Tile& tile);

 private:
  struct Slot {
    std::size_t q;
    double length;  // of the vector
  };
  struct Call;

  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }
  const float* vector(std::size_t q) const {
    return request_.vectors.data() + (first_ + q) * request_.dimensions;
  }
  double threshold_of(const Tile& tile, std::size_t q) const {
    return std::max(tile.collectors[q].threshold(), best_[q].load(std::memory_order_relaxed));
  }
  bool set_threshold(Call& call, std::size_t s) const;
  void take(Call& call, const threshold_products::Candidate& candidate);

  const Request& request_;
  const inner_product::Kernels& kernels_;
  const threshold_products::Kernels& products_ = threshold_products::kernels();
  const standardize::Map no_normalization_{};  // of additive queries
  std::size_t first_ = 0;
  std::vector<bool> takes_;
  std::vector<Slot> slots_;
  HugePageVector<float> packed_;
  std::atomic<double>* best_ = nullptr;
};

}  // namespace asof::vector
