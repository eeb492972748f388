// Staged selection of a scan's few queries, tile by tile: the best by words start the threshold
// that threads share, blocks are measured as they are first read, and tiles for which it does not
// pay are left to the plain scan (prefix_selection.hpp says how rows are left).
#pragma once

#include <array>

#include "index/vector/floats/prefix_selection.hpp"

namespace asof::vector {

inline constexpr std::size_t prefix_scan_queries =
    4;  // of more, a row's vector is of use to some query

class PrefixScan {
 public:
  /// What a thread keeps between tiles.
  struct Lane {
    std::array<PrefixQuery, prefix_scan_queries> vectors;
    std::array<Pace, prefix_scan_queries> paces;
  };

  PrefixScan(const Request& request, const inner_product::Kernels& kernels)
      : request_(request), kernels_(kernels) {}

  /// Takes the queries [first, first + size), none of which may sum; `best` is one a query. Without
  /// a call, or with none, it scans nothing.
  void open(std::size_t first, std::size_t size, std::atomic<double>* best);

  /// Selects from the tile; false where the plain scan has to.
  bool scan(Lane& lane, const Tile& tile);

 private:
  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }
  const float* vector(std::size_t q) const {
    return request_.vectors.data() + (first_ + q) * request_.dimensions;
  }
  Scored scored(std::size_t q, std::size_t segment) const {
    return {query(q), request_.segments[segment], segment, unread_};
  }
  void start_from_likely(std::size_t q);
  bool pays(Lane& lane, const Tile& tile, const SuffixNorms& suffix_norms, std::size_t q);

  const Request& request_;
  const inner_product::Kernels& kernels_;
  const standardize::Map unread_{};  // of queries that sum
  std::size_t first_ = 0, size_ = 0;
  std::atomic<double>* best_ = nullptr;
  std::array<TopKThreshold, prefix_scan_queries> thresholds_;
};

}  // namespace asof::vector
