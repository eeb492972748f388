// Bisection over order-preserving keys.
#include "index/vector/kth_largest.hpp"

#include <limits>

namespace asof::vector {
namespace {

std::size_t count_from(const std::int32_t* keys, std::size_t n, std::int32_t least) {
  std::int32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += keys[i] >= least;
  return static_cast<std::size_t>(count);
}

}  // namespace

std::int32_t kth_largest(const std::vector<std::int32_t>& keys, std::size_t rank) {
  const std::size_t n = keys.size();
  std::int32_t low = std::numeric_limits<std::int32_t>::max(),
               high = std::numeric_limits<std::int32_t>::min();
  for (std::size_t i = 0; i < n; ++i) {
    low = keys[i] < low ? keys[i] : low;
    high = keys[i] > high ? keys[i] : high;
  }
  // At least `rank` keys are `low` or more, fewer are above `high`.
  while (low < high) {
    const std::int32_t middle =
        static_cast<std::int32_t>(low + (static_cast<std::int64_t>(high) - low + 1) / 2);
    const std::size_t count = count_from(keys.data(), n, middle);
    if (count == rank) {
      std::int32_t least = std::numeric_limits<std::int32_t>::max();
      for (std::size_t i = 0; i < n; ++i) {
        const std::int32_t key =
            keys[i] >= middle ? keys[i] : std::numeric_limits<std::int32_t>::max();
        least = key < least ? key : least;
      }
      return least;
    }
    if (count > rank)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

}  // namespace asof::vector
