// Query weighting, parallel search of row ranges and merging of their results.
#include "index/lexical/search.hpp"

#include <algorithm>
#include <atomic>
#include <map>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "index/lexical/collector.hpp"
#include "index/lexical/window_search.hpp"

namespace asof::lexical {
namespace {

constexpr std::uint32_t least_run_rows =
    65536;  // below this, starting another thread with an empty floor costs more than it saves

/// The runs of every segment: parts in scope, cut so that few queries still occupy every thread.
std::vector<Run> runs_of(const Request& request, std::size_t threads) {
  std::size_t pieces =
      std::max<std::size_t>(1, threads / std::max<std::size_t>(1, request.queries.size()));
  std::vector<Run> runs;
  for (std::size_t s = 0; s < request.segments.size(); ++s) {
    const Parts& parts = request.segments[s].reader->parts();
    for (std::size_t part = 0; part < 3; ++part) {
      if (!in_scope(request.scope, part)) continue;
      std::uint64_t begin = parts.begin(part), end = parts.end(part);
      std::uint64_t step =
          std::max<std::uint64_t>(least_run_rows, (end - begin + pieces - 1) / pieces);
      for (; begin < end; begin += step) {
        runs.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(std::min(end, begin + step))});
      }
    }
  }
  return runs;
}

/// The best k of all runs' hits, one a passage where they pool, and whatever of other segments
/// equals the last.
std::vector<Hit> merged(std::span<std::vector<Hit>> found, std::size_t k, bool pool) {
  std::vector<Hit> hits;
  for (auto& each : found) hits.insert(hits.end(), each.begin(), each.end());
  if (pool) {
    std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
      if (a.segment != b.segment) return a.segment < b.segment;
      if (a.passage != b.passage) return a.passage < b.passage;
      return better(a, b);
    });
    auto same = [](const Hit& a, const Hit& b) {
      return a.segment == b.segment && a.passage == b.passage;
    };
    hits.erase(std::unique(hits.begin(), hits.end(), same), hits.end());
  }
  std::sort(hits.begin(), hits.end(), better);
  if (hits.size() <= k) return hits;
  if (k == 0) return {hits.front()};  // for the highest score alone
  double last = hits[k - 1].score;
  std::size_t above = 0;
  while (hits[above].score > last) ++above;
  std::map<std::uint32_t, std::size_t>
      equals;  // of a segment, in passage order: more than k - above of them cannot be needed
  std::size_t kept = above;
  for (std::size_t i = above; i < hits.size() && hits[i].score == last; ++i) {
    if (equals[hits[i].segment]++ < k - above) hits[kept++] = hits[i];
  }
  hits.resize(kept);
  return hits;
}

void check(const Request& request) {
  for (const SearchSegment& segment : request.segments) {
    const Parts& parts = segment.reader->parts();
    if (segment.rows.rows.rows != parts.rows ||
        segment.rows.rows.row_passage.size() != parts.rows) {
      segment.reader->corrupt(asof::schema::row_passage, "does not match the number of rows");
    }
  }
}

}  // namespace

bool in_scope(vector::Scope scope, std::size_t part) {
  return scope == vector::Scope::all || part == 1 ||
         (part == 0 ? scope == vector::Scope::passages : scope == vector::Scope::sentences);
}

Statistics statistics_of(std::span<const Reader* const> readers, vector::Scope scope) {
  Statistics statistics;
  for (const Reader* reader : readers) {
    for (std::size_t part = 0; part < 3; ++part) {
      if (!in_scope(scope, part)) continue;
      statistics.rows += reader->parts().end(part) - reader->parts().begin(part);
      statistics.tokens += reader->tokens(part);
    }
  }
  return statistics;
}

std::vector<std::vector<WeightedTerm>> weigh(std::span<const Reader* const> readers,
                                             vector::Scope scope, const Statistics& statistics,
                                             std::span<const std::string> terms) {
  if (terms.size() > query_terms_limit) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected a query of at most " + std::to_string(query_terms_limit) +
                    " terms, received " + std::to_string(terms.size()) + ". Shorten the question.");
  }
  std::map<std::string_view, std::size_t> counted;
  for (const std::string& term : terms) counted[term] += 1;
  std::vector<std::vector<WeightedTerm>> weighted(readers.size());
  std::vector<std::optional<std::uint32_t>> numbers(readers.size());
  for (const auto& [term, times] : counted) {
    std::uint64_t holding = 0;
    for (std::size_t s = 0; s < readers.size(); ++s) {
      numbers[s] = readers[s]->find(term);
      if (!numbers[s]) continue;
      auto frequency = readers[s]->frequency(*numbers[s]);
      for (std::size_t part = 0; part < 3; ++part)
        holding += in_scope(scope, part) ? frequency[part] : 0;
    }
    if (holding == 0) continue;
    holding = std::min(holding, statistics.rows);  // only a damaged file says otherwise
    double weight =
        static_cast<double>(times) * inverse_document_frequency(statistics.rows, holding);
    for (std::size_t s = 0; s < readers.size(); ++s) {
      if (numbers[s]) weighted[s].push_back({*numbers[s], weight});
    }
  }
  return weighted;
}

Result search(const Request& request, const Cancel& cancel) {
  check(request);
  std::vector<const Reader*> readers;
  for (const SearchSegment& segment : request.segments) readers.push_back(segment.reader);
  Statistics statistics = statistics_of(readers, request.scope);
  std::vector<InverseNorms> norms;
  for (const Reader* reader : readers)
    norms.emplace_back(request.parameters, statistics.average_length(), reader->longest_row());

  std::size_t queries = request.queries.size();
  std::vector<std::vector<std::vector<WeightedTerm>>> weighted(queries);
  parallel_for(queries, 0, [&](std::size_t q, std::size_t) {
    cancel.throw_if_requested();
    weighted[q] = weigh(readers, request.scope, statistics, request.queries[q].terms);
  });

  std::vector<Run> runs = runs_of(request, thread_count());
  std::vector<std::atomic<double>> floors(queries);
  for (auto& floor : floors) floor.store(0);
  std::vector<std::vector<Hit>> found(queries * runs.size());
  std::vector<std::unique_ptr<WindowScratch>> scratch(thread_count());
  std::size_t k = std::max<std::size_t>(1, request.k);
  parallel_for(found.size(), scratch.size(), [&](std::size_t task, std::size_t lane) {
    std::size_t q = task / runs.size();
    const Run& run = runs[task % runs.size()];
    if (!scratch[lane]) scratch[lane] = std::make_unique<WindowScratch>();
    Collector collector(k, request.pool, floors[q]);
    search_run(request.segments[run.segment], weighted[q][run.segment], norms[run.segment],
               request.queries[q].mask, run, request.exhaustive, collector, *scratch[lane], cancel);
    found[task] = std::move(collector.finish());
  });

  Result result;
  result.offsets.push_back(0);
  for (std::size_t q = 0; q < queries; ++q) {
    std::vector<Hit> hits =
        merged({found.data() + q * runs.size(), runs.size()}, request.k, request.pool);
    result.best.push_back(hits.empty() ? 0 : hits.front().score);
    if (request.k == 0) hits.clear();
    for (const Hit& hit : hits) {
      result.segment.push_back(hit.segment);
      result.row.push_back(hit.row);
      result.passage.push_back(hit.passage);
      result.score.push_back(hit.score);
    }
    result.offsets.push_back(static_cast<std::uint32_t>(result.row.size()));
  }
  return result;
}

}  // namespace asof::lexical
