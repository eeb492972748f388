// Shared top-k threshold of a query: the k-th best score of the rows, or passages, of all threads
// so far.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <vector>

#include "index/vector/selection.hpp"

namespace asof::vector {

class TopKThreshold {
 public:
  /// `best` is the threshold that threads share, raised to the k-th best score: rows of lower
  /// scores are no results.
  void open(std::size_t k, bool pool, std::atomic<double>& best) {
    k_ = k;
    pool_ = pool;
    best_ = &best;
    deduplicates_ = pool;
    scores_.clear();
  }

  /// From now on a row may be pushed twice, and counts once.
  void deduplicate() {
    std::lock_guard lock(mutex_);
    deduplicates_ = true;
  }

  /// Raises the threshold to the k-th best score so far.
  void update() {
    std::lock_guard lock(mutex_);
    prune();
  }

  /// `score` is the row's score or a lower bound of it.
  void push(std::size_t segment, std::uint32_t passage, std::uint32_t row, double score) {
    if (k_ == 0 || k_ > max_k || !(score > best_->load(std::memory_order_relaxed))) return;
    std::lock_guard lock(mutex_);
    scores_.push_back({static_cast<std::uint64_t>(segment) << 32 | (pool_ ? passage : row), score});
    if (scores_.size() >= k_ + k_ / 4 + 16) prune();
  }

 private:
  static constexpr std::size_t max_k = 8192;  // of more, keeping them costs more than they save
  struct ScoredKey {
    std::uint64_t key;
    double score;
  };

  void prune() {
    if (deduplicates_) keep_best_of_keys();
    if (scores_.size() < k_ || k_ == 0) return;
    auto last = scores_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(scores_.begin(), last, scores_.end(),
                     [](const ScoredKey& a, const ScoredKey& b) { return a.score > b.score; });
    raise(*best_, last->score);
    scores_.resize(k_);
  }

  void keep_best_of_keys() {
    std::sort(scores_.begin(), scores_.end(), [](const ScoredKey& a, const ScoredKey& b) {
      return a.key != b.key ? a.key < b.key : a.score > b.score;
    });
    scores_.erase(
        std::unique(scores_.begin(), scores_.end(),
                    [](const ScoredKey& a, const ScoredKey& b) { return a.key == b.key; }),
        scores_.end());
  }

  std::size_t k_ = 0;
  bool pool_ = false, deduplicates_ = false;
  std::atomic<double>* best_ = nullptr;
  std::mutex mutex_;
  std::vector<ScoredKey> scores_;
};

}  // namespace asof::vector
