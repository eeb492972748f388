// Bitmaps of a tile's visible rows, one per distinct mask of a query group; one thread's.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "index/rows/mask.hpp"

namespace asof::vector {

struct TileMasks {
  // One a mask.
  std::vector<BlockBits> bits;
  std::vector<std::size_t> visible;   // rows in `bits`
  std::vector<std::uint64_t> hidden;  // rows of all tiles so far

  void open(std::size_t masks) {
    bits.resize(masks);
    visible.resize(masks);
    hidden.resize(masks);
  }

  /// Sets the bitmaps of the tile [begin, begin + count). False where no mask shows a row.
  bool apply(const VisibleRows& segment, std::span<const SegmentMask> masks, std::size_t begin,
             std::size_t count) {
    const bool may = std::any_of(masks.begin(), masks.end(), [&](const SegmentMask& mask) {
      return may_pass(mask, segment.rows, begin);
    });
    const BlockBits shown = may ? visible_passages(segment, begin, count) : BlockBits{};
    const bool some =
        std::any_of(shown.begin(), shown.end(), [](std::uint64_t word) { return word != 0; });
    bool any = false;
    for (std::size_t m = 0; m < masks.size(); ++m) {
      bits[m] = shown;
      if (some) apply_mask(masks[m], segment.rows, begin, count, bits[m]);
      visible[m] = 0;
      for (std::uint64_t word : bits[m])
        visible[m] += static_cast<std::size_t>(std::popcount(word));
      hidden[m] += count - visible[m];
      any = any || visible[m] > 0;
    }
    return any;
  }
};

}  // namespace asof::vector
