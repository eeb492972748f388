// BM25 scores of a batch, shared by queries of the same terms, for the vector scan.
#include "index/vector/fused_search.hpp"

#include <algorithm>
#include <deque>

#include "index/lexical/reader.hpp"
#include "index/lexical/row_scores.hpp"

namespace asof {
namespace {

constexpr std::size_t max_seeds = 1024;     // the selection of more costs too much
constexpr std::size_t timed_seed_step = 4;  // as many times of a query with a temporal factor
constexpr std::size_t max_score_bytes = std::size_t(32) << 20;  // of lexical scores at a time

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Appends the results of the next queries.
void append(vector::Result& all, const vector::Result& more) {
  const std::uint32_t before = all.offsets.empty() ? 0 : all.offsets.back();
  if (all.offsets.empty()) all.offsets.push_back(0);
  for (std::size_t q = 1; q < more.offsets.size(); ++q)
    all.offsets.push_back(before + more.offsets[q]);
  for (auto list : {&vector::Result::segment, &vector::Result::row, &vector::Result::passage})
    append(all.*list, more.*list);
  using vector::Result;
  for (auto list : {&Result::score, &Result::temporal, &Result::rows_scanned, &Result::rows_masked,
                    &Result::relevance_mean, &Result::relevance_deviation, &Result::recency_mean,
                    &Result::recency_deviation, &Result::rescored}) {
    append(all.*list, more.*list);
  }
  for (auto list : {&vector::Result::similarity, &vector::Result::lexical})
    append(all.*list, more.*list);
  for (auto list : {&vector::Result::storage, &vector::Result::exact, &vector::Result::device})
    append(all.*list, more.*list);
  append(all.mention, more.mention);
}

vector::Result search_batch(vector::Request request, std::span<const Segment* const> segments,
                            const LexicalPart& lexical, const Cancel& cancel) {
  const auto& terms = lexical.terms;
  std::deque<lexical::Reader> readers;
  std::vector<lexical::SearchSegment> lexical_segments;
  lexical_segments.reserve(segments.size());
  for (std::size_t s = 0; s < segments.size(); ++s)
    lexical_segments.push_back({&readers.emplace_back(*segments[s]), request.segments[s]});
  // The best rows by BM25 alone seed the threshold of the scan: most of them are near its top.
  auto seed_count = [&](std::size_t q) -> std::size_t {
    const std::size_t k = request.k_of(q);
    if (k > max_seeds) return 0;
    const bool timed = request.queries[q].form.combine == temporal::Combine::product;
    return (timed ? timed_seed_step : 1) * std::max(2 * k, std::min<std::size_t>(8 * k, max_seeds));
  };
  // Queries of a batch often differ in their forms alone: terms that they share are scored once,
  // and seeds are selected once a mask.
  std::deque<lexical::RowScores> scores;
  std::deque<std::vector<RowId>> seed_lists;
  std::vector<bool> scored(terms.size());
  for (std::size_t first = 0; first < terms.size(); ++first) {
    if (scored[first] || terms[first].empty()) continue;
    std::vector<temporal::Mask> masks;
    std::size_t max_best = 0;
    std::vector<std::pair<std::size_t, std::size_t>> queries;  // of these terms, with mask numbers
    for (std::size_t q = first; q < terms.size(); ++q) {
      if (terms[q] != terms[first]) continue;
      const auto same = std::find(masks.begin(), masks.end(), request.queries[q].mask);
      queries.emplace_back(q, static_cast<std::size_t>(same - masks.begin()));
      if (same == masks.end()) masks.push_back(request.queries[q].mask);
      max_best = std::max(max_best, seed_count(q));
      scored[q] = true;
    }
    const lexical::RowScores& own = scores.emplace_back(
        lexical_segments, request.scope, lexical.parameters,
        lexical::RowScores::Query{terms[first], masks, max_best, lexical.collection}, cancel);
    std::vector<std::span<const RowId>> seeds(masks.size());
    for (const auto& [q, mask] : queries) {
      vector::Query& query = request.queries[q];
      if (!(own.max_score(mask) > 0)) continue;
      if (seeds[mask].size() < seed_count(q))
        seeds[mask] = seed_lists.emplace_back(own.best(mask, seed_count(q), cancel));
      query.seeds = seeds[mask];
      for (std::size_t s = 0; s < segments.size(); ++s) {
        query.lexical.push_back(own.scores(s));
        query.lexical_block_max.push_back(own.block_max(s));
      }
      query.lexical_weight /= query.max_lexical > 0 ? query.max_lexical : own.max_score(mask);
    }
  }
  return vector::search(request, cancel);
}

}  // namespace

vector::Result fused_search(vector::Request request, std::span<const Segment* const> segments,
                            const LexicalPart& lexical, const Cancel& cancel) {
  const auto& terms = lexical.terms;
  std::size_t rows = 0;
  for (const VisibleRows& segment : request.segments) rows += segment.rows.rows;
  const std::size_t max_lists =
      std::max<std::size_t>(1, max_score_bytes / std::max<std::size_t>(1, sizeof(float) * rows));
  vector::Result all;
  for (std::size_t first = 0, end; first < terms.size() || all.offsets.empty(); first = end) {
    // Queries up to max_lists distinct lists of terms.
    std::size_t lists = 0;
    for (end = first; end < terms.size(); ++end) {
      const auto before = terms.subspan(first, end - first);
      const bool repeated = std::find(before.begin(), before.end(), terms[end]) != before.end();
      if (!repeated && ++lists > max_lists) break;
    }
    if (first == 0 && end == terms.size())
      return search_batch(std::move(request), segments, lexical, cancel);
    vector::Request part = request;
    part.queries.assign(request.queries.begin() + static_cast<std::ptrdiff_t>(first),
                        request.queries.begin() + static_cast<std::ptrdiff_t>(end));
    if (!request.vectors.empty())
      part.vectors =
          request.vectors.subspan(first * request.dimensions, (end - first) * request.dimensions);
    append(all,
           search_batch(std::move(part), segments,
                        {terms.subspan(first, end - first), lexical.parameters, lexical.collection},
                        cancel));
  }
  return all;
}

}  // namespace asof
