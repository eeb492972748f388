// Where a scan starts from: of the rows that likely lead by their words, those that do so at their
// time, scored by their f32 vectors before any panel is read. They bound the scan, and are found
// again by it: nothing here decides a result. See coarse.hpp.
#include <algorithm>
#include <utility>

#include "core/threads.hpp"
#include "index/vector/quantized_scan/coarse.hpp"

namespace asof::vector {

/// Of more likely rows than need be scored, where time counts, those with the most words at their
/// time. As many are looked at as it takes until those that follow, which have fewer words, could
/// not be among the first even at the best time.
std::vector<Place> Coarse::likeliest(const Slot& slot) const {
  constexpr std::size_t piece = 512, enough = 1024;
  const std::span<const Place> likely = query(slot.q).seeds;
  const std::size_t most = std::max(2 * request_.k, enough), first = 2 * request_.k;
  if (query(slot.q).form.combine != Combine::product || likely.size() <= most)
    return {likely.begin(), likely.end()};
  auto words = [&](std::size_t i) {
    return scored(slot.q, likely[i].segment).relevance(0, likely[i].row);
  };
  std::vector<std::pair<double, std::size_t>> order;
  auto better = [](const auto& a, const auto& b) { return a.first > b.first; };
  for (std::size_t looked = 0, next; looked < likely.size(); looked = next) {
    next = std::min(likely.size(), std::max(2 * looked, 2 * most));
    order.resize(next);
    parallel_for((next - looked + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
      for (std::size_t i = looked + p * piece; i < std::min(next, looked + (p + 1) * piece); ++i) {
        order[i] = {scored(slot.q, likely[i].segment).score(words(i), likely[i].row), i};
      }
    });
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(first - 1),
                     order.end(), better);
    if (next < likely.size() && order[first - 1].first >= slot.most * words(next)) break;
  }
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most - 1),
                   order.end(), better);
  order.resize(most);
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {  // as they lie
    const Place &one = likely[a.second], &other = likely[b.second];
    return one.segment != other.segment ? one.segment < other.segment : one.row < other.row;
  });
  std::vector<Place> chosen;
  for (const auto& each : order) chosen.push_back(likely[each.second]);
  return chosen;
}

void Coarse::start_from_likely(Slot& slot) {
  const std::size_t q = slot.q, d = request_.dimensions;
  slot.likely.clear();
  if (query(q).seeds.empty() || query(q).form.combine == Combine::sum) return;
  if (request_.exactness != Exactness::certified)
    return;  // their panels may say less of them than they score
  constexpr std::size_t piece = 256, ahead = 4, line = 16;
  const std::vector<Place> likely = likeliest(slot);
  std::vector<double> scores(likely.size());
  auto vector_of = [&](std::size_t i) {
    return request_.segments[likely[i].segment].rows.vectors.data() + likely[i].row * d;
  };
  parallel_for((likely.size() + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    for (std::size_t i = p * piece; i < std::min(likely.size(), (p + 1) * piece); ++i) {
      if (i + ahead < likely.size()) {
        for (std::size_t c = 0; c < d; c += line)
          __builtin_prefetch(vector_of(i + ahead) + c, 0, 2);
      }
      float similarity = 0;
      kernels_.block(vector(q), 1, d, vector_of(i), 1, d, d, &similarity, 1);
      const Scored against = scored(q, likely[i].segment);
      scores[i] = against.score(against.relevance(similarity, likely[i].row), likely[i].row);
    }
  });
  for (std::size_t i = 0; i < likely.size(); ++i) {
    if (scores[i] > -infinity)
      slot.likely.push_back({name_of(request_, likely[i].segment, likely[i].row), scores[i]});
  }
  raise(best_[q], reached(slot.likely, keep_[q]));
}

}  // namespace asof::vector
