// How many rows a window leaves, before they are scanned: where they are hardly more than results,
// a batch multiplies their f32 vectors at once, since what follows a product in few bits costs more
// than the product. An estimate: it decides how rows are read, never what is found.
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
                                                    const std::vector<Mask>& masks,
                                                    std::size_t queries);

}  // namespace asof::vector
