// Top-k collector: the best k rows, or the best row of each of the k best passages, of scored rows
// in any order. The order is total (score descending, passage, row ascending), so the
// result depends on neither arrival nor threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "index/vector/request.hpp"

namespace asof::vector {

struct Entry {
  double score;
  float similarity;
  std::uint32_t row, passage;
};

inline bool before(const Entry& a, const Entry& b) {
  if (a.score != b.score) return a.score > b.score;
  return a.passage != b.passage ? a.passage < b.passage : a.row < b.row;
}

/// Puts them in order.
void sort_entries(std::vector<Entry>& entries);

/// Keeps the best k, in any order, and returns the last of them; 1 <= k <= their number, and no
/// score is NaN.
Entry keep_best(std::vector<Entry>& entries, std::size_t k);

class Collector {
 public:
  Collector() = default;
  Collector(std::size_t k, bool pool) : k_(k), pool_(pool), room_(3 * k + 64) {}

  /// Rows that score less cannot be in the best k so far; those of equal score can.
  double threshold() const { return threshold_; }

  void push(const Entry& entry) {
    if (full_ && !before(entry, worst_)) return;
    entries_.push_back(entry);
    if (entries_.size() >= room_) prune();
  }

  void append(const std::vector<Entry>& entries) {
    if (entries_.empty()) entries_.reserve(std::min(entries.size(), room_));
    for (const Entry& entry : entries) push(entry);
  }

  /// The best k in order; the collector is empty afterwards.
  std::vector<Entry> take() {
    if (pool_ || entries_.size() > k_) prune();
    sort_entries(entries_);
    full_ = false;
    threshold_ = -infinity;
    return std::exchange(entries_, {});
  }

  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }

 private:
  void prune() {
    if (pool_) keep_best_of_passages();
    if (entries_.size() < k_ || k_ == 0) {
      if (k_ == 0) entries_.clear();
      return;
    }
    worst_ = keep_best(entries_, k_);
    full_ = true;
    threshold_ = worst_.score;
  }

  void keep_best_of_passages() {
    auto by_passage = [](const Entry& a, const Entry& b) {
      return a.passage != b.passage ? a.passage < b.passage : before(a, b);
    };
    std::sort(entries_.begin(), entries_.end(), by_passage);
    auto same = [](const Entry& a, const Entry& b) { return a.passage == b.passage; };
    entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
  }

  std::size_t k_ = 0;
  bool pool_ = false;
  std::size_t room_ = 0;
  std::vector<Entry> entries_;
  bool full_ = false;
  Entry worst_{};
  double threshold_ = -infinity;
};

}  // namespace asof::vector
