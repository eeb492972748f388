// Which rows of a block have enough of words to be looked at: a comparison of floats as they lie,
// for scans that ask it of every row of a corpus. It knows no query; what is enough is its caller's
// to say.
#pragma once

#include <algorithm>
#include <cstring>

#include "index/vector/times/mask.hpp"

namespace asof::vector {

/// Sets the bits of those of the `seen` rows whose words score `least` or more; gives the best
/// score of any row of words that hold a seen one. Words' scores are numbers.
inline float reaching(const float* words, std::size_t count, float least, const BlockBits& seen,
                      BlockBits& reach) {
  constexpr std::size_t lanes = 16;
  float highest[lanes] = {};  // no word scores less than 0
  for (std::size_t word = 0; 64 * word < count; ++word) {
    if (seen[word] == 0) continue;
    const std::size_t end = std::min<std::size_t>(64, count - 64 * word);
    const float* values = words + 64 * word;
    std::uint64_t bits = 0;
    std::size_t i = 0;
    for (; i + lanes <= end; i += lanes) {
      std::uint8_t passes[lanes];
      for (std::size_t j = 0; j < lanes; ++j) passes[j] = values[i + j] >= least;
      for (std::size_t j = 0; j < lanes; ++j)
        highest[j] = values[i + j] > highest[j] ? values[i + j] : highest[j];
      std::uint64_t halves[2];
      std::memcpy(halves, passes, lanes);
      // The lowest bits of eight bytes, side by side.
      bits |= (halves[0] * 0x0102040810204080 >> 56 | halves[1] * 0x0102040810204080 >> 56 << 8)
              << i;
    }
    for (; i < end; ++i) {
      bits |= std::uint64_t{values[i] >= least} << i;
      highest[0] = std::max(highest[0], values[i]);
    }
    reach[word] = bits & seen[word];
  }
  return *std::max_element(highest, highest + lanes);
}

}  // namespace asof::vector
