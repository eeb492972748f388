// Term-at-a-time scoring of row ranges that fit the second-level cache, skipping blocks without
// postings.
#include "index/lexical/row_scores.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "core/threads.hpp"
#include "index/lexical/window_search.hpp"
#include "index/rows/block_filter.hpp"

namespace asof::lexical {
namespace {

constexpr std::size_t range_rows = 64 * block_rows;
constexpr float least_score = std::numeric_limits<float>::denorm_min();

/// The rows of a block, from its first score on, that score `least` or more.
BlockBits rows_from(std::span<const float> scores, float least) {
  constexpr std::uint64_t all = ~std::uint64_t{0};
  BlockBits rows{};
  filter_block(scores, least, {all, all, all, all}, rows);
  return rows;
}

/// Rounds non-negative sums to the nearest floats and returns the greatest. In lanes, which
/// compilers vectorize.
float round_sums(const double* sums, std::size_t count, float* out) {
  constexpr std::size_t lanes = 16;
  float max[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      out[i + lane] = static_cast<float>(sums[i + lane]);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      max[lane] = out[i + lane] > max[lane] ? out[i + lane] : max[lane];
  }
  for (; i < count; ++i) {
    out[i] = static_cast<float>(sums[i]);
    max[0] = std::max(max[0], out[i]);
  }
  return *std::max_element(max, max + lanes);
}

void check(const SearchSegment& segment) {
  const Parts& parts = segment.reader->parts();
  if (segment.rows.rows.rows != parts.rows || segment.rows.rows.row_passage.size() != parts.rows) {
    segment.reader->corrupt(asof::schema::row_passage, "does not match the number of rows");
  }
}

}  // namespace

/// State of one thread.
struct RowScores::Worker {
  std::vector<double> sums = std::vector<double>(range_rows);  // of the range; zeros between ranges
  std::uint64_t touched = 0;           // bit b: block b of the range has a posting
  std::uint32_t segment = ~0u;         // of the filters
  std::vector<RowFilter> filters;      // one a mask
  std::vector<MaskSummary> summaries;  // one a mask
};

RowScores::RowScores(std::span<const SearchSegment> segments, Scope scope, const Bm25& parameters,
                     Query query, const Cancel& cancel)
    : segments_(segments),
      masks_(std::move(query.masks)),
      max_best_(query.max_best),
      summaries_(masks_.size()) {
  for (const SearchSegment& segment : segments)
    if (!masks_.empty()) check(segment);
  const Weights weights(segments, scope, query.collection);
  const auto weighted = weights.of(query.terms);
  std::vector<InverseNorms> norms;
  double possible = 0;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    norms.emplace_back(parameters, weights.statistics().average_length(),
                       segments[s].reader->longest_row());
    const Parts& parts = segments[s].reader->parts();
    // Every scope is one run of rows: [0, P), [M, R) or [0, R).
    const std::size_t first = in_scope(scope, 0) ? 0 : parts.multi_sentence,
                      last = in_scope(scope, 2) ? parts.rows : parts.passages;
    columns_.push_back({last, std::make_unique_for_overwrite<float[]>(last),
                        std::vector<float>((last + block_rows - 1) / block_rows)});
    std::fill_n(columns_[s].scores.get(), std::min(first, last), 0.0f);
    for (std::size_t begin = first, end; begin < last; begin = end) {
      end = std::min(last, begin / range_rows * range_rows + range_rows);
      ranges_.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(begin),
                         static_cast<std::uint32_t>(end)});
    }
    double sum = 0;
    for (const WeightedTerm& term : weighted[s]) sum += term.weight;
    possible = std::max(possible, sum);
  }
  scale_ = possible > 0 ? static_cast<float>(static_cast<double>(buckets) / possible) : 0;
  std::vector<std::unique_ptr<Worker>> workers(thread_count());
  parallel_for(ranges_.size(), workers.size(), [&](std::size_t i, std::size_t l) {
    cancel.throw_if_requested();
    if (!workers[l]) {
      workers[l] = std::make_unique<Worker>();
      workers[l]->summaries.resize(masks_.size());
    }
    add_postings(ranges_[i], weighted[ranges_[i].segment], norms[ranges_[i].segment], *workers[l]);
    write(ranges_[i], *workers[l]);
  });
  for (const auto& worker : workers) {
    for (std::size_t m = 0; worker && m < summaries_.size(); ++m) {
      summaries_[m].max_score = std::max(summaries_[m].max_score, worker->summaries[m].max_score);
      for (std::size_t bucket = worker->summaries[m].floor; bucket < buckets; ++bucket)
        summaries_[m].counts[bucket] += worker->summaries[m].counts[bucket];
    }
  }
}

