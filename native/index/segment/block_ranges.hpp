// Summaries of a clock over blocks of rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "index/rows/block.hpp"

namespace asof {

/// [minimum, maximum] of each block; minimum > maximum for a block without ticks.
template <typename Tick>
class BlockRanges {
 public:
  explicit BlockRanges(std::size_t rows) : pairs_(2 * ((rows + block_rows - 1) / block_rows)) {
    for (std::size_t block = 0; block < pairs_.size() / 2; ++block) {
      pairs_[2 * block] = std::numeric_limits<Tick>::max();
      pairs_[2 * block + 1] = std::numeric_limits<Tick>::min();
    }
  }
  void add(std::size_t row, Tick low, Tick high) {
    Tick* pair = &pairs_[row / block_rows * 2];
    pair[0] = std::min(pair[0], low);
    pair[1] = std::max(pair[1], high);
  }
  std::span<const Tick> pairs() const { return pairs_; }

 private:
  std::vector<Tick> pairs_;
};

}  // namespace asof
