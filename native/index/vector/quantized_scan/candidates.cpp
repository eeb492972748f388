// Candidate lists pruned to the best candidates.
#include "index/vector/quantized_scan/candidates.hpp"

#include <algorithm>
#include <tuple>

#include "index/vector/kth_largest.hpp"

namespace asof::vector {

double kth_score(std::vector<BoundedHit>& hits, std::size_t k) {
  std::sort(hits.begin(), hits.end(), [](const BoundedHit& a, const BoundedHit& b) {
    return a.key != b.key ? a.key < b.key : a.score > b.score;
  });
  hits.erase(std::unique(hits.begin(), hits.end(),
                         [](const BoundedHit& a, const BoundedHit& b) { return a.key == b.key; }),
             hits.end());
  if (hits.size() < k || k == 0) return -infinity;
  const auto last = hits.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(hits.begin(), last, hits.end(),
                   [](const BoundedHit& a, const BoundedHit& b) { return a.score > b.score; });
  const double score = last->score;
  hits.resize(k);
  return score;
}

void prune(std::vector<Candidate>& candidates, double threshold) {
  std::size_t count = 0;
  for (const Candidate each : candidates) {  // without a branch, which would be unpredictable
    candidates[count] = each;
    count += !(static_cast<double>(each.upper) < threshold);
  }
  candidates.resize(count);
}

double keep_best(const Request& request, std::vector<Candidate>& candidates, std::size_t keep) {
  auto passage = [&](const Candidate& each) {
    return request.segments[each.segment].rows.row_passage[each.row];
  };
  if (request.pool) {
    auto place = [&](const Candidate& each) {
      return std::tuple(each.segment, passage(each), -each.upper, each.row);
    };
    std::sort(candidates.begin(), candidates.end(),
              [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
    auto same = [&](const Candidate& a, const Candidate& b) {
      return a.segment == b.segment && passage(a) == passage(b);
    };
    candidates.erase(std::unique(candidates.begin(), candidates.end(), same), candidates.end());
  }
  if (candidates.size() < keep || keep == 0) return -infinity;
  std::vector<std::int32_t> keys(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) keys[i] = order_key(candidates[i].upper);
  const float least = value_of_key(kth_largest(keys, keep));
  std::erase_if(candidates, [&](const Candidate& each) { return each.upper < least; });
  if (candidates.size() == keep) return static_cast<double>(least);
  // Of equal scores each segment needs at most its first `keep` rows.
  const auto better = std::partition(candidates.begin(), candidates.end(),
                                     [&](const Candidate& each) { return each.upper > least; });
  std::vector<std::size_t> counts(request.segments.size());
  for (auto row = candidates.begin(); row != better; ++row) counts[row->segment] += 1;
  auto place = [&](const Candidate& each) {
    return std::tuple(each.segment, passage(each), each.row);
  };
  std::sort(better, candidates.end(),
            [&](const Candidate& a, const Candidate& b) { return place(a) < place(b); });
  candidates.erase(
      std::remove_if(better, candidates.end(),
                     [&](const Candidate& each) { return counts[each.segment]++ >= keep; }),
      candidates.end());
  return static_cast<double>(least);
}

}  // namespace asof::vector
