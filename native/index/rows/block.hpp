// Blocks of consecutive rows: the unit of time summaries, suffix norms and visibility bitmaps.
#pragma once

#include <cstddef>

namespace asof {

inline constexpr std::size_t block_rows = 256;

}  // namespace asof
