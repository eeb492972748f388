// Merging of moments, and the scalar reference implementation.
#include "kernels/standardize/contract.hpp"

#include <cmath>

namespace asof::standardize {

Moments merge(const Moments& a, const Moments& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  double count = a.count + b.count, delta = b.mean - a.mean;
  return {count, a.mean + delta * (b.count / count),
          a.squares + b.squares + delta * delta * (a.count * b.count / count)};
}

double deviation(const Moments& moments) {
  return moments.count > 0 ? std::sqrt(moments.squares / moments.count) : 0;
}

Map map_of(const Moments& from, const Moments& to) {
  double spread = deviation(from);
  return {from.mean, spread == 0 ? 0 : deviation(to) / spread, to.mean};
}

namespace reference {

static Moments moments(const float* values, std::size_t n) {
  Moments all;
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(values[i])) continue;
    all.count += 1;
    sum += values[i];
  }
  if (all.count == 0) return all;
  all.mean = sum / all.count;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isnan(values[i])) all.squares += (values[i] - all.mean) * (values[i] - all.mean);
  }
  return all;
}

static void apply(const float* values, std::size_t n, const Map& map, float* out) {
  for (std::size_t i = 0; i < n; ++i) {
    bool moves = !std::isnan(values[i]) && map.factor != 0;
    out[i] = static_cast<float>(moves ? map.mean_to + (values[i] - map.mean_from) * map.factor
                                      : map.mean_to);
  }
}

const Kernels kernels = {moments, apply};

}  // namespace reference
}  // namespace asof::standardize

ASOF_DISPATCH(standardize)
