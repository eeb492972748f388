// What a scan is cut into: tasks that threads take, of tiles that a mask's bitmap covers. It knows rows and scopes, no query.
#pragma once

#include <vector>

#include "index/flat/request.hpp"

namespace asof::flat {

inline constexpr std::size_t tile_rows = schema::block_rows;  // a mask's bitmap and a block summary cover the same rows
inline constexpr std::size_t task_rows = 8 * tile_rows;

/// Rows [begin, end) of a segment that one thread scans; `offset` is the first one's place among all rows in scope. Cut the same on any
/// machine, so that moments are merged in the same order.
struct ScanTask {
  std::size_t segment, begin, end, offset;
};

/// Appends the tasks of the request's rows in scope, segment by segment, and returns the number of those rows.
std::size_t cut(const Request& request, std::vector<ScanTask>& tasks);

}  // namespace asof::flat
