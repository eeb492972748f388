// Row subset: a search among a few passages of a segment, with the bitmap that shows them and the
// blocks that hold their rows.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "index/rows/flat_rows.hpp"

namespace asof {

/// What a VisibleRows borrows.
struct RowSubset {
  std::vector<std::uint8_t> visible;  // bit p % 8 of byte p / 8
  std::vector<std::uint64_t> blocks;  // bit b: a row of block b is of one of the passages
};

/// The rows of each third of the order of rows (index/segment.hpp) ascend by passage, as the format
/// has it; of rows in another order some would be passed over. `passages` are below P, in any
/// order.
RowSubset subset_of(const FlatRows& rows, std::span<const std::uint32_t> passages);

/// The rows [first, last) of a passage's sentences; none of a passage that is one sentence, whose
/// own row that is.
std::pair<std::uint32_t, std::uint32_t> sentence_rows(const FlatRows& rows, std::uint32_t passage);

}  // namespace asof
