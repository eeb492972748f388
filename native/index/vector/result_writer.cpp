// Writing of hits and statistics to a result's lists.
#include "index/vector/result_writer.hpp"

#include <limits>

#include "index/vector/selection.hpp"

namespace asof::vector {
namespace {

/// The temporal part of a row: the form's time, or the mention that satisfies the mask's window.
temporal::RowTime time_of(const RowScorer& scorer, const SegmentMask& mask, std::size_t row) {
  const temporal::Form& form = scorer.query.form;
  temporal::RowTime time{std::numeric_limits<double>::quiet_NaN(), -1};
  if (form.combine != temporal::Combine::none) time = scorer.time(row);
  if (form.combine == temporal::Combine::none || form.clock != temporal::Clock::content)
    time.mention = masking_mention(mask, scorer.rows, row);
  return time;
}

}  // namespace

void QueryStatistics::append_to(Result& result) const {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  result.rows_scanned.push_back(rows_scanned);
  result.rows_masked.push_back(rows_masked);
  result.relevance_mean.push_back(relevance ? relevance->mean : none);
  result.relevance_deviation.push_back(relevance ? standardize::deviation(*relevance) : none);
  result.recency_mean.push_back(recency ? recency->mean : none);
  result.recency_deviation.push_back(recency ? standardize::deviation(*recency) : none);
  result.storage.push_back(storage);
  result.device.push_back(on_device);
  result.exact.push_back(exact);
  result.rescored.push_back(rescored);
}

void write_rows(const Request& request, const HitContext& context, std::span<const Hit> results,
                std::size_t at, Result& result) {
  const Query& query = context.query;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Hit& hit = results[i];
    result.segment[at + i] = hit.segment;
    result.row[at + i] = hit.row;
    result.passage[at + i] = hit.passage;
    result.score[at + i] = hit.score;
    result.similarity[at + i] = hit.similarity;
  }
  const bool has_times = query.form.combine != temporal::Combine::none ||
                         (query.mask.has_window && query.mask.clock == temporal::Clock::content);
  if (!has_times) {
    std::fill_n(result.temporal.begin() + static_cast<std::ptrdiff_t>(at), results.size(),
                std::numeric_limits<double>::quiet_NaN());
    std::fill_n(result.mention.begin() + static_cast<std::ptrdiff_t>(at), results.size(), -1);
  }
  if (!has_times && query.lexical.empty()) return;  // the result's lists begin with zeros
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Hit& hit = results[i];
    const RowScorer scorer(query, request.segments[hit.segment], hit.segment, context.standard);
    if (scorer.lexical != nullptr) result.lexical[at + i] = scorer.lexical[hit.row];
    if (!has_times) continue;
    const temporal::RowTime time =
        time_of(scorer, context.masks[hit.segment * context.masks_step], hit.row);
    result.temporal[at + i] = time.value;
    result.mention[at + i] = time.mention;
  }
}

}  // namespace asof::vector
