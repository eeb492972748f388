// Ages of a vector of rows, two divisions each. Compiled once a level. See contract.hpp.
#include "kernels/recency/contract.hpp"

#include "core/lanes_ticks.hpp"

namespace asof::ASOF_LEVEL::recency {
namespace {

constexpr double day_ms = 86'400'000;

ASOF_INLINE Wides evaluate(Wides published, double at_ms, double floor_days) {
  Wides age = (at_ms - published) / day_ms;
  Wides tau = 1.0 / (age > floor_days ? age : spread_wide(floor_days));
  return published == published ? tau : published;  // NaN stays NaN
}

template <typename Instant>
void rows(const Instant* published, const ::asof::TickScale& scale, std::size_t n, double at_ms, double floor_days, float* out) {
  std::size_t i = 0;
  for (; i + wide_width <= n; i += wide_width) store_wide(out + i, evaluate(load_instants(published + i, scale), at_ms, floor_days));
  if (std::size_t rest = n - i; rest > 0) store_wide_first(out + i, evaluate(load_instants_first(published + i, scale, rest), at_ms, floor_days), rest);
}

}  // namespace

extern const ::asof::recency::Kernels kernels;
const ::asof::recency::Kernels kernels = {rows<double>, rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::ASOF_LEVEL::recency
