// What recency does to a scan by panels: the few rows that lead by it are scored before, so that
// the others can be left by the threshold that those set, whole stretches of them without reading a
// panel. See coarse.hpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "index/vector/quantized_scan/coarse.hpp"
#include "index/vector/times/block_times.hpp"

namespace asof::vector {

namespace {

float longest_of(std::span<const quantized::PanelRecord> records) {
  float longest = 0;
  for (const quantized::PanelRecord& record : records)
    longest = std::max(longest, record.most_length + record.most_error);
  return longest;
}

}  // namespace

/// Scores the rows that lead, which bounds the scan from its start and leaves it less to look for.
void Coarse::start_from_leading() {
  constexpr std::size_t most = 64;
  all_done_ = false;
  if (std::none_of(slots_.begin(), slots_.end(),
                   [](const Slot& slot) { return slot.leading != nullptr; }))
    return;
  longest_ = 0;
  for (const SearchSegment& segment : request_.segments) {
    if (!segment.rows.panels)
      longest_ = infinity;
    else
      longest_ = std::max(longest_, static_cast<double>(longest_of(segment.rows.panels->records)));
  }
  for (std::size_t first = 0, end; first < slots_.size(); first = end) {
    for (end = first + 1;
         end < slots_.size() && end - first < most && slots_[end].leading == slots_[first].leading;)
      end += 1;
    if (slots_[first].leading != nullptr) start_from_leading(first, end - first);
  }
  all_done_ = std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.done; });
}

/// For slots with the same: as many rows as results want, and then, if they are known, all others
/// that can still win.
void Coarse::start_from_leading(std::size_t first, std::size_t count) {
  const std::span<const Leading::Row> rows = slots_[first].leading->rows;
  const auto above = [&](double recency) {
    return static_cast<std::size_t>(
        std::partition_point(rows.begin(), rows.end(),
                             [&](const auto& row) { return row.recency > recency; }) -
        rows.begin());
  };
  const std::size_t some = std::min(rows.size(), 2 * request_.k + 64);
  double others = some < rows.size() ? rows[some].recency : slots_[first].leading->others;
  std::size_t scored = above(others);
  if (scored < std::min(request_.k, rows.size())) {  // more rows lead than results want, all of one
                                                     // recency: a few times as many are worth it
    const auto below = std::partition_point(rows.begin(), rows.end(),
                                            [&](const auto& row) { return row.recency >= others; });
    const auto equals = static_cast<std::size_t>(below - rows.begin());
    if (equals <= 8 * some) {
      scored = equals;
      others = equals < rows.size() ? below->recency : slots_[first].leading->others;
    }
  }
  score_leading(first, count, rows.first(scored));
  std::size_t more = scored;
  for (std::size_t s = first; s < first + count; ++s) {
    const double least = least_recency(slots_[s]);
    slots_[s].done = least > slots_[s].leading->others;
    if (slots_[s].done) more = std::max(more, above(least));
  }
  if (more > scored) {
    others = more < rows.size() ? rows[more].recency : slots_[first].leading->others;
    score_leading(first, count, rows.subspan(scored, above(others) - scored));
  }
  for (std::size_t s = first; s < first + count; ++s) slots_[s].others = others;
}

/// A row of at most this recency (and one without) cannot win, however similar it is.
double Coarse::least_recency(const Slot& slot) const {
  const Form& form = query(slot.q).form;
  const standardize::Map& map = normalization_->maps()[slot.q];
  const double threshold = best_[slot.q].load(std::memory_order_relaxed);
  const double ceiling =
      query(slot.q).semantic_weight * slot.length * longest_ * (1 + rounding_slack) +
      rounding_slack;
  const double more =
      threshold - rounding_slack * std::abs(threshold) - ceiling;  // what time has to add
  if (!(more - rounding_slack * std::abs(more) > form.weight * map.mean_to) || !(map.factor > 0))
    return -infinity;
  const double recency =
      map.mean_from +
      ((more - rounding_slack * std::abs(more)) / form.weight - map.mean_to) / map.factor;
  return std::isfinite(recency) ? recency - rounding_slack * std::abs(recency) : -infinity;
}

