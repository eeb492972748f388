// See tasks.hpp.
#include "index/flat/tasks.hpp"

#include <algorithm>

namespace asof::flat {

std::size_t cut(const Request& request, std::vector<ScanTask>& tasks) {
  std::size_t all = 0;
  for (std::size_t s = 0; s < request.segments.size(); ++s) {
    const FlatRows& rows = request.segments[s].rows;
    std::size_t begin = request.scope == Scope::sentences ? rows.whole : 0;
    const std::size_t end = request.scope == Scope::passages ? rows.passages : rows.rows;
    if (tasks.empty() && end > begin) tasks.reserve((end - begin) / task_rows + 2);
    while (begin < end) {
      const std::size_t next = std::min(end, begin / task_rows * task_rows + task_rows);
      tasks.push_back({s, begin, next, all});
      all += next - begin;
      begin = next;
    }
  }
  return all;
}

}  // namespace asof::flat
