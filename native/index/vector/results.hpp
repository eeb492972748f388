// Hits of a query group: a collector per segment and query, or one list for a query whose hits
// arrive at once. The caller breaks ties between segments.
#pragma once

#include <mutex>
#include <span>

#include "index/vector/collector.hpp"
#include "index/vector/score_order.hpp"

namespace asof::vector {

struct Hit {
  double score;
  float similarity;
  std::uint32_t row, passage, segment;
};

class GroupResults {
 public:
  /// `keep` is the number of rows (passages, where results pool) of each query.
  void open(std::size_t segments, const std::vector<std::size_t>& keep, bool pool) {
    queries_ = keep.size();
    pool_ = pool;
    collectors_.clear();
    collectors_.reserve(segments * queries_);
    for (std::size_t s = 0; s < segments; ++s) {
      for (const std::size_t k : keep) collectors_.emplace_back(k, pool);
    }
    list_hits_.clear();
    lists_.assign(queries_, {});
    merged_.clear();
    merged_.resize(queries_);
  }

  void push(std::size_t segment, std::size_t q, const std::vector<Entry>& entries) {
    if (entries.empty()) return;
    std::lock_guard lock(mutex_);
    at(segment, q).append(entries);
  }

  void drop(std::size_t segment, std::size_t q) { at(segment, q).take(); }

  /// Memory for all `count` hits of a query with k results, to be written once in any order: for
  /// few hits, sorting is faster than a collector. Empty otherwise: hits are to be pushed.
  std::span<Hit> list(std::size_t q, std::size_t count, std::size_t k) {
    const bool few = segments() == 1 ? count <= 4 * k + 16 : count <= k;
    if (pool_ || !few || lists_[q].count > 0) return {};
    if (list_hits_.empty()) list_hits_.reserve(queries_ * std::min<std::size_t>(k + 2, 1024));
    lists_[q] = {list_hits_.size(), count};
    list_hits_.resize(list_hits_.size() + count);
    return list_of(q);
  }

  /// The number of the query's hits so far.
  std::size_t size(std::size_t q) const {
    std::size_t rows = lists_[q].count;
    for (std::size_t i = q; i < collectors_.size(); i += queries_) rows += collectors_[i].size();
    return rows;
  }

  /// The query's best k hits and hits of other segments with the k-th score, best first; valid
  /// until the next open(). Once a query, by one thread.
  std::span<const Hit> take(std::size_t q, std::size_t k) {
    if (lists_[q].count > 0) {
      const std::span<Hit> hits = list_of(q);
      sort_by_score(hits, [](const Hit& a, const Hit& b) {
        if (a.score != b.score) return a.score > b.score;
        if (a.segment != b.segment) return a.segment < b.segment;
        return a.passage != b.passage ? a.passage < b.passage : a.row < b.row;
      });
      return hits.first(std::min(k, hits.size()));
    }
    return merged_[q] = merge(q, k);
  }

 private:
  struct List {
    std::size_t first = 0, count = 0;
  };

  std::size_t segments() const { return queries_ == 0 ? 0 : collectors_.size() / queries_; }
  Collector& at(std::size_t segment, std::size_t q) { return collectors_[segment * queries_ + q]; }
  std::span<Hit> list_of(std::size_t q) {
    return std::span(list_hits_).subspan(lists_[q].first, lists_[q].count);
  }

  std::vector<Hit> merge(std::size_t q, std::size_t k) {
    std::vector<Hit> best;
    for (std::size_t s = 0; s < segments(); ++s) {
      const std::vector<Entry> entries = at(s, q).take();
      if (s == 0) best.reserve(entries.size());
      // Of more than k entries of a rescored scan, ties with the k-th lose by their rows.
      for (std::size_t i = 0; i < std::min(k, entries.size()); ++i) {
        best.push_back({entries[i].score, entries[i].similarity, entries[i].row, entries[i].passage,
                        static_cast<std::uint32_t>(s)});
      }
    }
    // Stable, so that within a score segments ascend, and passages within a segment.
    if (segments() > 1)
      std::stable_sort(best.begin(), best.end(),
                       [](const Hit& a, const Hit& b) { return a.score > b.score; });
    if (best.size() <= k) return best;
    const double last = best[k - 1].score;
    const auto rest = best.begin() + static_cast<std::ptrdiff_t>(k);
    best.erase(std::find_if(rest, best.end(), [&](const Hit& each) { return each.score < last; }),
               best.end());
    return best;
  }

  std::size_t queries_ = 0;
  bool pool_ = false;
  std::mutex mutex_;
  std::vector<Collector> collectors_;     // segments * queries
  std::vector<Hit> list_hits_;            // of the queries with a list
  std::vector<List> lists_;               // one a query: its range of list_hits_
  std::vector<std::vector<Hit>> merged_;  // one a query
};

}  // namespace asof::vector