void Coarse::score_leading(std::size_t first, std::size_t count,
                           std::span<const Leading::Row> rows) {
  const std::size_t d = request_.dimensions;
  std::vector<float> queries, vectors, products(count * rows.size());
  for (std::size_t s = first; s < first + count; ++s)
    queries.insert(queries.end(), vector(slots_[s].q), vector(slots_[s].q) + d);
  for (const Leading::Row& row : rows) {
    const float* own =
        request_.segments[row.place.segment].rows.vectors.data() + std::size_t{row.place.row} * d;
    vectors.insert(vectors.end(), own, own + d);
  }
  kernels_.block(queries.data(), count, d, vectors.data(), rows.size(), d, d, products.data(),
                 rows.size());
  std::vector<Entry> found;
  for (std::size_t s = first; s < first + count; ++s) {
    const std::size_t q = slots_[s].q;
    for (std::size_t segment = 0; segment < request_.segments.size(); ++segment) {
      const Scored against = scored(q, segment);
      found.clear();
      for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i].place.segment != segment) continue;
        const std::uint32_t row = rows[i].place.row;
        const float similarity = products[(s - first) * rows.size() + i];
        const double value = against.summed(against.relevance(similarity, row), rows[i].recency);
        if (!(value >= best_[q].load(std::memory_order_relaxed)))
          continue;  // not a number included
        found.push_back({value, similarity, row, against.rows.row_passage[row]});
        if (value > -infinity)
          slots_[s].likely.push_back({name_of(request_, rows[i].place.segment, row), value});
      }
      results_->push(segment, q, found);
    }
    raise(best_[q], reached(slots_[s].likely, keep_[q]));
    rescored_[q] += static_cast<double>(rows.size());
  }
}

/// Takes the rows away from slots for which time leaves no similarity that would do.
void Coarse::leave_unreachable(Lane& lane, std::size_t segment, std::size_t begin,
                               std::size_t count) const {
  auto timed = [&](const Slot& slot) { return query(slot.q).form.combine != Combine::none; };
  if (words_ || std::none_of(slots_.begin(), slots_.end(), timed))
    return;  // words may make up for similarity
  const quantized::Rows given = panels_of(lane, segment, begin, count);
  const std::span records(given.records, quantized::panels(given.n));
  auto beyond = [&](std::size_t s, float longest) {
    return static_cast<double>(lane.thresholds[s]) >
           slots_[s].length * static_cast<double>(longest) * (1 + rounding_slack) + rounding_slack;
  };
  bool some = false;  // that the first rows leave in doubt
  for (std::size_t s = 0; s < slots_.size(); ++s)
    some = some || slots_[s].done || beyond(s, longest_of(records.first(1)));
  if (!some) return;
  const float longest = longest_of(records);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (slots_[s].done || beyond(s, longest))
      lane.thresholds[s] = std::numeric_limits<float>::infinity();
  }
}

/// No row of the tile adds more by its recency.
double Coarse::most_recency(const Lane& lane, const Slot& slot) const {
  const auto& [least, most, none] = lane.recency_spans[slot.recency];
  const standardize::Map& map = normalization_->maps()[slot.q];
  const double weight = query(slot.q).form.weight;
  double more = none ? weight * map.mean_to : -infinity;
  if (least <= most)
    more = std::max({more, weight * standardized(map, slot.capped(least)),
                     weight * standardized(map, slot.capped(most))});
  return std::isnan(more) ? infinity : more;
}

/// The same of rows whose recencies were not read, by the times of their blocks.
double Coarse::most_recency(const FlatRows& rows, std::size_t begin, std::size_t count,
                            const Slot& slot) const {
  const Form& form = query(slot.q).form;
  const standardize::Map& map = normalization_->maps()[slot.q];
  const ClockColumn& column = column_of(rows, form.clock);
  double more = form.weight * map.mean_to;
  for (std::size_t row = begin / schema::block_rows * schema::block_rows; row < begin + count;
       row += schema::block_rows) {
    const Window span = span_of_block(column, row);
    if (span.start > span.end) continue;
    for (const double latest : {span.start, span.end}) {
      const double recency = 1 / std::max(form.floor_days, (form.at - latest) / spline::day_ms);
      more = std::max(more, form.weight * standardized(map, slot.capped(recency)));
    }
  }
  return std::isnan(more) ? infinity : more;
}

void Coarse::read_recencies(Lane& lane, const Tile& tile) const {
  for (std::size_t r = 0; r < recencies_.size(); ++r) {
    auto& recencies = lane.recencies[r];
    recencies_of(recencies_[r], request_.segments[tile.segment].rows, tile.begin, tile.count,
                 recencies.data());
    Lane::RecencySpan span;
    for (std::size_t i = 0; i < tile.count; ++i) {
      span.none = span.none || recencies[i] != recencies[i];
      span.least = recencies[i] < span.least ? recencies[i] : span.least;
      span.most = recencies[i] > span.most ? recencies[i] : span.most;
    }
    lane.recency_spans[r] = span;
  }
}

}  // namespace asof::vector
