// What a row must score to be among the best k of a query, known to all threads as early as can be:
// the scores of the best rows (the best of each passage where they pool) that any thread has seen,
// and of those that were likely to lead. It keeps scores, no results.
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
  /// `best` is the threshold that threads share, raised to what k rows reach: what is strictly
  /// below cannot be among the best k.
  void open(std::size_t k, bool pool, std::atomic<double>& best) {
    k_ = k;
    pool_ = pool;
    best_ = &best;
    repeats_ = pool;
    seen_.clear();
  }

  /// From now on a row may come twice: it counts once.
  void expect_repeats() {
    std::lock_guard lock(mutex_);
    repeats_ = true;
  }

  /// Raises the threshold to what k rows have reached by now.
  void settle() {
    std::lock_guard lock(mutex_);
    cut();
  }

  /// `score` is the row's, or no more than that.
  void push(std::size_t segment, std::uint32_t passage, std::uint32_t row, double score) {
    if (k_ == 0 || k_ > most || !(score > best_->load(std::memory_order_relaxed))) return;
    std::lock_guard lock(mutex_);
    seen_.push_back({static_cast<std::uint64_t>(segment) << 32 | (pool_ ? passage : row), score});
    if (seen_.size() >= k_ + k_ / 4 + 16) cut();
  }

 private:
  static constexpr std::size_t most = 8192;  // of more, keeping them costs more than they save
  struct Seen {
    std::uint64_t name;
    double score;
  };

  void cut() {
    if (repeats_) keep_best_of_names();
    if (seen_.size() < k_ || k_ == 0) return;
    auto last = seen_.begin() + static_cast<std::ptrdiff_t>(k_ - 1);
    std::nth_element(seen_.begin(), last, seen_.end(),
                     [](const Seen& a, const Seen& b) { return a.score > b.score; });
    raise(*best_, last->score);
    seen_.resize(k_);
  }

  void keep_best_of_names() {
    std::sort(seen_.begin(), seen_.end(), [](const Seen& a, const Seen& b) {
      return a.name != b.name ? a.name < b.name : a.score > b.score;
    });
    seen_.erase(std::unique(seen_.begin(), seen_.end(),
                            [](const Seen& a, const Seen& b) { return a.name == b.name; }),
                seen_.end());
  }

  std::size_t k_ = 0;
  bool pool_ = false, repeats_ = false;
  std::atomic<double>* best_ = nullptr;
  std::mutex mutex_;
  std::vector<Seen> seen_;
};

}  // namespace asof::vector
