// Temporal part of a query: masks and score forms as plain data, for the host and for devices, with
// the semantics of lib/time/temporalForms.ts. All times are UTC epoch milliseconds; infinities are
// open ends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/infinity.hpp"
#include "kernels/decay/formula.hpp"

namespace asof::temporal {

enum class Clock : std::uint8_t { content, published, validity };
enum class Relation : std::uint8_t {
  overlaps,
  within,
  contains
};  // what the row's time does to the window
enum class Combine : std::uint8_t { none, product, sum };

struct Window {
  double start = -infinity, end = infinity;  // half-open; equal ends mean that instant
  bool operator==(const Window&) const = default;
};

struct Mask {
  double published_until = infinity;  // inclusive
  bool has_window = false;
  Clock clock = Clock::content;
  Relation relation = Relation::overlaps;
  Window window;
  bool operator==(const Mask&) const = default;
};

inline constexpr std::size_t max_lines = 8;

/// A line of a spline over its window.
struct Line {
  Window window;
  double at_start = 1, at_end = 1;
  double longest_ms = infinity;  // longer intervals are not on it
};

/// product: the spline (lines, outside) or a decay. sum: the recency (at, floor_days, weight), or
/// weight times a decay.
struct Form {
  Combine combine = Combine::none;
  Clock clock = Clock::content;
  bool validity_first =
      false;  // rows that have validity are read by it alone, the others by `clock`
  std::array<Line, max_lines> lines;
  std::size_t line_count = 0;
  double outside = 1;
  double at = 0, floor_days = 1, weight = 0;
  decay::Curve curve;  // none: a spline or a recency

  constexpr bool decays() const { return curve.shape != decay::Shape::none; }
  /// Whether it adds a recency, which is normalized over the rows.
  constexpr bool normalizes() const { return combine == Combine::sum && !decays(); }
  /// Upper bound of the factor of a product.
  constexpr double max_factor() const {
    if (decays()) return 1;
    double most = outside;
    for (std::size_t l = 0; l < line_count; ++l) {
      const double line = lines[l].at_start < lines[l].at_end ? lines[l].at_end : lines[l].at_start;
      most = most < line ? line : most;
    }
    return most;
  }
};

/// A window whose ends are equal is that instant: a millisecond long.
constexpr Window opened(Window window) {
  if (window.start == window.end) window.end += 1;
  return window;
}

}  // namespace asof::temporal
