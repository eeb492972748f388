// Positive infinity of doubles: open ends of time and thresholds that nothing reaches.
#pragma once

#include <limits>

namespace asof {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace asof
