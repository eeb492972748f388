// Selectivity of windows: an estimate of the rows that each mask shows, by which the scan of a
// query is chosen. It decides no result.
#pragma once

#include "index/vector/times/normalization.hpp"

namespace asof::vector {

struct WindowSelectivity {
  bool narrow = false;  // so few rows that a batch reads them without panels
  bool broad =
      true;         // half of the rows or more, surely enough to guess from a sample of their tiles
  double rows = 0;  // about so many, or more
  bool sparse = false;  // surely few of every block that may show any
};

/// One a mask, for a batch of so many queries.
std::vector<WindowSelectivity> estimate_selectivity(const Request& request,
                                                    const std::vector<ScanTask>& tasks,
                                                    const std::vector<temporal::Mask>& masks,
                                                    std::size_t queries);

}  // namespace asof::vector
