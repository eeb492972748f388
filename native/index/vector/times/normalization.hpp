// Normalization of recencies (TempRALM, equations 2 to 4): mean and deviation of relevance and
// recency over a query's visible rows, from the moments of the vectors (vector_moments.hpp) and
// clocks (clock_counts.hpp), or by a first pass over similarities.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "core/cancel.hpp"
#include "index/vector/selection.hpp"
#include "index/vector/work_queue.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

/// Rows of the greatest recencies: near the present recency falls steeply, so few rows have a high
/// one.
struct TopRecencies {
  double rest_max = infinity;  // of all other rows; infinite without rows
  struct Row {
    double recency;
    RowId place;
  };
  std::vector<Row> rows;  // all of greater recency, visible or not; descending
};

class Normalization {
 public:
  Normalization(const Request& request, const std::vector<ScanTask>& tasks)
      : request_(request), tasks_(tasks) {}

  /// Starts a group; `rows` is the number of rows in scope.
  void clear(std::size_t rows);

  /// Adds the group's next query, additive or not, with its mask's number.
  void add(const Query& query, std::size_t mask);

  /// Whether the query is additive and most of its rows have moments of their vectors, so that it
  /// is normalized without its similarities if it hides no row.
  bool has_moments(const Query& query) const;

  /// Counts recencies for their moments and for the top recencies in segments with panels: by
  /// counts of rows if these suffice, else by `pass`, a pass over times; true in the latter case.
  /// `masks` are the group's, by number. A query's moments do not depend on the other queries.
  template <typename Pass>
  bool count(const std::vector<temporal::Mask>& masks, Pass pass) {
    if (count_by_instants(masks)) return false;
    open_counting();
    pass();
    close_counting();
    return true;
  }

  /// Adds the recencies of a tile's visible rows to their moments; `bits` are one a mask. For a
  /// pass over times, and then once for every tile.
  void count_recencies(std::size_t t, std::size_t begin, std::size_t count,
                       const std::vector<BlockBits>& bits);

  /// After count(): normalizes query q, which has moments and hides no row; `vector` is its vector.
  void normalize_by_moments(std::size_t q, const Query& query, const float* vector,
                            const Cancel& cancel);
  bool is_normalized(std::size_t q) const { return normalized_[q]; }

  /// After count(): one a number of recencies.
  const TopRecencies& top_recencies(std::size_t recency) const {
    return top_recencies_[recency].top;
  }

  /// Limits the group to `size` queries or fewer, whose similarities fit max_kept_bytes (or are one
  /// query's). Returns their number.
  std::size_t open(std::size_t size);

  /// The additive queries; after open(), those that are not normalized.
  const std::vector<std::size_t>& additive() const { return additive_; }

  /// A tile of rows [begin, begin + count) of task t.
  struct TaskTile {
    std::size_t t, begin, count;
  };

  /// Keeps the similarities of a tile for query q and adds those of the rows in `bits` to its
  /// moments.
  void keep(const RowScorer& scorer, std::size_t q, const TaskTile& tile, const float* similarities,
            const BlockBits& bits);

  /// Whether recencies are still to be counted in the first pass.
  bool needs_recency_counts() const { return !additive_.empty() && !counted_; }

  /// After the first pass.
  void finish();

  /// The kept similarities of a tile.
  const float* similarities(std::size_t q, std::size_t t, std::size_t begin) const {
    return &similarities_[slot_of_[q] * rows_ + place(t, begin)];
  }
  /// The number of the query's recencies, which queries may share.
  std::size_t recency_of(std::size_t q) const { return recency_of_[q]; }

  /// One a query of the group; set for additive ones.
  const std::vector<standardize::Map>& maps() const { return maps_; }
  const standardize::Moments& relevance(std::size_t q) const { return relevance_[q]; }
  const standardize::Moments& recency(std::size_t q) const { return recency_[q]; }

 private:
  /// Recencies with the same moments: of the same rows by the same form.
  struct Key {
    std::size_t mask;
    temporal::Form form;
    bool operator==(const Key& other) const {
      return mask == other.mask && same_value(form, other.form);
    }
  };

  /// Calls visit(segment, group, first, last) for the rows of each group that are in scope.
  template <typename Visit>
  void each_group(Visit visit) const;
  /// Selection of the top recencies by all threads.
  struct TopRecencyCollector {
    TopRecencies top;
    std::atomic<double> rest_max{-infinity};
    std::mutex mutex;
    void offer(std::size_t segment, std::size_t begin, std::size_t count, const double* recencies,
               std::size_t most);
    void prune(std::size_t most);
  };
  double recency_cutoff(const Key& key, std::size_t most) const;

  bool count_by_instants(const std::vector<temporal::Mask>& masks);
  void open_counting();
  void close_counting();
  bool hides_nothing(const temporal::Mask& mask) const;
  bool counts_suffice(const Key& key) const;
  void collect_by_instants(std::size_t r);
  standardize::Moments relevances(const FlatRows& rows, std::size_t first, std::size_t last,
                                  const Query& query, const float* vector) const;
  std::size_t place(std::size_t t, std::size_t begin) const {
    return tasks_[t].offset + (begin - tasks_[t].begin);
  }

  const Request& request_;
  const std::vector<ScanTask>& tasks_;
  const standardize::Kernels& kernels_ = standardize::kernels();
  const inner_product::Kernels& products_ = inner_product::kernels();
  std::size_t rows_ = 0;
  bool counted_ = false;                           // recencies, by a pass over times
  std::vector<bool> normalized_;                   // one a query
  std::vector<std::size_t> additive_;              // a query's index here is its slot
  std::vector<std::size_t> slot_of_, recency_of_;  // one a query
  bool all_have_moments_ = true;                   // of the additive queries
  std::vector<Key> keys_;                          // distinct
  std::vector<bool> by_instants_;                  // one a key: totals_ normalizes its queries
  std::vector<standardize::Moments> totals_;       // one a key
  std::unique_ptr<TopRecencyCollector[]> top_recencies_;  // one a key, where counted
  std::size_t max_top_recencies_ = 0;
  std::unique_ptr<float[]> similarities_;  // slots * rows_: similarities for the second pass; unset
                                           // where no query sees the row
  std::vector<standardize::Moments> relevance_moments_,
      recency_moments_;                                    // slots * tasks, keys * tasks
  std::vector<standardize::Moments> relevance_, recency_;  // one a query
  std::vector<standardize::Map> maps_;
};

}  // namespace asof::vector
