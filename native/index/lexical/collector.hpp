// Top-k collector of rows, or of passages by their best row, for rows of which those of a passage
// are offered one after another.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <vector>

#include "index/lexical/bm25.hpp"

namespace asof::lexical {

struct Hit {
  double score;
  std::uint32_t segment, passage, row;
};

inline bool better(const Hit& a, const Hit& b) {
  if (a.score != b.score) return a.score > b.score;
  if (a.segment != b.segment) return a.segment < b.segment;
  if (a.passage != b.passage) return a.passage < b.passage;
  return a.row < b.row;
}

class Collector {
 public:
  /// `shared` is the query's threshold of all threads: rows that score less are no results.
  Collector(std::size_t k, bool pool, std::atomic<double>& shared)
      : k_(k), pool_(pool), shared_(shared) {}

  /// The least score of rows to offer.
  double floor() const { return shared_.load(std::memory_order_relaxed); }

  void offer(const Hit& hit) {
    if (!pool_) return keep(hit);
    if (has_passage_ && passage_best_.passage == hit.passage) {
      if (hit.score > passage_best_.score) passage_best_ = hit;
      return;
    }
    flush();
    passage_best_ = hit;
    has_passage_ = true;
  }

  std::vector<Hit>& finish() {
    flush();
    return heap_;
  }

 private:
  void flush() {
    if (has_passage_) keep(passage_best_);
    has_passage_ = false;
  }

  void keep(const Hit& hit) {
    if (heap_.size() == k_) {
      if (!better(hit, heap_.front())) return;
      std::pop_heap(heap_.begin(), heap_.end(), better);
      heap_.back() = hit;
    } else {
      heap_.push_back(hit);
    }
    std::push_heap(heap_.begin(), heap_.end(), better);
    if (heap_.size() < k_) return;
    const double worst = heap_.front().score;
    double before = shared_.load(std::memory_order_relaxed);
    while (before < worst &&
           !shared_.compare_exchange_weak(before, worst, std::memory_order_relaxed)) {
    }
  }

  std::size_t k_;
  bool pool_;
  std::atomic<double>& shared_;
  bool has_passage_ = false;
  Hit passage_best_{};
  std::vector<Hit> heap_;  // the worst on top
};

}  // namespace asof::lexical
