// See candidates.hpp.
#include "index/vector/quantized_scan/candidates.hpp"

#include <algorithm>
#include <tuple>

#include "index/vector/kth_largest.hpp"

namespace asof::vector {

double reached(std::vector<Leader>& leaders, std::size_t k) {
  std::sort(leaders.begin(), leaders.end(), [](const Leader& a, const Leader& b) {
    return a.name != b.name ? a.name < b.name : a.score > b.score;
  });
  leaders.erase(std::unique(leaders.begin(), leaders.end(),
                            [](const Leader& a, const Leader& b) { return a.name == b.name; }),
                leaders.end());
  if (leaders.size() < k || k == 0) return -infinity;
  const auto last = leaders.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(leaders.begin(), last, leaders.end(),
                   [](const Leader& a, const Leader& b) { return a.score > b.score; });
  const double score = last->score;
  leaders.resize(k);
  return score;
}

void drop_below(std::vector<Pending>& rows, double threshold) {
  std::size_t left = 0;
  for (const Pending each : rows) {  // without a branch: some half of them go
    rows[left] = each;
    left += !(static_cast<double>(each.most) < threshold);
  }
  rows.resize(left);
}

double keep_best(const Request& request, std::vector<Pending>& rows, std::size_t keep) {
  auto passage = [&](const Pending& each) {
    return request.segments[each.segment].rows.row_passage[each.row];
  };
  if (request.pool) {
    auto place = [&](const Pending& each) {
      return std::tuple(each.segment, passage(each), -each.most, each.row);
    };
    std::sort(rows.begin(), rows.end(),
              [&](const Pending& a, const Pending& b) { return place(a) < place(b); });
    auto same = [&](const Pending& a, const Pending& b) {
      return a.segment == b.segment && passage(a) == passage(b);
    };
    rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  }
  if (rows.size() < keep || keep == 0) return -infinity;
  std::vector<std::int32_t> keys(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) keys[i] = order_key(rows[i].most);
  const float least = value_of_key(kth_largest(keys, keep));
  std::erase_if(rows, [&](const Pending& each) { return each.most < least; });
  if (rows.size() == keep) return static_cast<double>(least);
  // Of those that are alike no segment needs more than `keep`, the first ones.
  const auto better = std::partition(rows.begin(), rows.end(),
                                     [&](const Pending& each) { return each.most > least; });
  std::vector<std::size_t> counts(request.segments.size());
  for (auto row = rows.begin(); row != better; ++row) counts[row->segment] += 1;
  auto place = [&](const Pending& each) {
    return std::tuple(each.segment, passage(each), each.row);
  };
  std::sort(better, rows.end(),
            [&](const Pending& a, const Pending& b) { return place(a) < place(b); });
  rows.erase(std::remove_if(better, rows.end(),
                            [&](const Pending& each) { return counts[each.segment]++ >= keep; }),
             rows.end());
  return static_cast<double>(least);
}

}  // namespace asof::vector
