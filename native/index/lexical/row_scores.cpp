// Term-at-a-time scoring of row ranges that fit the second-level cache, skipping blocks without
// postings.
#include "index/lexical/row_scores.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "core/threads.hpp"
#include "index/lexical/window_search.hpp"

namespace asof::lexical {
namespace {

constexpr std::size_t block_rows = asof::schema::block_rows, stretch_rows = 64 * block_rows;

/// Rounds sums to the nearest floats, and gives the greatest; sums are numbers from 0. In lanes,
/// which vectors can do.
float round_sums(const double* sums, std::size_t count, float* out) {
  constexpr std::size_t lanes = 16;
  float most[lanes] = {};
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane)
      out[i + lane] = static_cast<float>(sums[i + lane]);
    for (std::size_t lane = 0; lane < lanes; ++lane)
      most[lane] = out[i + lane] > most[lane] ? out[i + lane] : most[lane];
  }
  for (; i < count; ++i) {
    out[i] = static_cast<float>(sums[i]);
    most[0] = std::max(most[0], out[i]);
  }
  return *std::max_element(most, most + lanes);
}

void check(const SearchSegment& segment) {
  const Parts& parts = segment.reader->parts();
  if (segment.rows.rows.rows != parts.rows || segment.rows.rows.row_passage.size() != parts.rows) {
    segment.reader->corrupt(asof::schema::row_passage, "does not match the number of rows");
  }
}

}  // namespace

/// What a thread works with.
struct RowScores::Lane {
  std::vector<double> sums =
      std::vector<double>(stretch_rows);  // of the stretch; zeros between stretches
  std::uint64_t touched = 0;              // bit b: block b of the stretch has a posting
  std::uint32_t segment = ~0u;            // of the filters
  std::vector<RowFilter> filters;         // one a mask
  std::vector<Shown> shown;
};

RowScores::RowScores(std::span<const SearchSegment> segments, vector::Scope scope,
                     const Bm25& parameters, std::span<const std::string> terms,
                     std::vector<vector::Mask> masks, std::size_t leading, const Cancel& cancel)
    : segments_(segments), masks_(std::move(masks)), leading_(leading), shown_(masks_.size()) {
  std::vector<const Reader*> readers;
  for (const SearchSegment& segment : segments) {
    if (!masks_.empty()) check(segment);
    readers.push_back(segment.reader);
  }
  const Statistics statistics = statistics_of(readers, scope);
  const auto weighted = weigh(readers, scope, statistics, terms);
  std::vector<InverseNorms> norms;
  double possible = 0;
  for (std::size_t s = 0; s < segments.size(); ++s) {
    norms.emplace_back(parameters, statistics.average_length(), readers[s]->longest_row());
    const Parts& parts = readers[s]->parts();
    // Every scope is one run of rows: [0, P), [M, R) or [0, R).
    const std::size_t first = in_scope(scope, 0) ? 0 : parts.several,
                      last = in_scope(scope, 2) ? parts.rows : parts.passages;
    columns_.push_back({last, std::make_unique_for_overwrite<float[]>(last),
                        std::vector<float>((last + block_rows - 1) / block_rows)});
    std::fill_n(columns_[s].scores.get(), std::min(first, last), 0.0f);
    for (std::size_t begin = first, end; begin < last; begin = end) {
      end = std::min(last, begin / stretch_rows * stretch_rows + stretch_rows);
      stretches_.push_back({static_cast<std::uint32_t>(s), static_cast<std::uint32_t>(begin),
                            static_cast<std::uint32_t>(end)});
    }
    double sum = 0;
    for (const WeightedTerm& term : weighted[s]) sum += term.weight;
    possible = std::max(possible, sum);
  }
  scale_ = possible > 0 ? static_cast<float>(static_cast<double>(shares) / possible) : 0;
  std::vector<std::unique_ptr<Lane>> lanes(thread_count());
  parallel_for(stretches_.size(), lanes.size(), [&](std::size_t i, std::size_t l) {
    cancel.throw_if_requested();
    if (!lanes[l]) {
      lanes[l] = std::make_unique<Lane>();
      lanes[l]->shown.resize(masks_.size());
    }
    add_postings(stretches_[i], weighted[stretches_[i].segment], norms[stretches_[i].segment],
                 *lanes[l]);
    write(stretches_[i], *lanes[l]);
  });
  for (const auto& lane : lanes) {
    for (std::size_t m = 0; lane && m < shown_.size(); ++m) {
      shown_[m].highest = std::max(shown_[m].highest, lane->shown[m].highest);
      for (std::size_t share = lane->shown[m].floor; share < shares; ++share)
        shown_[m].counts[share] += lane->shown[m].counts[share];
    }
  }
}

/// Adds up what the terms contribute to the stretch's rows.
void RowScores::add_postings(const Stretch& stretch, std::span<const WeightedTerm> terms,
                             const InverseNorms& norms, Lane& lane) const {
  const SearchSegment& segment = segments_[stretch.segment];
  const std::uint32_t base = stretch.begin / block_rows * block_rows, begin = stretch.begin,
                      end = stretch.end;
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
        lane.sums[rows[i] - base] +=
            contribution(term.weight, frequencies[i], norms(lengths[rows[i]]));
        lane.touched |= std::uint64_t{1} << ((rows[i] - base) / block_rows);
      }
      cursor.next_block();
    }
  }
}

