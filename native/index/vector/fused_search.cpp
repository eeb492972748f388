// BM25 scores of a batch, shared by queries of the same terms, for the vector scan.
#include "index/vector/fused_search.hpp"

#include <algorithm>
#include <deque>

#include "index/lexical/reader.hpp"
#include "index/lexical/row_scores.hpp"

namespace asof {
namespace {

constexpr std::size_t most_likely = 1024;  // of more the words' best cost too much to find
constexpr std::size_t most_timed = 16;     // times as many may be looked at where time counts
constexpr std::size_t scored_bytes_most = std::size_t(32) << 20;  // words' scores in memory at once

template <typename T>
void append(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// The results of further queries.
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

vector::Result search_at_once(vector::Request request, std::span<const Segment* const> segments,
                              std::span<const std::vector<std::string>> terms,
                              const lexical::Bm25& parameters, const Cancel& cancel) {
  std::deque<lexical::Reader> readers;
  std::vector<lexical::SearchSegment> worded;
  for (std::size_t s = 0; s < segments.size(); ++s)
    worded.push_back({&readers.emplace_back(*segments[s]), request.segments[s]});
  // The best by words alone bound the scan from its start: most of them are among the best of all.
  const std::size_t likely =
      request.k > most_likely
          ? 0
          : std::max(2 * request.k, std::min<std::size_t>(8 * request.k, most_likely));
  // Of more the scan takes those at their time.
  auto wanted = [&](const vector::Query& query) {
    return query.form.combine == vector::Combine::product ? most_timed * likely : likely;
  };
  // Queries of a batch often differ in their forms alone: words that they share are scored once,
  // and their best found once a mask.
  std::deque<lexical::RowScores> scores;
  std::deque<std::vector<vector::Place>> likeliest;  // what queries' lists are of
  std::vector<bool> scored(terms.size());
  for (std::size_t first = 0; first < terms.size(); ++first) {
    if (scored[first] || terms[first].empty()) continue;
    std::vector<vector::Mask> masks;
    std::size_t leading_most = 0;
    std::vector<std::pair<std::size_t, std::size_t>> alike;  // queries, and their masks' numbers
    for (std::size_t q = first; q < terms.size(); ++q) {
      if (terms[q] != terms[first]) continue;
      const auto known = std::find(masks.begin(), masks.end(), request.queries[q].mask);
      alike.emplace_back(q, static_cast<std::size_t>(known - masks.begin()));
      if (known == masks.end()) masks.push_back(request.queries[q].mask);
      leading_most = std::max(leading_most, wanted(request.queries[q]));
      scored[q] = true;
    }
    const lexical::RowScores& own = scores.emplace_back(worded, request.scope, parameters,
                                                        terms[first], masks, leading_most, cancel);
    std::vector<std::span<const vector::Place>> leading(masks.size());
    for (const auto& [q, mask] : alike) {
      vector::Query& query = request.queries[q];
      if (!(own.highest(mask) > 0)) continue;
      if (leading[mask].size() < wanted(query))
        leading[mask] = likeliest.emplace_back(own.best(mask, wanted(query), cancel));
      query.seeds = leading[mask];
      for (std::size_t s = 0; s < segments.size(); ++s) {
        query.lexical.push_back(own.of(s));
        query.lexical_block_max.push_back(own.most(s));
      }
      query.lexical_weight /= own.highest(mask);
    }
  }
  return vector::search(request, cancel);
}

}  // namespace

vector::Result fused_search(vector::Request request, std::span<const Segment* const> segments,
                            std::span<const std::vector<std::string>> terms,
                            const lexical::Bm25& parameters, const Cancel& cancel) {
  std::size_t rows = 0;
  for (const vector::SearchSegment& segment : request.segments) rows += segment.rows.rows;
  const std::size_t lists_most =
      std::max<std::size_t>(1, scored_bytes_most / std::max<std::size_t>(1, sizeof(float) * rows));
  vector::Result all;
  for (std::size_t first = 0, end; first < terms.size() || all.offsets.empty(); first = end) {
    // As many neighbours as bring so many lists of words.
    std::size_t lists = 0;
    for (end = first; end < terms.size(); ++end) {
      const auto before = terms.subspan(first, end - first);
      const bool known = std::find(before.begin(), before.end(), terms[end]) != before.end();
      if (!known && ++lists > lists_most) break;
    }
    if (first == 0 && end == terms.size())
      return search_at_once(std::move(request), segments, terms, parameters, cancel);
    vector::Request part = request;
    part.queries.assign(request.queries.begin() + static_cast<std::ptrdiff_t>(first),
                        request.queries.begin() + static_cast<std::ptrdiff_t>(end));
    if (!request.vectors.empty())
      part.vectors =
          request.vectors.subspan(first * request.dimensions, (end - first) * request.dimensions);
    append(all, search_at_once(std::move(part), segments, terms.subspan(first, end - first),
                               parameters, cancel));
  }
  return all;
}

}  // namespace asof
