// Which passages a merge keeps, and the order of passages and rows.
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "index/segment/merge.hpp"
#include "index/segment/merge_source.hpp"
#include "index/segment/passage_ids.hpp"

namespace asof {
namespace {

using merging::Milliseconds;
using merging::Origin;
using merging::Source;

/// The visible passages of all sources, by ascending id.
std::vector<Origin> ordered_passages(std::span<const MergeSource> merge_sources,
                                     const std::vector<Source>& sources, const Cancel& cancel) {
  auto shown = [&](const Origin& place) {
    const auto& bits = merge_sources[place.source].visible;
    return bits.empty() || (bits[place.number / 8] >> (place.number % 8) & 1) != 0;
  };
  // Versions of a passage are in the order of their sources, which is that of time.
  auto later = [&](const Origin& a, const Origin& b) {
    const auto of_a = sources[a.source].id(a.number), of_b = sources[b.source].id(b.number);
    return std::ranges::equal(of_a, of_b) ? a.source > b.source : id_less(of_b, of_a);
  };
  std::priority_queue<Origin, std::vector<Origin>, decltype(later)> heads(later);
  auto advance = [&](Origin place) {
    while (place.number < sources[place.source].passages && !shown(place)) ++place.number;
    if (place.number < sources[place.source].passages) heads.push(place);
  };
  for (std::uint32_t s = 0; s < sources.size(); ++s) advance({s, 0});
  std::vector<Origin> order;
  while (!heads.empty()) {
    if (order.size() % 4096 == 0) cancel.throw_if_requested();
    const Origin place = heads.top();
    heads.pop();
    order.push_back(place);
    advance({place.source, place.number + 1});
  }
  return order;
}

/// When a passage is placed among others: at its publication, else from when on it is valid, else
/// at the earliest time in its text; last without any.
class PassageTimes {
 public:
  explicit PassageTimes(const Source& source)
      : whole_row_(source.whole_row),
        published_(*source.segment, schema::published, 0, source.rows),
        valid_start_(*source.segment, schema::valid_start, 1, source.rows),
        content_start_(*source.segment, schema::content_start, 2, source.mentions),
        content_offset_(merging::content_offsets(source)) {}

  double operator[](std::size_t passage) const {
    const std::uint32_t row = whole_row_[passage];
    for (const double time : {published_[row], valid_start_[row]})
      if (std::isfinite(time)) return time;
    double earliest = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = content_offset_[row]; i < content_offset_[row + 1]; ++i)
      earliest = std::min(earliest, content_start_[i]);
    return earliest;
  }

 private:
  std::span<const std::uint32_t> whole_row_;
  Milliseconds published_, valid_start_, content_start_;
  std::span<const std::uint32_t> content_offset_;
};

std::vector<Origin> in_order_of_time(const std::vector<Source>& sources,
                                     const std::vector<Origin>& passages) {
  std::vector<PassageTimes> times(sources.begin(), sources.end());
  std::vector<std::pair<double, std::uint32_t>> places;
  places.reserve(passages.size());
  for (const Origin& each : passages)
    places.emplace_back(times[each.source][each.number], static_cast<std::uint32_t>(places.size()));
  std::sort(places.begin(), places.end());
  std::vector<Origin> ordered;
  ordered.reserve(passages.size());
  for (const auto& [time, at] : places) ordered.push_back(passages[at]);
  return ordered;
}

}  // namespace

MergePlan plan_merge(std::span<const MergeSource> merge_sources, const Cancel& cancel) {
  std::vector<Source> sources;
  MergePlan plan;
  for (const MergeSource& each : merge_sources) {
    each.segment->check_all(cancel);
    sources.emplace_back(*each.segment);
    const Source& source = sources.back();
    if (!each.visible.empty() && each.visible.size() != (source.passages + 7) / 8)
      throw Error("ERR_INVALID_ARGUMENT",
                  "Expected visible to have a bit for each passage, received another length.");
    plan.new_rows.emplace_back(source.rows, dropped);
    plan.new_passages.emplace_back(source.passages, dropped);
  }
  const std::vector<Origin> order = ordered_passages(merge_sources, sources, cancel);
  plan.passages = order.size();
  auto is_multi_sentence = [&](const Origin& place) {
    return sources[place.source].whole_row[place.number] < sources[place.source].multi_sentence;
  };
  plan.multi_sentence =
      static_cast<std::uint64_t>(std::count_if(order.begin(), order.end(), is_multi_sentence));
  std::uint64_t next_multi_sentence = 0, next_single = plan.multi_sentence,
                next_sentence = plan.passages;
  for (std::uint32_t number = 0; number < order.size(); ++number)
    plan.new_passages[order[number].source][order[number].number] = number;
  for (const Origin& place : in_order_of_time(sources, order)) {
    const Source& source = sources[place.source];
    auto& new_rows = plan.new_rows[place.source];
    new_rows[source.whole_row[place.number]] = static_cast<std::uint32_t>(
        is_multi_sentence(place) ? next_multi_sentence++ : next_single++);
    const auto [begin, end] = source.sentences[place.number];
    for (std::uint32_t row = begin; row < end; ++row)
      new_rows[row] = static_cast<std::uint32_t>(next_sentence++);
  }
  plan.rows = next_sentence;
  if (plan.rows >= dropped)
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected fewer than 4,294,967,295 rows in a merged segment, received more. Use "
                "several corpora.");
  return plan;
}

}  // namespace asof
