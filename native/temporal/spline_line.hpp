// Line of a spline over a window, and its value for one interval in double (kernels/spline has the
// equations). The functions are not for sources compiled once per level.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

namespace asof::spline {

inline constexpr double day_ms = 86'400'000;

struct Line {
  double start_ms, end_ms;  // the window
  double at_start, at_end, outside;
  double unit_ms;  // day_ms, or 0 for continuous time
};

constexpr bool meets(double start, double end, const Line& line) {
  if (start == end) return start >= line.start_ms && start < line.end_ms;
  return start < line.end_ms && end > line.start_ms && line.start_ms < line.end_ms;
}

/// 1 / span, not below it in its product with the span: the last instant of a window stands at 1
/// exactly. span > 0.
constexpr double inverse_of(double span) {
  const double inverse = 1 / span;
  return inverse * span < 1 ? std::bit_cast<double>(std::bit_cast<std::uint64_t>(inverse) + 1)
                            : inverse;
}

/// The best of the line over the interval, which meets its window.
constexpr double best_of(double start, double end, const Line& line) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (line.start_ms == -infinity || line.start_ms == infinity) return line.at_end;
  if (line.end_ms == -infinity || line.end_ms == infinity) return line.at_start;
  const double span = line.end_ms - line.start_ms - line.unit_ms;
  if (!(span > 0)) return line.at_start < line.at_end ? line.at_end : line.at_start;
  if (line.at_start == line.at_end) return line.at_start;
  const double first = start < line.start_ms ? line.start_ms : start;
  const double end_within = (line.end_ms < end ? line.end_ms : end) - line.unit_ms;
  const double t = line.at_end > line.at_start ? (first < end_within ? end_within : first) : first;
  const double p = (t - line.start_ms) * inverse_of(span);
  return p < 1 ? (1 - p) * line.at_start + p * line.at_end : line.at_end;
}

}  // namespace asof::spline
