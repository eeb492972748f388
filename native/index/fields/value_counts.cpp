// Values of several segments, merged in their order, of which the most frequent are kept.
#include "index/fields/value_counts.hpp"

#include <algorithm>
#include <string_view>
#include <variant>

#include "core/error.hpp"
#include "index/segment/field_columns.hpp"

namespace asof::fields {
namespace {

Keywords keywords_of(const Segment& segment, std::size_t field) {
  const std::vector<Column> columns = view_columns(segment);
  const auto* keywords = field < columns.size() ? std::get_if<Keywords>(&columns[field]) : nullptr;
  if (keywords == nullptr)
    throw Error("ERR_INVALID_ARGUMENT", "Expected field " + std::to_string(field) +
                                            " to be one of keywords, received another.");
  return *keywords;
}

std::uint64_t count_of(std::span<const std::uint32_t> passages,
                       std::span<const std::uint8_t> counted) {
  if (counted.empty()) return passages.size();
  std::uint64_t count = 0;
  for (const std::uint32_t passage : passages) {
    if (passage / 8 >= counted.size())
      throw Error("ERR_CORPUS_CORRUPT",
                  "Expected a field to name passages of its segment, found another. Restore the "
                  "corpus from a backup, or run asof repair.");
    count += (counted[passage / 8] >> (passage % 8)) & 1U;
  }
  return count;
}

bool is_before(const ValueCount& a, const ValueCount& b) {
  return a.passages != b.passages ? a.passages > b.passages : a.value < b.value;
}

}  // namespace

std::vector<ValueCount> most_frequent_values(std::span<const CountedSegment> segments,
                                             std::size_t field, std::size_t most,
                                             const Cancel& cancel) {
  std::vector<Keywords> columns;
  for (const CountedSegment& each : segments) columns.push_back(keywords_of(*each.segment, field));
  std::vector<std::size_t> next(columns.size(), 0);
  std::vector<ValueCount> best;  // a heap whose first is the last of them
  for (std::size_t step = 0;; ++step) {
    if (step % 1024 == 0) cancel.throw_if_requested();
    std::string_view least;
    bool any = false;
    for (std::size_t s = 0; s < columns.size(); ++s) {
      if (next[s] >= columns[s].size()) continue;
      const std::string_view value = columns[s].value(next[s]);
      if (!any || value < least) least = value;
      any = true;
    }
    if (!any) break;
    std::uint64_t count = 0;
    for (std::size_t s = 0; s < columns.size(); ++s) {
      if (next[s] >= columns[s].size() || columns[s].value(next[s]) != least) continue;
      count += count_of(columns[s].passages_of(next[s]), segments[s].passages);
      next[s] += 1;
    }
    // Values ascend: of equally frequent ones the first stay.
    const bool is_full = best.size() == most;
    if (count == 0 || (is_full && best.front().passages >= count)) continue;
    if (is_full) {
      std::pop_heap(best.begin(), best.end(), is_before);
      best.pop_back();
    }
    best.push_back({std::string(least), count});
    std::push_heap(best.begin(), best.end(), is_before);
  }
  std::sort_heap(best.begin(), best.end(), is_before);
  return best;
}

}  // namespace asof::fields
