// Masks as bitmaps over a block of rows. Bounds become ticks once per segment, so that comparisons
// are exact to the millisecond.
#pragma once

#include <array>
#include <variant>

#include "index/rows/block.hpp"
#include "index/rows/visible_rows.hpp"
#include "temporal/window_ticks.hpp"

namespace asof {

inline constexpr std::size_t block_words = block_rows / 64;
using BlockBits =
    std::array<std::uint64_t, block_words>;  // bit i: row begin + i of the block is visible

/// Calls visit(i) for every row in `bits`.
template <typename Visit>
void for_each(const BlockBits& bits, Visit visit) {
  for (std::size_t word = 0; word < block_words; ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
      visit(word * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
  }
}

/// A mask as one segment's columns read it.
struct SegmentMask {
  bool has_published = false, has_window = false;
  temporal::Relation relation = temporal::Relation::overlaps;
  temporal::Clock clock = temporal::Clock::content;
  std::variant<std::int32_t, std::int64_t> published_until;  // in the column's tick type, inclusive
  std::variant<temporal::WindowTicks<std::int32_t>, temporal::WindowTicks<std::int64_t>> window;
};

SegmentMask compile_mask(const temporal::Mask& mask, const FlatRows& rows);

/// Bits of the rows [begin, begin + count) whose passage the bitmap shows; all where there is no
/// bitmap.
BlockBits visible_passages(const VisibleRows& segment, std::size_t begin, std::size_t count);

/// Whether the mask's window may show a row of the block of block_rows that holds `row`, by
/// the block's first and last time.
bool may_pass(const SegmentMask& mask, const FlatRows& rows, std::size_t row);

/// Clears the bits of rows that the mask hides. The rows must lie in one block of
/// block_rows.
void apply_mask(const SegmentMask& mask, const FlatRows& rows, std::size_t begin, std::size_t count,
                BlockBits& bits);

/// The first of the row's content intervals that satisfies the mask's window, -1 where the window
/// reads another clock.
std::int32_t masking_mention(const SegmentMask& mask, const FlatRows& rows, std::size_t row);

}  // namespace asof
