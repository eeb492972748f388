// The order of what was collected. See collector.hpp.
#include "index/flat/collector.hpp"

namespace asof::flat {

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
