// Work queue of a scan: tasks of rows for threads, cut into tiles that a mask's bitmap covers.
#pragma once

#include <vector>

#include "index/vector/request.hpp"

namespace asof::vector {

inline constexpr std::size_t tile_rows =
    block_rows;  // a mask's bitmap and a block summary cover the same rows
inline constexpr std::size_t task_rows = 8 * tile_rows;

/// Rows [begin, end) of a segment that one thread scans; `offset` is the index of the first row
/// in all rows in scope. The cut is the same on every machine, so that moments are merged in the
/// same order.
struct ScanTask {
  std::size_t segment, begin, end, offset;
};

/// A segment's rows in scope: [begin, end).
struct RowRange {
  std::size_t begin, end;
};
inline RowRange in_scope(Scope scope, const FlatRows& rows) {
  const std::size_t begin = scope == Scope::sentences ? rows.multi_sentence : 0,
                    end = scope == Scope::passages ? rows.passages : rows.rows;
  return {begin, std::max(begin, end)};
}

/// The number of the request's rows in scope.
std::size_t rows_in_scope(const Request& request);

/// The tasks of those rows, segment by segment.
std::vector<ScanTask> split(const Request& request);

}  // namespace asof::vector
