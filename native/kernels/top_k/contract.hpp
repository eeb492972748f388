// Exact selection of the k best of many scores. An entry carries a number of the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/isa.hpp"

// Order: higher score first; equal scores (-0 equals +0) by the lower key. NaN is never selected;
// -infinity is a score like any other. k = 0 selects nothing; k > n selects all. Exact at every
// level: only comparisons are made, so all levels and the reference give the same entries.

namespace asof::top_k {

struct Entry {
  float score;
  std::uint32_t payload;  // the caller's; takes no part in the order
  std::uint64_t key;      // breaks ties, lower first; unique where the order is to be
};

/// Whether a comes before b in a ranking.
__attribute__((always_inline)) inline bool ranks_before(const Entry& a, const Entry& b) {
  return a.score > b.score || (a.score == b.score && a.key < b.key);
}

/// A running top k over scores that arrive in any order. Not for several threads at once: each
/// keeps its own, then merge.
class TopK {
 public:
  explicit TopK(std::size_t k);

  std::size_t k() const { return k_; }
  std::size_t size() const { return heap_.size(); }

  /// A score below it cannot enter any more; one equal to it can, with a lower key. -infinity until
  /// k are held; +infinity for k = 0. It never falls.
  __attribute__((always_inline)) float threshold() const { return threshold_; }

  /// Offers an entry.
  __attribute__((always_inline)) void push(float score, std::uint64_t key, std::uint32_t payload) {
    if (score >= threshold_) offer({score, payload, key});
  }

  /// Offers all entries of another.
  void merge(const TopK& other);

  /// The entries kept, best first; leaves this empty, for another use.
  std::vector<Entry> drain();

 private:
  void offer(const Entry& entry);
  std::size_t k_;
  float threshold_;
  std::vector<Entry> heap_;  // a heap whose front ranks last
};

struct Kernels {
  /// Writes the indices i of scores[i] >= threshold in ascending order and returns their number;
  /// `indices` has room for n.
  std::size_t (*at_least)(const float* scores, std::size_t n, float threshold,
                          std::uint32_t* indices);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

/// The k best of scores[0..n), best first, ties to the lower index; `key` and `payload` are the
/// index. n below 2^32.
std::vector<Entry> select(const float* scores, std::size_t n, std::size_t k,
                          const Kernels& kernels);

}  // namespace asof::top_k
