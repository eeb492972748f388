// Scalar reference implementation.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/decay/contract.hpp"

namespace asof::decay::reference {
namespace {

float not_below(double value) {
  const float nearest = static_cast<float>(std::max(value, 0x1p-100));
  return static_cast<double>(nearest) < value
             ? std::nextafter(nearest, std::numeric_limits<float>::infinity())
             : nearest;
}

template <typename Tick>
void rows(const spline::Intervals<Tick>& intervals, const TickScale& scale, const Curve& curve,
          float* out) {
  const auto [starts, ends, offsets, n] = intervals;
  for (std::size_t r = 0; r < n; ++r) {
    const std::size_t from = offsets ? offsets[r] : r, to = offsets ? offsets[r + 1] : r + 1;
    double value = -1;
    for (std::size_t i = from; i < to; ++i) {
      if (starts[i] == ReservedTicks<Tick>::absent) continue;
      const double distance = distance_of(milliseconds_of(starts[i], scale),
                                          milliseconds_of(ends[i], scale), curve.at_ms);
      value = std::max(value, value_of(curve, distance));
    }
    out[r] = not_below(value < 0 ? curve.outside : value);
  }
}

}  // namespace

const Kernels kernels = {rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::decay::reference

ASOF_DISPATCH(decay)
