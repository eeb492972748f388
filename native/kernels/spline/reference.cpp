// Scalar reference implementation.
#include "kernels/spline/contract.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asof::spline::reference {
namespace {

double instant(double value, const TickScale&) {
  return value;
}

template <typename Tick>
double instant(Tick tick, const TickScale& scale) {
  return milliseconds_of(tick, scale);
}

template <typename Instant>
void rows(const Intervals<Instant>& intervals, const TickScale& scale, const Line& line,
          float* out) {
  const auto [starts, ends, offsets, n] = intervals;
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
