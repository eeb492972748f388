// Binary search of passages' rows.
#include "index/rows/row_subset.hpp"

#include <algorithm>
#include <ranges>

#include "index/rows/block.hpp"

namespace asof {
namespace {

/// The rows of the passage in [begin, end), which ascend by passage.
template <typename RowPassage>
std::pair<std::uint32_t, std::uint32_t> rows_in(const RowPassage& row_passage, std::size_t begin,
                                                std::size_t end, std::uint32_t passage) {
  // Galloping search: the next of many passages is near.
  std::size_t step = 1;
  while (begin + step < end && row_passage[begin + step] < passage) begin += step, step *= 2;
  const auto rows = std::views::iota(begin, std::max(begin, std::min(end, begin + step + 1)));
  const std::size_t first =
      begin + static_cast<std::size_t>(
                  std::ranges::lower_bound(rows, passage, {},
                                           [&](std::size_t row) { return row_passage[row]; }) -
                  rows.begin());
  std::size_t last = first;
  while (last < end && row_passage[last] == passage) ++last;
  return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

}  // namespace

RowSubset subset_of(const FlatRows& rows, std::span<const std::uint32_t> passages) {
  RowSubset subset;
  subset.visible.resize((rows.passages + 7) / 8);
  subset.blocks.resize((rows.rows + 64 * block_rows - 1) / (64 * block_rows));
  std::vector<std::uint32_t> ascending(passages.begin(), passages.end());
  std::sort(ascending.begin(), ascending.end());
  for (const std::uint32_t passage : ascending)
    subset.visible[passage / 8] |= static_cast<std::uint8_t>(1u << (passage % 8));
  const std::size_t ends[] = {std::min(rows.multi_sentence, rows.rows),
                              std::min(rows.passages, rows.rows), rows.rows};
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    for (const std::uint32_t passage : ascending) {
      if (begin >= end) break;
      const auto [first, last] = rows_in(rows.row_passage, begin, end, passage);
      for (std::size_t block = first / block_rows; first < last && block <= (last - 1) / block_rows;
           ++block) {
        subset.blocks[block / 64] |= std::uint64_t{1} << (block % 64);
      }
      begin = last;  // passages ascend
    }
    begin = end;
  }
  return subset;
}

std::pair<std::uint32_t, std::uint32_t> sentence_rows(const FlatRows& rows,
                                                      const CheckedSpan<std::uint32_t>& row_passage,
                                                      std::uint32_t passage) {
  return rows_in(row_passage, std::min(rows.passages, rows.rows), rows.rows, passage);
}

}  // namespace asof
