// See fused_search.hpp.
#include "index/fused_search.hpp"

#include <algorithm>
#include <deque>

#include "index/lexical/reader.hpp"
#include "index/lexical/search.hpp"

namespace asof {
namespace {

constexpr std::size_t most_likely = 1024;  // of more the words' best cost too much to find
constexpr std::size_t scored_bytes_most = std::size_t(32) << 20;  // words' scores in memory at once

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& more) { all.insert(all.end(), more.begin(), more.end()); }

/// The results of further queries.
void append(flat::Result& all, const flat::Result& more) {
  const std::uint32_t before = all.offsets.empty() ? 0 : all.offsets.back();
  if (all.offsets.empty()) all.offsets.push_back(0);
  for (std::size_t q = 1; q < more.offsets.size(); ++q) all.offsets.push_back(before + more.offsets[q]);
  for (auto list : {&flat::Result::segment, &flat::Result::row, &flat::Result::passage}) append(all.*list, more.*list);
  using flat::Result;
  for (auto list : {&Result::score, &Result::temporal, &Result::rows_scanned, &Result::rows_masked, &Result::relevance_mean,
                    &Result::relevance_deviation, &Result::recency_mean, &Result::recency_deviation, &Result::rescored}) {
    append(all.*list, more.*list);
  }
  for (auto list : {&flat::Result::similarity, &flat::Result::lexical}) append(all.*list, more.*list);
  for (auto list : {&flat::Result::storage, &flat::Result::exact, &flat::Result::device}) append(all.*list, more.*list);
  append(all.mention, more.mention);
}

flat::Result search_at_once(flat::Request request, std::span<const Segment* const> segments, std::span<const std::vector<std::string>> terms,
                          const lexical::Bm25& parameters, const Cancel& cancel) {
  std::deque<lexical::Reader> readers;
  std::vector<const lexical::Reader*> pointers;
  lexical::Request lexical;
  lexical.scope = request.scope;
  lexical.parameters = parameters;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    pointers.push_back(&readers.emplace_back(*segments[s]));
    lexical.segments.push_back({pointers.back(), request.segments[s]});
  }
  // Queries of a batch often differ in their forms alone: words that they share are scored once, and their best found once a mask.
  std::vector<std::size_t> best_of(terms.size()), words_of(terms.size());
  std::vector<std::size_t> first_with;  // of each lexical query, the first query that asks it
  for (std::size_t q = 0; q < terms.size(); ++q) {
    words_of[q] = static_cast<std::size_t>(std::find(terms.begin(), terms.begin() + static_cast<std::ptrdiff_t>(q), terms[q]) - terms.begin());
    auto same = [&](std::size_t other) { return words_of[other] == words_of[q] && request.queries[other].mask == request.queries[q].mask; };
    best_of[q] = static_cast<std::size_t>(std::find_if(first_with.begin(), first_with.end(), same) - first_with.begin());
    if (best_of[q] < first_with.size()) continue;
    first_with.push_back(q);
    lexical.queries.push_back({terms[q], request.queries[q].mask});
  }
  // For the highest scores alone.
  lexical.pool = request.pool;
  const lexical::Result led = lexical::search(lexical, cancel);
  // The best by words alone bound the scan from its start: most of them are among the best of all.
  std::size_t likely = request.k > most_likely ? 0 : std::max(2 * request.k, std::min<std::size_t>(8 * request.k, most_likely));
  const auto& queries = request.queries;
  // Of more the scan takes those at their time.
  if (std::any_of(queries.begin(), queries.end(), [](const auto& each) { return each.form.combine == flat::Combine::product; })) likely *= 4;

  std::vector<std::vector<std::vector<float>>> scores(terms.size());
  std::vector<std::vector<flat::Place>> leading(lexical.queries.size());
  for (std::size_t q = 0; q < terms.size(); ++q) {
    flat::Query& query = request.queries[q];
    const double highest = led.best[best_of[q]];
    if (!(highest > 0)) continue;
    auto& own = scores[words_of[q]];
    if (own.empty()) own = lexical::score_segments(pointers, request.scope, parameters, terms[q], cancel);
    auto& places = leading[best_of[q]];
    if (places.empty() && likely > 0) places = lexical::best_rows(lexical.segments, own, query.mask, highest, likely, cancel);
    query.likely = places;
    query.lexical.assign(own.begin(), own.end());
    query.lexical_weight /= highest;
  }
  return flat::search(request, cancel);
}

}  // namespace

flat::Result fused_search(flat::Request request, std::span<const Segment* const> segments, std::span<const std::vector<std::string>> terms,
                          const lexical::Bm25& parameters, const Cancel& cancel) {
  std::size_t rows = 0;
  for (const flat::SearchSegment& segment : request.segments) rows += segment.rows.rows;
  const std::size_t lists_most = std::max<std::size_t>(1, scored_bytes_most / std::max<std::size_t>(1, sizeof(float) * rows));
  flat::Result all;
  for (std::size_t first = 0, end; first < terms.size() || all.offsets.empty(); first = end) {
    // As many neighbours as bring so many lists of words.
    std::size_t lists = 0;
    for (end = first; end < terms.size(); ++end) {
      const auto before = terms.subspan(first, end - first);
      const bool known = std::find(before.begin(), before.end(), terms[end]) != before.end();
      if (!known && ++lists > lists_most) break;
    }
    if (first == 0 && end == terms.size()) return search_at_once(std::move(request), segments, terms, parameters, cancel);
    flat::Request part = request;
    part.queries.assign(request.queries.begin() + static_cast<std::ptrdiff_t>(first), request.queries.begin() + static_cast<std::ptrdiff_t>(end));
    if (!request.vectors.empty()) part.vectors = request.vectors.subspan(first * request.dimensions, (end - first) * request.dimensions);
    append(all, search_at_once(std::move(part), segments, terms.subspan(first, end - first), parameters, cancel));
  }
  return all;
}

}  // namespace asof
