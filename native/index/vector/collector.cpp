// Cut and order of collected rows.
#include "index/vector/collector.hpp"

#include "index/vector/kth_largest.hpp"
#include "index/vector/score_order.hpp"

namespace asof::vector {

Entry keep_best(std::vector<Entry>& entries, std::size_t k) {
  // Selection by scores rounded to floats, with -0 as 0; entries with the same float are compared
  // in full.
  const std::size_t n = entries.size();
  std::vector<std::int32_t> keys(n);
  for (std::size_t i = 0; i < n; ++i)
    keys[i] = order_key(static_cast<float>(entries[i].score) + 0.0f);
  const std::int32_t kth = kth_largest(keys, k);
  std::vector<Entry> ties;
  std::size_t better = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Entry each = entries[i];
    if (keys[i] == kth) ties.push_back(each);
    entries[better] = each;
    better += keys[i] > kth;
  }
  const auto last = ties.begin() + static_cast<std::ptrdiff_t>(k - better - 1);
  std::nth_element(ties.begin(), last, ties.end(), before);
  entries.resize(better);
  entries.insert(entries.end(), ties.begin(), last + 1);
  return *last;
}

void sort_entries(std::vector<Entry>& entries) {
  sort_by_score(std::span(entries), [](const Entry& a, const Entry& b) {
    return before(a, b);
  });  // a lambda, which is inlined
}

}  // namespace asof::vector
