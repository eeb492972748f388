// MRAG's spline (section 4, appendix G; docs/papers/mrag.md): a line over a window, evaluated at
// the best instant that a row's intervals share with the window.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"
#include "core/ticks.hpp"
#include "temporal/spline_line.hpp"

// The window is [start, end), its unit u, its last instant end - u. Instant t stands at
//   p(t) = (t - start) / (end - start - u), clamped to [0, 1]
// so the first unit has p = 0 and the last p = 1, and
//   line(t) = (1 - p) at_start + p at_end
// is at_start and at_end exactly at the two ends. With u a day, the first and the last day get the
// two values exactly; with u a year it is the published code's line over whole years; with u = 0
// time is continuous, which is what the fused scan evaluates. A row's interval [s, e) shares
// [max(s, start), min(e, end)) with the window where that is not empty; the best of it is
//   line(max(s, start))                   where the line falls
//   line(max(s, start, min(e, end) - u))  where the line rises (the last unit begins at e - u)
// An interval that shares nothing with the window counts `outside`. score(row) = the highest over
// its intervals; `outside` for a row that has none.
//
// Choices. s = e is the instant s. Infinite ends of an interval clip to the window. A window with
// an open end has the line's limit: at_end where the start is open, at_start where only the end is.
// A window of one unit or less is its own first and last unit: the higher of at_start and at_end.
// Nothing meets an empty window. An interval that is absent (NaN, the reserved tick) or backward (s
// > e) does not count. at_start, at_end and outside are finite, u >= 0.
//
// Accumulator: double. p is a product with the inverse of end - start - u, rounded up so that the
// last unit gets 1 exactly. Tolerance: 4 roundings of p and 3 of the line in double, one to float:
//   |out - exact| <= 2^-24 |exact| + 2^-50 (|at_start| + |at_end|)
// with the same bits at every level and for ticks and milliseconds.

namespace asof::spline {

/// Intervals [starts[i], ends[i]) of n rows. Row r has those from offsets[r] up to offsets[r + 1]
/// (n + 1 offsets, ascending, counted from starts[0]; offsets[0] need not be 0), or exactly
/// interval r where offsets is null.
template <typename Instant>
struct Intervals {
  const Instant* starts;
  const Instant* ends;
  const std::uint32_t* offsets;
  std::size_t n;
};

/// Writes out[0..n).
template <typename Instant>
using Rows = void (*)(const Intervals<Instant>& intervals, const TickScale& scale, const Line& line,
                      float* out);

struct Kernels {
  Rows<double> milliseconds;  // scale is not read
  Rows<std::int32_t> ticks32;
  Rows<std::int64_t> ticks64;
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::spline