/// Adds the contributions of the terms to the sums of the range's rows.
void RowScores::add_postings(const RowRange& range, std::span<const WeightedTerm> terms,
                             const InverseNorms& norms, Worker& worker) const {
  const SearchSegment& segment = segments_[range.segment];
  const std::uint32_t base = range.begin / block_rows * block_rows, begin = range.begin,
                      end = range.end;
  const bool few = !segment.rows.blocks.empty();
  auto possible = [&](std::uint32_t row) {
    while (few && row < end && !segment.rows.may_show(row / block_rows))
      row = (row / block_rows + 1) * block_rows;
    return row;
  };
  const auto lengths = segment.reader->row_length();
  for (const WeightedTerm& term : terms) {
    Cursor cursor(*segment.reader, term.number);
    cursor.shallow_advance(begin);
    while (!cursor.done() && cursor.first_possible_row() < end) {
      const std::uint32_t next = possible(std::max(begin, cursor.first_possible_row()));
      if (next >= end) break;
      if (next > cursor.last_row()) {
        cursor.shallow_advance(next);
        continue;
      }
      const auto rows = cursor.rows(), frequencies = cursor.frequencies();
      for (std::size_t i = 0; i < rows.size() && rows[i] < end; ++i) {
        if (rows[i] < begin) continue;
        worker.sums[rows[i] - base] +=
            contribution(term.weight, frequencies[i], norms(lengths[rows[i]]));
        worker.touched |= std::uint64_t{1} << ((rows[i] - base) / block_rows);
      }
      cursor.next_block();
    }
  }
}

/// Writes the range's scores as floats and resets the sums to zero.
void RowScores::write(const RowRange& range, Worker& worker) {
  Column& column = columns_[range.segment];
  const std::size_t base = range.begin / block_rows * block_rows;
  for (std::size_t begin = range.begin, end; begin < range.end; begin = end) {
    end = std::min<std::size_t>(range.end, begin / block_rows * block_rows + block_rows);
    float* const out = column.scores.get() + begin;
    if ((worker.touched >> ((begin - base) / block_rows) & 1) == 0) {
      std::fill_n(out, end - begin, 0.0f);
      continue;
    }
    double* const sums = worker.sums.data() + (begin - base);
    column.block_max[begin / block_rows] = round_sums(sums, end - begin, out);
    summarize(range, begin, end - begin, worker);
    std::fill_n(sums, end - begin, 0.0);
  }
  worker.touched = 0;
  for (MaskSummary& summary : worker.summaries) raise_floor(summary);
}

/// Rows below both the max_best_-th score and the highest are not counted.
void RowScores::raise_floor(MaskSummary& summary) const {
  std::size_t count_above = 0, bucket = buckets;
  while (bucket > summary.floor && count_above < max_best_) count_above += summary.counts[--bucket];
  if (count_above < max_best_) return;
  summary.floor = bucket;
  summary.min_score =
      std::min(bucket == buckets ? std::numeric_limits<float>::max() : bucket_floor(bucket),
               static_cast<float>(summary.max_score));
}

