// Binary search of passages' rows.
#include "index/rows/row_subset.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "index/rows/block.hpp"

namespace asof {
namespace {

/// Rows [begin, end).
struct RowRange {
  std::size_t begin, end;
};

/// What rows of a group ascend by. (A number that no passage has stays itself.)
std::uint32_t rank_of(const RowOrder& order, std::uint32_t passage) {
  return passage < order.passage_row.size() ? order.passage_row[passage] : passage;
}

/// The rows of the passage in [begin, end), a part of a group.
RowRange rows_in(const RowOrder& order, RowRange part, std::uint32_t passage) {
  const std::uint32_t rank = rank_of(order, passage);
  const auto rank_at = [&](std::size_t row) { return rank_of(order, order.row_passage[row]); };
  auto [begin, end] = part;
  // Galloping search: the next of many passages is near.
  std::size_t step = 1;
  while (begin + step < end && rank_at(begin + step) < rank) begin += step, step *= 2;
  const auto rows = std::views::iota(begin, std::max(begin, std::min(end, begin + step + 1)));
  const std::size_t first =
      begin +
      static_cast<std::size_t>(std::ranges::lower_bound(rows, rank, {}, rank_at) - rows.begin());
  std::size_t last = first;
  while (last < end && order.row_passage[last] == passage) ++last;
  return {first, last};
}

std::array<std::size_t, 3> ends_of_groups(const FlatRows& rows) {
  return {std::min(rows.multi_sentence, rows.rows), std::min(rows.passages, rows.rows), rows.rows};
}

}  // namespace

RowSubset subset_of(const FlatRows& rows, std::span<const std::uint32_t> passages) {
  RowSubset subset;
  subset.visible.resize((rows.passages + 7) / 8);
  subset.blocks.resize((rows.rows + 64 * block_rows - 1) / (64 * block_rows));
  for (const std::uint32_t passage : passages)
    subset.visible[passage / 8] |= static_cast<std::uint8_t>(1u << (passage % 8));
  const RowOrder order{rows.row_passage, rows.passage_row};
  std::vector<std::uint32_t> ascending(passages.begin(), passages.end());
  std::ranges::sort(ascending, {}, [&](std::uint32_t passage) { return rank_of(order, passage); });
  std::size_t begin = 0;
  for (const std::size_t end : ends_of_groups(rows)) {
    for (const std::uint32_t passage : ascending) {
      if (begin >= end) break;
      const auto [first, last] = rows_in(order, {begin, end}, passage);
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

PassageRows rows_of(const FlatRows& rows, const RowOrder& order, std::uint32_t passage) {
  const auto [several, wholes, all] = ends_of_groups(rows);
  const auto [first, last] = rows_in(order, {wholes, all}, passage);
  // Passages with sentences are in the first group.
  const RowRange group = first < last ? RowRange{0, several} : RowRange{several, wholes};
  const RowRange place =
      passage < order.passage_row.size() ? RowRange{order.passage_row[passage], group.end} : group;
  const auto [whole, end] = rows_in(order, place, passage);
  return {whole < end ? static_cast<std::uint32_t>(whole) : no_row,
          static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

}  // namespace asof
