// Query weighting, parallel search of row ranges and merging of their results.
#include "index/lexical/search.hpp"

#include <algorithm>
#include <atomic>
#include <map>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "index/lexical/collector.hpp"
#include "index/lexical/counting.hpp"
#include "index/lexical/window_search.hpp"

namespace asof::lexical {
namespace {

constexpr std::uint32_t min_run_rows =
    65536;  // for fewer, a thread that starts without a threshold costs more than it saves

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
          std::max<std::uint64_t>(min_run_rows, (end - begin + pieces - 1) / pieces);
      for (; begin < end; begin += step) {
        runs.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(std::min(end, begin + step))});
      }
    }
  }
  return runs;
}

/// The best k of all runs' hits, one a passage where they pool, and hits of other segments with the
/// k-th score.
std::vector<Hit> merge(std::span<std::vector<Hit>> runs, std::size_t k, bool pool) {
  std::vector<Hit> hits;
  for (auto& each : runs) hits.insert(hits.end(), each.begin(), each.end());
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
  if (k == 0) return {hits.front()};  // for Result::best
  double last = hits[k - 1].score;
  std::size_t above = 0;
  while (hits[above].score > last) ++above;
  // At most k - above ties of a segment, in passage order, can be results.
  std::map<std::uint32_t, std::size_t> ties;
  std::size_t size = above;
  for (std::size_t i = above; i < hits.size() && hits[i].score == last; ++i) {
    if (ties[hits[i].segment]++ < k - above) hits[size++] = hits[i];
  }
  hits.resize(size);
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

bool in_scope(Scope scope, std::size_t part) {
  return scope == Scope::all || part == 1 ||
         (part == 0 ? scope == Scope::passages : scope == Scope::sentences);
}

Weights::Weights(std::span<const SearchSegment> segments, Scope scope, const Collection* collection)
    : segments_(segments), scope_(scope), collection_(collection) {
  if (collection) {
    statistics_ = collection->statistics;
    return;
  }
  for (const auto& [reader, rows] : segments) {
    counted_.push_back(rows.counted.empty() ? nullptr : counted_rows(*reader, rows.counted));
    const auto& counted = counted_.back();
    for (std::size_t part = 0; part < 3; ++part) {
      if (!in_scope(scope, part)) continue;
      statistics_.rows +=
          counted ? counted->rows[part] : reader->parts().end(part) - reader->parts().begin(part);
      statistics_.tokens += counted ? counted->tokens[part] : reader->tokens(part);
    }
  }
}

std::uint64_t Weights::rows_with(std::size_t segment, std::uint32_t term) const {
  const Reader& reader = *segments_[segment].reader;
  const auto& counted = counted_[segment];
  const auto frequency = counted ? rows_with_term(*counted, reader, term) : reader.frequency(term);
  std::uint64_t rows = 0;
  for (std::size_t part = 0; part < 3; ++part) rows += in_scope(scope_, part) ? frequency[part] : 0;
  return rows;
}

/// Rows of all segments, or of the collection, that have a term; `numbers`: the term in each.
std::uint64_t Weights::rows_with(std::string_view term,
                                 std::span<const std::optional<std::uint32_t>> numbers) const {
  if (collection_) {
    const auto known = collection_->rows_with.find(term);
    return known == collection_->rows_with.end() ? 0 : known->second;
  }
  std::uint64_t rows = 0;
  for (std::size_t s = 0; s < segments_.size(); ++s)
    if (numbers[s]) rows += rows_with(s, *numbers[s]);
  return rows;
}

std::vector<std::vector<WeightedTerm>> Weights::of(std::span<const std::string> terms) const {
  if (terms.size() > query_terms_limit) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected a query of at most " + std::to_string(query_terms_limit) +
                    " terms, received " + std::to_string(terms.size()) + ". Shorten the question.");
  }
  std::map<std::string_view, std::size_t> counts;
  for (const std::string& term : terms) counts[term] += 1;
  std::vector<std::vector<WeightedTerm>> terms_of(segments_.size());
  std::vector<std::optional<std::uint32_t>> numbers(segments_.size());
  for (const auto& [term, count] : counts) {
    for (std::size_t s = 0; s < segments_.size(); ++s) numbers[s] = segments_[s].reader->find(term);
    std::uint64_t rows_with_term = rows_with(term, numbers);
    if (rows_with_term == 0) continue;
    rows_with_term = std::min(rows_with_term, statistics_.rows);  // greater in damaged files
    double weight =
        static_cast<double>(count) * inverse_document_frequency(statistics_.rows, rows_with_term);
    for (std::size_t s = 0; s < segments_.size(); ++s) {
      if (numbers[s]) terms_of[s].push_back({*numbers[s], weight});
    }
  }
  return terms_of;
}

Result search(const Request& request, const Cancel& cancel) {
  check(request);
  const Weights weights(request.segments, request.scope, request.collection);
  std::vector<InverseNorms> norms;
  norms.reserve(request.segments.size());
  for (const SearchSegment& segment : request.segments)
    norms.emplace_back(request.parameters, weights.statistics().average_length(),
                       segment.reader->longest_row());

  std::size_t queries = request.queries.size();
  std::vector<std::vector<std::vector<WeightedTerm>>> terms(queries);
  parallel_for(queries, 0, [&](std::size_t q, std::size_t) {
    cancel.throw_if_requested();
    terms[q] = weights.of(request.queries[q].terms);
  });

  std::vector<Run> runs = runs_of(request, thread_count());
  std::vector<std::atomic<double>> floors(queries);
  for (auto& floor : floors) floor.store(0);
  std::vector<std::vector<Hit>> hits(queries * runs.size());
  std::vector<std::unique_ptr<WindowScratch>> scratch(thread_count());
  std::size_t k = std::max<std::size_t>(1, request.k);
  parallel_for(hits.size(), scratch.size(), [&](std::size_t task, std::size_t worker) {
    std::size_t q = task / runs.size();
    const Run& run = runs[task % runs.size()];
    if (!scratch[worker]) scratch[worker] = std::make_unique<WindowScratch>();
    Collector collector(k, request.pool, floors[q]);
    search_run({request.segments[run.segment], terms[q][run.segment], norms[run.segment],
                request.queries[q].mask, request.exhaustive},
               run, collector, *scratch[worker], cancel);
    hits[task] = std::move(collector.finish());
  });

  Result result;
  result.offsets.push_back(0);
  for (std::size_t q = 0; q < queries; ++q) {
    std::vector<Hit> best =
        merge({hits.data() + q * runs.size(), runs.size()}, request.k, request.pool);
    result.best.push_back(best.empty() ? 0 : best.front().score);
    if (request.k == 0) best.clear();
    for (const Hit& hit : best) {
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
