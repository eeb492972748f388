// Row subset: the bitmap of a few passages of a segment, and the blocks that contain their rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/block_checksums.hpp"
#include "index/rows/flat_rows.hpp"

namespace asof {

/// Owner of the bitmaps of VisibleRows.
struct RowSubset {
  std::vector<std::uint8_t> visible;  // bit p % 8 of byte p / 8
  std::vector<std::uint64_t> blocks;  // bit b: a row of block b is of one of the passages
};

/// `passages` are below P, in any order. The rows of each group must be in the order that the
/// format prescribes (segment.hpp).
RowSubset subset_of(const FlatRows& rows, std::span<const std::uint32_t> passages);

/// The columns of FlatRows that say in which order rows are.
struct RowOrder {
  CheckedSpan<std::uint32_t> row_passage, passage_row;
};

/// The rows of a passage: of the whole, no_row in damaged segments, and of its sentences, [first,
/// last); none of a passage of one sentence.
struct PassageRows {
  std::uint32_t whole, first, last;
};
inline constexpr std::uint32_t no_row = 0xffffffff;

/// Reads a few elements of `order`.
PassageRows rows_of(const FlatRows& rows, const RowOrder& order, std::uint32_t passage);

}  // namespace asof
