// See fused_search.hpp.
#include "index/fused_search.hpp"

#include <deque>

#include "index/lexical/reader.hpp"
#include "index/lexical/search.hpp"

namespace asof {

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
  for (std::size_t q = 0; q < terms.size(); ++q) lexical.queries.push_back({terms[q], request.queries[q].mask});
  const std::vector<double> best = lexical::search(lexical, cancel).best;

  std::vector<std::vector<std::vector<float>>> scores(terms.size());
  for (std::size_t q = 0; q < terms.size(); ++q) {
    flat::Query& query = request.queries[q];
    if (!(best[q] > 0)) continue;
    scores[q] = lexical::score_segments(pointers, request.scope, parameters, terms[q], cancel);
    query.lexical.assign(scores[q].begin(), scores[q].end());
    query.lexical_weight /= best[q];
  }
  return flat::search(request, cancel);
}

}  // namespace asof
