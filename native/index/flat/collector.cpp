// The order of what was collected, and its best. See collector.hpp.
#include "index/flat/collector.hpp"

#include "index/flat/coarse/ranks.hpp"

namespace asof::flat {

Entry keep_best(std::vector<Entry>& entries, std::size_t k) {
  // By floats, which ascend where scores do, -0 as 0: what lies in one is told apart by the whole order.
  const std::size_t n = entries.size();
  std::vector<std::int32_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = ascending(static_cast<float>(entries[i].score) + 0.0f);
  const std::int32_t least = ranked(keys, k);
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
  constexpr std::size_t places = 128, few = 24, many = 16 * places;
  const std::size_t n = entries.size();
  auto earlier = [](const Entry& a, const Entry& b) { return before(a, b); };  // not by a pointer to it
  double least = infinity, most = -infinity;
  for (const Entry& each : entries) {
    least = std::min(least, each.score);
    most = std::max(most, each.score);
  }
  const double scale = (places - 1) / (most - least);
  if (n < few || n > many || !(scale > 0 && scale < infinity)) return std::sort(entries.begin(), entries.end(), earlier);
  auto place_of = [&](const Entry& each) { return static_cast<std::size_t>((most - each.score) * scale); };
  std::uint32_t begins[places + 2] = {};
  for (const Entry& each : entries) begins[place_of(each) + 2] += 1;
  for (std::size_t place = 2; place < places + 2; ++place) begins[place] += begins[place - 1];
  std::vector<Entry> spread(n);
  for (const Entry& each : entries) spread[begins[place_of(each) + 1]++] = each;
  for (std::size_t place = 0; place < places; ++place) {
    const auto begin = spread.begin() + begins[place], end = spread.begin() + begins[place + 1];
    if (end - begin > 1) std::sort(begin, end, earlier);
  }
  entries.swap(spread);
}

}  // namespace asof::flat
