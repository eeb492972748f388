// Rows of a segment with the bitmaps that hide some of them from a search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "index/rows/flat_rows.hpp"

namespace asof::cuda {
struct DeviceSegment;
}

namespace asof {

/// A row of one of a request's segments.
struct RowId {
  std::uint32_t segment, row;
};

struct VisibleRows {
  FlatRows rows;
  /// Bit p % 8 of byte p / 8: passage p is visible. Empty: all are.
  std::span<const std::uint8_t> visible;
  /// Bit b % 64 of word b / 64: block b of block_rows rows may have a visible row (row_subset.hpp).
  /// Empty: any may.
  std::span<const std::uint64_t> blocks;
  /// Passages that statistics of words count, as in `visible`: what a filter hides may count, and
  /// what is no longer so may not. Empty: all.
  std::span<const std::uint8_t> counted;
  cuda::DeviceSegment* resident = nullptr;  // the rows on the request's device, or null

  bool may_show(std::size_t block) const {
    return blocks.empty() || (blocks[block / 64] >> (block % 64) & 1) != 0;
  }
};

}  // namespace asof