/// Writes the stretch's scores as floats, and leaves zeros to the next.
void RowScores::write(const Stretch& stretch, Lane& lane) {
  Column& column = columns_[stretch.segment];
  const std::size_t base = stretch.begin / block_rows * block_rows;
  for (std::size_t begin = stretch.begin, end; begin < stretch.end; begin = end) {
    end = std::min<std::size_t>(stretch.end, begin / block_rows * block_rows + block_rows);
    float* const out = column.scores.get() + begin;
    if ((lane.touched >> ((begin - base) / block_rows) & 1) == 0) {
      std::fill_n(out, end - begin, 0.0f);
      continue;
    }
    double* const sums = lane.sums.data() + (begin - base);
    column.most[begin / block_rows] = round_sums(sums, end - begin, out);
    note(stretch, begin, end - begin, lane);
    std::fill_n(sums, end - begin, 0.0);
  }
  lane.touched = 0;
  for (Shown& shown : lane.shown) raise_floor(shown);
}

/// Early termination threshold: rows that score below `leading_` others and the highest are pruned.
void RowScores::raise_floor(Shown& shown) const {
  std::size_t met = 0, share = shares;
  while (share > shown.floor && met < leading_) met += shown.counts[--share];
  if (met < leading_) return;
  shown.floor = share;
  shown.least = std::min(share == shares ? std::numeric_limits<float>::max() : score_of(share),
                         static_cast<float>(shown.highest));
}

/// Notes for every mask what it shows of a block that was scored.
void RowScores::note(const Stretch& stretch, std::size_t begin, std::size_t count,
                     Lane& lane) const {
  const double* const sums = lane.sums.data() + (begin - stretch.begin / block_rows * block_rows);
  const float* const scores = columns_[stretch.segment].scores.get() + begin;
  if (lane.segment != stretch.segment) {
    lane.segment = stretch.segment;
    lane.filters.clear();
    for (const vector::Mask& mask : masks_)
      lane.filters.emplace_back(segments_[stretch.segment].rows, mask);
  }
  for (std::size_t m = 0; m < masks_.size(); ++m) {
    RowFilter& filter = lane.filters[m];
    Shown& shown = lane.shown[m];
    if (columns_[stretch.segment].most[begin / block_rows] < shown.least) continue;
    for (std::size_t i = 0; i < count; ++i) {
      if (scores[i] < shown.least || !(sums[i] > 0) ||
          !(filter.open() || filter.allows(static_cast<std::uint32_t>(begin + i))))
        continue;
      shown.highest = sums[i] > shown.highest ? sums[i] : shown.highest;
      shown.counts[share_of(scores[i])] += 1;
    }
  }
}

std::vector<vector::Place> RowScores::best(std::size_t mask, std::size_t n,
                                           const Cancel& cancel) const {
  const std::vector<std::uint32_t>& counts = shown_[mask].counts;
  std::size_t least = shares, met = 0;
  while (least > 0 && met < n) met += counts[--least];
  if (met == 0) return {};
  const float enough = least == 0 ? std::numeric_limits<float>::denorm_min() : score_of(least);
  // Of the last share, which may be nearly all rows where one word is in each, no more than there
  // is room for.
  const std::size_t count = std::min(met, 2 * n), room = count - (met - counts[least]);
  std::atomic<std::size_t> last{0};
  std::vector<std::vector<vector::Place>> found(stretches_.size());
  parallel_for(stretches_.size(), 0, [&](std::size_t i, std::size_t) {
    cancel.throw_if_requested();
    const auto [segment, begin, end] = stretches_[i];
    const Column& column = columns_[segment];
    RowFilter filter(segments_[segment].rows, masks_[mask]);
    for (std::uint32_t from = begin, to; from < end; from = to) {
      to = std::min<std::uint32_t>(end, from / block_rows * block_rows + block_rows);
      if (column.most[from / block_rows] < enough) continue;
      for (std::uint32_t row = from; row < to; ++row) {
        if (!(column.scores[row] >= enough)) continue;
        const std::size_t share = share_of(column.scores[row]);
        if (share < least || (share == least && last.load(std::memory_order_relaxed) >= room) ||
            !filter.allows(row))
          continue;
        if (share > least || last.fetch_add(1, std::memory_order_relaxed) < room)
          found[i].push_back({segment, row});
      }
    }
  });
  // By their shares, the highest first.
  std::vector<std::size_t> next(shares + 1);
  for (std::size_t share = shares; share-- > least;) next[share] = next[share + 1] + counts[share];
  std::vector<vector::Place> places(count);
  for (std::size_t share = least; share < shares; ++share) next[share] = next[share + 1];
  for (const auto& each : found) {
    for (const vector::Place& place : each)
      places[next[share_of(columns_[place.segment].scores[place.row])]++] = place;
  }
  return places;
}

std::vector<std::vector<float>> score_segments(std::span<const Reader* const> readers,
                                               vector::Scope scope, const Bm25& parameters,
                                               std::span<const std::string> terms,
                                               const Cancel& cancel) {
  std::vector<SearchSegment> segments;
  for (const Reader* reader : readers) segments.push_back({reader, {}});
  const RowScores scores(segments, scope, parameters, terms, {}, 0, cancel);
  std::vector<std::vector<float>> lists;
  for (std::size_t s = 0; s < segments.size(); ++s)
    lists.emplace_back(scores.of(s).begin(), scores.of(s).end());
  return lists;
}

}  // namespace asof::lexical
