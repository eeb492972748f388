// Running top k as a binary heap, and the scalar reference of its threshold filter.
#include "kernels/top_k/contract.hpp"

#include <algorithm>
#include <cmath>

namespace asof::top_k {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr std::size_t first_room = 1024;  // of a large k, which may not fill
constexpr std::size_t block = 1024;       // scores per test of the threshold

}  // namespace

TopK::TopK(std::size_t k) : k_(k), threshold_(k == 0 ? infinity : -infinity) {
  heap_.reserve(std::min(k, first_room));
}

void TopK::offer(const Entry& entry) {
  if (heap_.size() < k_) {
    heap_.push_back(entry);
    std::push_heap(heap_.begin(), heap_.end(), ranks_before);
  } else {
    if (k_ == 0 || !ranks_before(entry, heap_.front())) return;
    std::pop_heap(heap_.begin(), heap_.end(), ranks_before);
    heap_.back() = entry;
    std::push_heap(heap_.begin(), heap_.end(), ranks_before);
  }
  if (heap_.size() == k_) threshold_ = heap_.front().score;
}

void TopK::merge(const TopK& other) {
  for (const Entry& entry : other.heap_) push(entry.score, entry.key, entry.payload);
}

std::vector<Entry> TopK::drain() {
  std::vector<Entry> sorted;
  sorted.swap(heap_);
  std::sort(sorted.begin(), sorted.end(), ranks_before);
  threshold_ = k_ == 0 ? infinity : -infinity;
  return sorted;
}

std::vector<Entry> select(const float* scores, std::size_t n, std::size_t k,
                          const Kernels& kernels) {
  TopK best(k);
  std::uint32_t indices[block];
  for (std::size_t first = 0; first < n && k > 0; first += block) {
    // Indices ascend, so a score equal to a full heap's worst cannot enter: only higher ones can.
    float threshold = best.size() == k ? std::nextafter(best.threshold(), infinity) : -infinity;
    std::size_t count =
        kernels.at_least(scores + first, std::min(block, n - first), threshold, indices);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t index = static_cast<std::uint32_t>(first) + indices[i];
      best.push(scores[index], index, index);
    }
  }
  return best.drain();
}

namespace reference {

static std::size_t at_least(const float* scores, std::size_t n, float threshold,
                            std::uint32_t* indices) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (scores[i] >= threshold) indices[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

const Kernels kernels = {at_least};

}  // namespace reference
}  // namespace asof::top_k

ASOF_DISPATCH(top_k)
