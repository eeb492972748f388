// Query group of a search: consecutive queries that one scan of the rows answers.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "index/vector/group_masks.hpp"
#include "index/vector/results.hpp"

namespace asof::vector {

struct SearchGroup {
  std::size_t first = 0, size = 0;  // queries [first, first + size) of the request
  GroupMasks masks;
  // One a query.
  std::vector<std::size_t> keep;               // rows, or passages where results pool
  std::unique_ptr<std::atomic<double>[]> kth;  // lower bound of the k-th best score
  GroupResults results;

  void open_thresholds() {
    kth = std::make_unique<std::atomic<double>[]>(size);
    for (std::size_t q = 0; q < size; ++q) kth[q].store(-infinity, std::memory_order_relaxed);
  }
};

}  // namespace asof::vector
