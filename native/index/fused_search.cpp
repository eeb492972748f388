// See fused_search.hpp.
#include "index/fused_search.hpp"

#include <algorithm>
#include <deque>

#include "index/lexical/reader.hpp"
#include "index/lexical/search.hpp"

namespace asof {
namespace {

constexpr std::size_t most_likely = 1024;  // of more the words' best cost too much to find

}  // namespace

flat::Result fused_search(flat::Request request, std::span<const Segment* const> segments, std::span<const std::vector<std::string>> terms,
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
  // The best by words alone bound the scan from its start: most of them are among the best of all.
  if (request.k <= most_likely) lexical.k = 8 * request.k < most_likely ? 8 * request.k : 2 * request.k;
  lexical.pool = request.pool;
  const lexical::Result led = lexical::search(lexical, cancel);

  std::vector<std::vector<std::vector<float>>> scores(terms.size());
  for (std::size_t q = 0; q < terms.size(); ++q) {
    flat::Query& query = request.queries[q];
    const double highest = led.best[best_of[q]];
    if (!(highest > 0)) continue;
    for (std::uint32_t i = led.offsets[best_of[q]]; i < led.offsets[best_of[q] + 1]; ++i) query.likely.push_back({led.segment[i], led.row[i]});
    auto& own = scores[words_of[q]];
    if (own.empty()) own = lexical::score_segments(pointers, request.scope, parameters, terms[q], cancel);
    query.lexical.assign(own.begin(), own.end());
    query.lexical_weight /= highest;
  }
  return flat::search(request, cancel);
}

}  // namespace asof
