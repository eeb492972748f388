// What all threads have found of a group of queries: the best rows of every segment, a collector each, since ties between segments are left
// to the caller.
#pragma once

#include <mutex>

#include "index/flat/collector.hpp"

namespace asof::flat {

struct Find {
  Entry entry;
  std::uint32_t segment;
};

class Finds {
 public:
  /// `keep` is how many rows (or passages, where they pool) each query keeps.
  void open(std::size_t segments, const std::vector<std::size_t>& keep, bool pool) {
    queries_ = keep.size();
    collectors_.clear();
    for (std::size_t s = 0; s < segments; ++s) {
      for (const std::size_t k : keep) collectors_.emplace_back(k, pool);
    }
  }

  void push(std::size_t segment, std::size_t q, const std::vector<Entry>& entries) {
    if (entries.empty()) return;
    std::lock_guard lock(mutex_);
    at(segment, q).append(entries);
  }

  void drop(std::size_t segment, std::size_t q) { at(segment, q).take(); }

  /// Rows that are kept of the query, its best and at most a few times as many.
  std::size_t held(std::size_t q) const {
    std::size_t rows = 0;
    for (std::size_t i = q; i < collectors_.size(); i += queries_) rows += collectors_[i].size();
    return rows;
  }

  /// The best k of the query and rows of other segments that equal the last of them, best first; the query's finds are empty afterwards. For who is alone with it.
  std::vector<Find> take(std::size_t q, std::size_t k) {
    std::vector<Find> best;
    const std::size_t segments = queries_ == 0 ? 0 : collectors_.size() / queries_;
    for (std::size_t s = 0; s < segments; ++s) {
      const std::vector<Entry> entries = at(s, q).take();
      if (s == 0) best.reserve(entries.size());
      // (Of more than k that were kept to be scored again, those that equal the k-th lose by their rows.)
      for (std::size_t i = 0; i < std::min(k, entries.size()); ++i) best.push_back({entries[i], static_cast<std::uint32_t>(s)});
    }
    // Stable, so that within a score segments ascend, and passages within a segment.
    if (segments > 1) std::stable_sort(best.begin(), best.end(), [](const Find& a, const Find& b) { return a.entry.score > b.entry.score; });
    if (best.size() <= k) return best;
    const double last = best[k - 1].entry.score;
    const auto rest = best.begin() + static_cast<std::ptrdiff_t>(k);
    best.erase(std::find_if(rest, best.end(), [&](const Find& each) { return each.entry.score < last; }), best.end());
    return best;
  }

 private:
  Collector& at(std::size_t segment, std::size_t q) { return collectors_[segment * queries_ + q]; }

  std::size_t queries_ = 0;
  std::mutex mutex_;
  std::vector<Collector> collectors_;
};

}  // namespace asof::flat
