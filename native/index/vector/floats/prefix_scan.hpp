// Scan of f32 rows for few queries, tile by tile, with early termination (prefix_selection.hpp).
#pragma once

#include <array>

#include "index/vector/floats/prefix_selection.hpp"

namespace asof::vector {

inline constexpr std::size_t prefix_scan_queries =
    4;  // of more, some query needs most of each vector

class PrefixScan {
 public:
  /// State of one thread.
  struct Worker {
    std::array<PrefixQuery, prefix_scan_queries> vectors;
    std::array<SplitSchedule, prefix_scan_queries> schedules;
  };

  PrefixScan(const Request& request, const inner_product::Kernels& kernels)
      : request_(request), kernels_(kernels) {}

  /// Sets the queries [first, first + size), none of which may sum; `best` is one a query. By
  /// default there are none.
  void open(std::size_t first, std::size_t size, std::atomic<double>* best);

  /// Scans the tile; false if another scan has to.
  bool scan(Worker& worker, const Tile& tile);

 private:
  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }
  const float* vector(std::size_t q) const {
    return request_.vectors.data() + (first_ + q) * request_.dimensions;
  }
  RowScorer scorer(std::size_t q, std::size_t segment) const {
    return {query(q), request_.segments[segment], segment, no_normalization_};
  }
  void seed_threshold(std::size_t q);
  bool pays(Worker& worker, const Tile& tile, const SuffixNorms& suffix_norms, std::size_t q);

  const Request& request_;
  const inner_product::Kernels& kernels_;
  const standardize::Map no_normalization_{};  // of additive queries
  std::size_t first_ = 0, size_ = 0;
  std::atomic<double>* best_ = nullptr;
  std::array<TopKThreshold, prefix_scan_queries> thresholds_;
};

}  // namespace asof::vector
