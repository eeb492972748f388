// BM25 scores of every row in scope for one query, for scans that combine them with other scores,
// with block maxima, the maximum under each mask and a histogram for top-k selection.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/search.hpp"

namespace asof::lexical {

class RowScores {
 public:
  struct Query {
    std::span<const std::string> terms;
    std::vector<temporal::Mask> masks;       // of max_score() and best()
    std::size_t max_best = 0;                // the greatest n of best()
    const Collection* collection = nullptr;  // null: the segments'
  };

  /// The segments must outlive it. Rows of blocks without a visible row (VisibleRows::blocks) may
  /// have no score. Throws ERR_CORPUS_CORRUPT where a segment's sections contradict each other, and
  /// ERR_INVALID_ARGUMENT for too many terms.
  RowScores(std::span<const SearchSegment> segments, Scope scope, const Bm25& parameters,
            Query query, const Cancel& cancel);

  /// One float a row up to the scope's last, the nearest to its score; 0 where no term occurs and
  /// outside the scope.
  std::span<const float> scores(std::size_t segment) const {
    return {columns_[segment].scores.get(), columns_[segment].rows};
  }
  /// Upper bounds of the scores in each block of block_rows, from the segment's first row on.
  std::span<const float> block_max(std::size_t segment) const {
    return columns_[segment].block_max;
  }
  /// The highest score of a row that the mask does not hide; 0 where no term occurs.
  double max_score(std::size_t mask) const { return summaries_[mask].max_score; }
  /// About the best n <= Query::max_best of the visible rows with a term, in roughly descending
  /// order; at least n if there are as many.
  std::vector<RowId> best(std::size_t mask, std::size_t n, const Cancel& cancel) const;

 private:
  static constexpr std::size_t buckets = 4096;  // equal parts of the highest possible score
  struct Column {
    std::size_t rows = 0;
    std::unique_ptr<float[]> scores;
    std::vector<float> block_max;
  };
  struct RowRange {
    std::uint32_t segment, begin, end;
  };
  /// Scores of the rows that a mask shows.
  struct MaskSummary {
    double max_score = 0;
    std::vector<std::uint32_t> counts =
        std::vector<std::uint32_t>(buckets);  // of rows by bucket, from `floor` on
    std::size_t floor = 0;                    // a bucket: max_best rows are in it or above
    float min_score = 0;                      // of rows that are still counted
  };
  struct Worker;

  std::size_t bucket_of(float score) const {
    return std::min(buckets - 1, static_cast<std::size_t>(score * scale_));
  }
  void add_postings(const RowRange& range, std::span<const WeightedTerm> terms,
                    const InverseNorms& norms, Worker& worker) const;
  void write(const RowRange& range, Worker& worker);
  float bucket_floor(std::size_t bucket) const {
    return static_cast<float>(bucket) / scale_ * (1 - 0x1p-20f);
  }
  void raise_floor(MaskSummary& summary) const;
  void summarize(const RowRange& range, std::size_t begin, std::size_t count, Worker& worker) const;

  std::span<const SearchSegment> segments_;
  std::vector<temporal::Mask> masks_;
  std::size_t max_best_;
  std::vector<Column> columns_;
  std::vector<RowRange> ranges_;
  std::vector<MaskSummary> summaries_;
  float scale_ = 0;
};

/// The scores of all rows of a scope: one list a segment.
std::vector<std::vector<float>> score_segments(std::span<const Reader* const> readers, Scope scope,
                                               const Bm25& parameters,
                                               std::span<const std::string> terms,
                                               const Cancel& cancel);

}  // namespace asof::lexical
