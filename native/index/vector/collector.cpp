// Cut and order of collected rows.
#include "index/vector/collector.hpp"

#include "index/vector/kth_largest.hpp"
#include "index/vector/score_order.hpp"

namespace asof::vector {

Entry keep_best(std::vector<Entry>& entries, std::size_t k) {
  // By floats, which ascend where scores do, -0 as 0: what lies in one is told apart by the whole
  // order.
  const std::size_t n = entries.size();
  std::vector<std::int32_t> keys(n);
  for (std::size_t i = 0; i < n; ++i)
    keys[i] = order_key(static_cast<float>(entries[i].score) + 0.0f);
  const std::int32_t least = kth_largest(keys, k);
  std::vector<Entry> alike;
  std::size_t better = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Entry each = entries[i];
    if (keys[i] == least) alike.push_back(each);
    entries[better] = each;
    better += keys[i] > least;
  }
  const auto last = alike.begin() + static_cast<std::ptrdiff_t>(k - better - 1);
  std::nth_element(alike.begin(), last, alike.end(), before);
  entries.resize(better);
  entries.insert(entries.end(), alike.begin(), last + 1);
  return *last;
}

void sort_entries(std::vector<Entry>& entries) {
  sort_by_score(std::span(entries), [](const Entry& a, const Entry& b) {
    return before(a, b);
  });  // not by a pointer to it
}

}  // namespace asof::vector
