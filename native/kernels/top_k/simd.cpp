// Threshold filter before the heap: vectors of scores below it are skipped with one comparison.
#include "kernels/top_k/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::top_k {
namespace {

std::size_t at_least(const float* scores, std::size_t n, float threshold, std::uint32_t* indices) {
  std::size_t count = 0, i = 0;
  for (; i + width <= n; i += width) {
    for (unsigned passing = bits(load(scores + i) >= threshold); passing != 0;
         passing &= passing - 1) {
      indices[count++] =
          static_cast<std::uint32_t>(i) + static_cast<unsigned>(__builtin_ctz(passing));
    }
  }
  for (; i < n; ++i) {
    if (scores[i] >= threshold) indices[count++] = static_cast<std::uint32_t>(i);
  }
  return count;
}

}  // namespace

extern const ::asof::top_k::Kernels kernels;
const ::asof::top_k::Kernels kernels = {at_least};

}  // namespace asof::ASOF_LEVEL::top_k
