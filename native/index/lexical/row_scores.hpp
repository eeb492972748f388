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
  /// `masks` are those of highest() and best(), the latter for up to `leading`
  /// rows. The segments must outlive it. Rows of blocks of a segment that are known to show none
  /// (vector::SearchSegment::blocks) may be left without their scores. Throws where a segment's
  /// sections contradict each other, and ERR_INVALID_ARGUMENT for too many terms.
  RowScores(std::span<const SearchSegment> segments, vector::Scope scope, const Bm25& parameters,
            std::span<const std::string> terms, std::vector<vector::Mask> masks,
            std::size_t leading, const Cancel& cancel);

  /// A float a row up to the scope's last, the nearest one to its score; 0 where no term occurs and
  /// outside the scope.
  std::span<const float> of(std::size_t segment) const {
    return {columns_[segment].scores.get(), columns_[segment].rows};
  }
  /// What no row of a block of schema::block_rows exceeds, from the segment's first row on.
  std::span<const float> most(std::size_t segment) const { return columns_[segment].most; }
  /// The highest score of a row that the mask does not hide; 0 where no term occurs.
  double highest(std::size_t mask) const { return shown_[mask].highest; }
  /// Of rows with a term that are not hidden about the best n <= leading, n or more where there are
  /// as many, roughly in descending order.
  std::vector<vector::Place> best(std::size_t mask, std::size_t n, const Cancel& cancel) const;

 private:
  static constexpr std::size_t shares = 4096;  // of the highest score that the terms' weights allow
  struct Column {
    std::size_t rows = 0;
    std::unique_ptr<float[]> scores;
    std::vector<float> most;
  };
  struct Stretch {
    std::uint32_t segment, begin, end;
  };
  /// What a mask shows.
  struct Shown {
    double highest = 0;
    std::vector<std::uint32_t> counts =
        std::vector<std::uint32_t>(shares);  // of rows by their share, of those from `floor` on
    std::size_t floor = 0;                   // a share: as many rows as may lead have it, or more
    float least = 0;                         // what a row must score to be noted
  };
  struct Lane;

  std::size_t share_of(float score) const {
    return std::min(shares - 1, static_cast<std::size_t>(score * scale_));
  }
  void add_postings(const Stretch& stretch, std::span<const WeightedTerm> terms,
                    const InverseNorms& norms, Lane& lane) const;
  void write(const Stretch& stretch, Lane& lane);
  float score_of(std::size_t share) const {
    return static_cast<float>(share) / scale_ * (1 - 0x1p-20f);
  }
  void raise_floor(Shown& shown) const;
  void note(const Stretch& stretch, std::size_t begin, std::size_t count, Lane& lane) const;

  std::span<const SearchSegment> segments_;
  std::vector<vector::Mask> masks_;
  std::size_t leading_;
  std::vector<Column> columns_;
  std::vector<Stretch> stretches_;
  std::vector<Shown> shown_;
  float scale_ = 0;
};

/// The scores alone, for a whole scope: one list a segment.
std::vector<std::vector<float>> score_segments(std::span<const Reader* const> readers,
                                               vector::Scope scope, const Bm25& parameters,
                                               std::span<const std::string> terms,
                                               const Cancel& cancel);

}  // namespace asof::lexical
