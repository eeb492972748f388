// Filter of a block's lexical scores by a minimum, without branches.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "index/rows/mask.hpp"

namespace asof {

/// Sets in `rows` the bits of the `visible` rows that score `least` or more. Returns the best score
/// of the 64-row words that hold a visible row. Scores are finite and not negative.
inline float filter_block(std::span<const float> scores, float least, const BlockBits& visible,
                          BlockBits& rows) {
  const std::size_t count = scores.size();
  constexpr std::size_t lanes = 16;
  float highest[lanes] = {};
  for (std::size_t word = 0; 64 * word < count; ++word) {
    if (visible[word] == 0) continue;
    const std::size_t end = std::min<std::size_t>(64, count - 64 * word);
    const float* values = scores.data() + 64 * word;
    std::uint64_t bits = 0;
    std::size_t i = 0;
    for (; i + lanes <= end; i += lanes) {
      std::uint8_t passes[lanes];
      for (std::size_t j = 0; j < lanes; ++j) passes[j] = values[i + j] >= least;
      for (std::size_t j = 0; j < lanes; ++j)
        highest[j] = values[i + j] > highest[j] ? values[i + j] : highest[j];
      std::uint64_t halves[2];
      std::memcpy(halves, passes, lanes);
      // Gathers the lowest bits of eight bytes.
      bits |= (halves[0] * 0x0102040810204080 >> 56 | halves[1] * 0x0102040810204080 >> 56 << 8)
              << i;
    }
    for (; i < end; ++i) {
      bits |= std::uint64_t{values[i] >= least} << i;
      highest[0] = std::max(highest[0], values[i]);
    }
    rows[word] = bits & visible[word];
  }
  return *std::max_element(highest, highest + lanes);
}

}  // namespace asof
