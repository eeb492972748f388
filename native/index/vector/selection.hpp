// Selection of a tile's best rows by their similarities. A spline is evaluated only for rows whose
// relevance can win with the best temporal factor.
#pragma once

#include <atomic>

#include "index/rows/mask.hpp"
#include "index/vector/collector.hpp"
#include "index/vector/times/temporal.hpp"

namespace asof::vector {

/// Scores of one segment's rows for a query.
struct RowScorer {
  const Query& query;
  const FlatRows& rows;
  const float* lexical = nullptr;    // of the rows
  const standardize::Map& standard;  // of additive forms

  RowScorer(const Query& query, const VisibleRows& segment, std::size_t segment_index,
            const standardize::Map& standard)
      : query(query), rows(segment.rows), standard(standard) {
    if (segment_index < query.lexical.size() && !query.lexical[segment_index].empty())
      lexical = query.lexical[segment_index].data();
  }

  double relevance(float similarity, std::size_t row) const {
    return relevance_of(static_cast<double>(similarity), row);
  }
  double relevance_of(double similarity, std::size_t row) const {
    double semantic = query.semantic_weight * similarity;
    return lexical == nullptr ? semantic
                              : semantic + query.lexical_weight * static_cast<double>(lexical[row]);
  }

  /// The temporal part as results report it: the factor or decay, or the standardised recency.
  temporal::RowTime time(std::size_t row) const {
    const temporal::RowTime time = row_time(query.form, rows, row);
    if (query.form.combine == temporal::Combine::product) return time;
    return {temporal::standardized(standard, time.value), time.mention};
  }

  double score(double relevance, std::size_t row) const { return score_at(relevance, value(row)); }
  /// Of a row whose value is known.
  double score_at(double relevance, double value) const {
    return temporal::score_of(query.form, standard, relevance, value);
  }
  /// The row's value, 1 without a form.
  double value(std::size_t row) const {
    return query.form.combine == temporal::Combine::none ? 1
                                                         : row_time(query.form, rows, row).value;
  }
};

/// A tile of rows in a scan. Lists are one a query, except `bits` and `visible`, which are one a
/// mask.
struct Tile {
  std::size_t segment, begin, count;
  const std::vector<std::size_t>& mask_of;
  const std::vector<BlockBits>& bits;
  const std::vector<std::size_t>& visible;
  std::vector<Collector>& collectors;
};

/// Raises a threshold shared by threads.
inline void raise(std::atomic<double>& best, double value) {
  double seen = best.load(std::memory_order_relaxed);
  while (seen < value && !best.compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

/// The relevance below which no row scores `threshold` at any time; a little less than the exact
/// bound, for rounding.
double min_relevance(const Query& query, double threshold);
/// The same for rows whose temporal factor is at most `max_factor`.
double min_relevance(const Query& query, double threshold, double max_factor);

/// Collector of a query's best rows, and its threshold.
struct TopK {
  Collector& collector;       // of the thread
  std::atomic<double>& best;  // the greatest k-th score of any thread: rows below it are no results
};

/// Similarities of the rows of a tile, from row `begin` of the segment on.
struct TileScores {
  const float* similarities;
  std::size_t begin;
  const double* recencies = nullptr;  // of the rows, NaN where a row has none, or their decays; of
                                      // an additive form
};

/// Pushes the tile's rows in `bits` that may be results of a query without an additive form.
void select_rows(const RowScorer& scorer, const TileScores& tile, const BlockBits& bits, TopK top);

/// The same for the rows in `rows`, wherever they lie, with their similarities in that order.
void select_listed(const RowScorer& scorer, std::span<const float> similarities,
                   const std::uint32_t* rows, TopK top);

/// The same for a query with an additive form (temporal::Combine::sum).
void select_additive(const RowScorer& scorer, const TileScores& tile, const BlockBits& bits,
                     TopK top);

}  // namespace asof::vector
