// Row subset: the bitmap of a few passages of a segment, and the blocks that contain their rows.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "index/rows/flat_rows.hpp"

namespace asof {

/// Owner of the bitmaps of VisibleRows.
struct RowSubset {
  std::vector<std::uint8_t> visible;  // bit p % 8 of byte p / 8
  std::vector<std::uint64_t> blocks;  // bit b: a row of block b is of one of the passages
};

/// `passages` are below P, in any order. The rows of each group (segment.hpp) must ascend by
/// passage, as the format prescribes.
RowSubset subset_of(const FlatRows& rows, std::span<const std::uint32_t> passages);

/// The rows [first, last) of a passage's sentences; none for a passage of one sentence, whose row
/// is the passage's. `row_passage` are the rows' passages, of which a few blocks are read.
std::pair<std::uint32_t, std::uint32_t> sentence_rows(const FlatRows& rows,
                                                      const CheckedSpan<std::uint32_t>& row_passage,
                                                      std::uint32_t passage);

}  // namespace asof
