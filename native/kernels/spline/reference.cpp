// The plain form of contract.hpp, one interval at a time.
#include "kernels/spline/contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/clock_column.hpp"

namespace asof::spline::reference {
namespace {

// kernels/ticks.hpp repeats what the packed columns reserve, because files compiled once a level cannot include theirs.
static_assert(ReservedTicks<std::int32_t>::absent == ticks<std::int32_t>::absent && ReservedTicks<std::int64_t>::absent == ticks<std::int64_t>::absent);
static_assert(ReservedTicks<std::int32_t>::past == ticks<std::int32_t>::past && ReservedTicks<std::int64_t>::past == ticks<std::int64_t>::past);
static_assert(ReservedTicks<std::int32_t>::future == ticks<std::int32_t>::future && ReservedTicks<std::int64_t>::future == ticks<std::int64_t>::future);

double instant(double value, const TickScale&) { return value; }

template <typename Tick>
double instant(Tick tick, const TickScale& scale) { return milliseconds_of(tick, ClockEncoding{scale.unit_ms, scale.origin_ms}); }

bool meets(double start, double end, const Line& line) {
  if (start == end) return start >= line.start_ms && start < line.end_ms;
  return start < line.end_ms && end > line.start_ms && line.start_ms < line.end_ms;
}

double inverse_of(double span) {
  double inverse = 1 / span;
  return inverse * span < 1 ? std::nextafter(inverse, std::numeric_limits<double>::infinity()) : inverse;
}

double best_of(double start, double end, const Line& line) {
  if (std::isinf(line.start_ms)) return line.at_end;
  if (std::isinf(line.end_ms)) return line.at_start;
  double span = line.end_ms - line.start_ms - line.unit_ms;
  if (!(span > 0)) return std::max(line.at_start, line.at_end);
  if (line.at_start == line.at_end) return line.at_start;
  double first = std::max(start, line.start_ms), last = std::max(first, std::min(end, line.end_ms) - line.unit_ms);
  double t = line.at_end > line.at_start ? last : first;
  double p = std::min(1.0, (t - line.start_ms) * inverse_of(span));
  return (1 - p) * line.at_start + p * line.at_end;
}

template <typename Instant>
void rows(const Instant* starts, const Instant* ends, const TickScale& scale, const std::uint32_t* offsets, std::size_t n, const Line& line, float* out) {
  for (std::size_t r = 0; r < n; ++r) {
    std::size_t from = offsets ? offsets[r] : r, to = offsets ? offsets[r + 1] : r + 1;
    bool dated = false;
    double best = line.outside;
    for (std::size_t i = from; i < to; ++i) {
      double start = instant(starts[i], scale), end = instant(ends[i], scale);
      if (!(start <= end)) continue;
      double value = meets(start, end, line) ? best_of(start, end, line) : line.outside;
      if (!dated || value > best) best = value;
      dated = true;
    }
    out[r] = static_cast<float>(best);
  }
}

}  // namespace

const Kernels kernels = {rows<double>, rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::spline::reference

ASOF_DISPATCH(spline)
