// What all threads have found of a group of queries: the best rows of every segment, a collector each, since ties between segments are left
// to the caller.
#pragma once

#include <mutex>

#include "index/flat/collector.hpp"

namespace asof::flat {

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

  /// For who is alone with the query.
  Collector& at(std::size_t segment, std::size_t q) { return collectors_[segment * queries_ + q]; }

 private:
  std::size_t queries_ = 0;
  std::mutex mutex_;
  std::vector<Collector> collectors_;
};

}  // namespace asof::flat
