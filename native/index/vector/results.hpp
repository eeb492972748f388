// Hits of a query group: a collector per segment and query, or one list of a query whose hits
// arrive at once. Ties between segments are left to the caller.
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
  /// `keep` is how many rows (or passages, where they pool) each query keeps.
  void open(std::size_t segments, const std::vector<std::size_t>& keep, bool pool) {
    queries_ = keep.size();
    pool_ = pool;
    collectors_.clear();
    collectors_.reserve(segments * queries_);
    for (std::size_t s = 0; s < segments; ++s) {
      for (const std::size_t k : keep) collectors_.emplace_back(k, pool);
    }
    listed_.clear();
    lists_.assign(queries_, {});
    taken_.clear();
    taken_.resize(queries_);
  }

  void push(std::size_t segment, std::size_t q, const std::vector<Entry>& entries) {
    if (entries.empty()) return;
    std::lock_guard lock(mutex_);
    at(segment, q).append(entries);
  }

  void drop(std::size_t segment, std::size_t q) { at(segment, q).take(); }

  /// Room for `count` rows of a query that wants k, for who has found all of them and writes them
  /// there, in any order, once: where they need no more than to be put in order, which a collector
  /// would only delay. Else none: they are to be pushed.
  std::span<Hit> list(std::size_t q, std::size_t count, std::size_t k) {
    const bool few = segments() == 1 ? count <= 4 * k + 16 : count <= k;
    if (pool_ || !few || lists_[q].count > 0) return {};
    if (listed_.empty()) listed_.reserve(queries_ * std::min<std::size_t>(k + 2, 1024));
    lists_[q] = {listed_.size(), count};
    listed_.resize(listed_.size() + count);
    return listed(q);
  }

  /// The number of the query's hits so far.
  std::size_t size(std::size_t q) const {
    std::size_t rows = lists_[q].count;
    for (std::size_t i = q; i < collectors_.size(); i += queries_) rows += collectors_[i].size();
    return rows;
  }

  /// The best k of the query and rows of other segments that equal the last of them, best first, as
  /// long as the finds are not opened again. Once a query, by who is alone with it.
  std::span<const Hit> take(std::size_t q, std::size_t k) {
    if (lists_[q].count > 0) {
      const std::span<Hit> found = listed(q);
      sort_by_score(found, [](const Hit& a, const Hit& b) {
        if (a.score != b.score) return a.score > b.score;
        if (a.segment != b.segment) return a.segment < b.segment;
        return a.passage != b.passage ? a.passage < b.passage : a.row < b.row;
      });
      return found.first(std::min(k, found.size()));
    }
    return taken_[q] = collected(q, k);
  }

 private:
  struct List {
    std::size_t first = 0, count = 0;
  };

  std::size_t segments() const { return queries_ == 0 ? 0 : collectors_.size() / queries_; }
  Collector& at(std::size_t segment, std::size_t q) { return collectors_[segment * queries_ + q]; }
  std::span<Hit> listed(std::size_t q) {
    return std::span(listed_).subspan(lists_[q].first, lists_[q].count);
  }

  std::vector<Hit> collected(std::size_t q, std::size_t k) {
    std::vector<Hit> best;
    for (std::size_t s = 0; s < segments(); ++s) {
      const std::vector<Entry> entries = at(s, q).take();
      if (s == 0) best.reserve(entries.size());
      // (Of more than k that were kept to be scored again, those that equal the k-th lose by their
      // rows.)
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
  std::vector<Collector> collectors_;    // segments * queries
  std::vector<Hit> listed_;              // of the queries that have a list
  std::vector<List> lists_;              // one a query: where its rows are in listed_
  std::vector<std::vector<Hit>> taken_;  // one a query
};

}  // namespace asof::vector
