// Cut of the rows in scope into tasks.
#include "index/vector/work_queue.hpp"

namespace asof::vector {

std::size_t rows_in_scope(const Request& request) {
  std::size_t all = 0;
  for (const VisibleRows& segment : request.segments) {
    const auto [begin, end] = in_scope(request.scope, segment.rows);
    all += end - begin;
  }
  return all;
}

std::vector<ScanTask> split(const Request& request) {
  std::vector<ScanTask> tasks;
  std::size_t all = 0;
  for (std::size_t s = 0; s < request.segments.size(); ++s) {
    auto [begin, end] = in_scope(request.scope, request.segments[s].rows);
    if (tasks.empty() && end > begin) tasks.reserve((end - begin) / task_rows + 2);
    while (begin < end) {
      const std::size_t next = std::min(end, begin / task_rows * task_rows + task_rows);
      tasks.push_back({s, begin, next, all});
      all += next - begin;
      begin = next;
    }
  }
  return tasks;
}

}  // namespace asof::vector
