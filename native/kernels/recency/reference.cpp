// Scalar reference implementation.
#include "kernels/recency/contract.hpp"

#include <cmath>
#include <limits>

namespace asof::recency::reference {
namespace {

constexpr double day_ms = 86'400'000;

double instant(double value, const TickScale&) {
  return value;
}

template <typename Tick>
double instant(Tick tick, const TickScale& scale) {
  return milliseconds_of(tick, scale);
}

template <typename Instant>
void rows(const Instant* published, std::size_t n, const TickScale& scale, const Decay& decay,
          float* out) {
  const double at_ms = decay.at_ms, floor_days = decay.floor_days;
  for (std::size_t i = 0; i < n; ++i) {
    double when = instant(published[i], scale), age = (at_ms - when) / day_ms;
    out[i] = std::isnan(when) ? std::numeric_limits<float>::quiet_NaN()
                              : static_cast<float>(1 / (age > floor_days ? age : floor_days));
  }
}

}  // namespace

const Kernels kernels = {rows<double>, rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::recency::reference

ASOF_DISPATCH(recency)