/// Counts a block's visible rows by bucket for every mask.
void RowScores::summarize(const RowRange& range, std::size_t begin, std::size_t count,
                          Worker& worker) const {
  const double* const sums = worker.sums.data() + (begin - range.begin / block_rows * block_rows);
  const float* const scores = columns_[range.segment].scores.get() + begin;
  if (worker.segment != range.segment) {
    worker.segment = range.segment;
    worker.filters.clear();
    for (const temporal::Mask& mask : masks_)
      worker.filters.emplace_back(segments_[range.segment].rows, mask);
  }
  for (std::size_t m = 0; m < masks_.size(); ++m) {
    RowFilter& filter = worker.filters[m];
    MaskSummary& summary = worker.summaries[m];
    if (columns_[range.segment].block_max[begin / block_rows] < summary.min_score) continue;
    for_each(rows_from({scores, count}, std::max(summary.min_score, least_score)),
             [&](std::size_t i) {
               if (!filter.allows(static_cast<std::uint32_t>(begin + i))) return;
               summary.max_score = sums[i] > summary.max_score ? sums[i] : summary.max_score;
               summary.counts[bucket_of(scores[i])] += 1;
             });
  }
}

std::vector<RowId> RowScores::best(std::size_t mask, std::size_t n, const Cancel& cancel) const {
  const std::vector<std::uint32_t>& counts = summaries_[mask].counts;
  std::size_t lowest = buckets, count_above = 0;
  while (lowest > 0 && count_above < n) count_above += counts[--lowest];
  if (count_above == 0) return {};
  const float min_score = lowest == 0 ? least_score : bucket_floor(lowest);
  // The last bucket holds nearly all rows if one word is in each: only `room` of them are taken.
  const std::size_t count = std::min(count_above, 2 * n),
                    room = count - (count_above - counts[lowest]);
  std::atomic<std::size_t> last{0};
  std::vector<std::vector<RowId>> hits(ranges_.size());
  parallel_for(ranges_.size(), 0, [&](std::size_t i, std::size_t) {
    cancel.throw_if_requested();
    const auto [segment, begin, end] = ranges_[i];
    const Column& column = columns_[segment];
    RowFilter filter(segments_[segment].rows, masks_[mask]);
    for (std::uint32_t from = begin, to; from < end; from = to) {
      to = std::min<std::uint32_t>(end, from / block_rows * block_rows + block_rows);
      if (column.block_max[from / block_rows] < min_score) continue;
      for_each(rows_from({&column.scores[from], to - from}, min_score), [&](std::size_t at) {
        const std::uint32_t row = from + static_cast<std::uint32_t>(at);
        const std::size_t bucket = bucket_of(column.scores[row]);
        if (bucket < lowest || (bucket == lowest && last.load(std::memory_order_relaxed) >= room) ||
            !filter.allows(row))
          return;
        if (bucket > lowest || last.fetch_add(1, std::memory_order_relaxed) < room)
          hits[i].push_back({segment, row});
      });
    }
  });
  // In descending order of buckets.
  std::vector<std::size_t> next(buckets + 1);
  for (std::size_t bucket = buckets; bucket-- > lowest;)
    next[bucket] = next[bucket + 1] + counts[bucket];
  std::vector<RowId> rows(count);
  for (std::size_t bucket = lowest; bucket < buckets; ++bucket) next[bucket] = next[bucket + 1];
  for (const auto& each : hits) {
    for (const RowId& row : each)
      rows[next[bucket_of(columns_[row.segment].scores[row.row])]++] = row;
  }
  return rows;
}

std::vector<std::vector<float>> score_segments(std::span<const Reader* const> readers, Scope scope,
                                               const Bm25& parameters,
                                               std::span<const std::string> terms,
                                               const Cancel& cancel) {
  std::vector<SearchSegment> segments;
  for (const Reader* reader : readers) segments.push_back({reader, {}});
  const RowScores scores(segments, scope, parameters, {terms, {}, 0}, cancel);
  std::vector<std::vector<float>> lists;
  lists.reserve(segments.size());
  for (std::size_t s = 0; s < segments.size(); ++s)
    lists.emplace_back(scores.scores(s).begin(), scores.scores(s).end());
  return lists;
}

}  // namespace asof::lexical
