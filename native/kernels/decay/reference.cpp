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
void rows(const spline::Intervals<Tick>& intervals, const TickScale& scale,
          const temporal::Form& form, float* out) {
  temporal::with_decay(form.kind, [&](auto kind) {
    const auto [starts, ends, offsets, n] = intervals;
    for (std::size_t r = 0; r < n; ++r) {
      const std::size_t from = offsets ? offsets[r] : r, to = offsets ? offsets[r + 1] : r + 1;
      double value = -1;
      for (std::size_t i = from; i < to; ++i) {
        if (starts[i] == ReservedTicks<Tick>::absent) continue;
        const double distance = kind.distance(milliseconds_of(starts[i], scale),
                                              milliseconds_of(ends[i], scale), form.decay.at_ms);
        value = std::max(value, kind.at_distance(form.decay, distance));
      }
      out[r] = not_below(value < 0 ? form.decay.outside : value);
    }
  });
}

}  // namespace

const Kernels kernels = {rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::decay::reference

ASOF_DISPATCH(decay)
