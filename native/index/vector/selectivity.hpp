// Selectivity of windows: an estimate of the rows that each mask shows, which chooses the scan of a
// query. It affects no result.
#pragma once

#include "index/vector/times/normalization.hpp"

namespace asof::vector {

struct WindowSelectivity {
  bool narrow = false;  // few rows, which a batch reads without panels
  bool broad = true;    // half of the rows or more: a sample of their tiles estimates thresholds
  double rows = 0;      // an estimate, or an upper bound
  bool sparse = false;  // few rows of each block that may show any
};

/// One a mask, for a batch of `queries`.
std::vector<WindowSelectivity> estimate_selectivity(const Request& request,
                                                    const std::vector<ScanTask>& tasks,
                                                    const std::vector<temporal::Mask>& masks,
                                                    std::size_t queries);

}  // namespace asof::vector
