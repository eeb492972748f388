// Exactness of a scan that reads panels instead of f32 vectors.
#pragma once

#include <cstdint>

namespace asof {

/// certified: the best k by the f32 vectors. rescored: the best 4 k by the panels alone, scored and
/// ordered by the f32 vectors. raw: the best k by the panels alone, with the panels' scores.
enum class Exactness : std::uint8_t { certified, rescored, raw };

}  // namespace asof
