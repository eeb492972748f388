// Two passes over blocks that stay in L1, for the mean and the squared differences from it.
#include "kernels/standardize/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::standardize {
namespace {

using ::asof::standardize::Map;
using ::asof::standardize::Moments;

constexpr std::size_t block = 512;

// NaN lanes, including lanes past the end, are ignored.
ASOF_INLINE Wides or_else(Wides value, Wides instead) {
  return value == value ? value : instead;
}

template <typename Body>
ASOF_INLINE void each(const float* values, std::size_t n, Body body) {
  std::size_t i = 0;
  for (; i + wide_width <= n; i += wide_width) body(load_wide(values + i));
  if (i == n) return;
  double padded[wide_width];
  for (std::size_t lane = 0; lane < wide_width; ++lane)
    padded[lane] = i + lane < n ? static_cast<double>(values[i + lane]) : __builtin_nan("");
  body(load_wide(padded));
}

Moments of_block(const float* values, std::size_t n) {
  Wides counts = {}, totals = {}, squares = {};
  each(values, n, [&](Wides value) ASOF_INLINE_LAMBDA {
    counts += value == value ? spread_wide(1) : Wides{};
    totals += or_else(value, Wides{});
  });
  double count = sum(counts);
  if (count == 0) return {0, 0, 0};
  double mean = sum(totals) / count;
  each(values, n, [&](Wides value) ASOF_INLINE_LAMBDA {
    Wides difference = or_else(value, spread_wide(mean)) - mean;
    squares += difference * difference;
  });
  return {count, mean, sum(squares)};
}

Moments moments(const float* values, std::size_t n) {
  Moments all = {0, 0, 0};
  for (std::size_t first = 0; first < n; first += block) {
    all = ::asof::standardize::merge(
        all, of_block(values + first, n - first < block ? n - first : block));
  }
  return all;
}

void apply(const float* values, std::size_t n, const Map& map, float* out) {
  double factor = map.factor;
  auto mapped = [&](Wides value) ASOF_INLINE_LAMBDA {
    Wides moved = map.mean_to + (value - map.mean_from) * factor;
    return value == value && spread_wide(factor) != 0.0 ? moved : spread_wide(map.mean_to);
  };
  std::size_t i = 0;
  for (; i + wide_width <= n; i += wide_width) store_wide(out + i, mapped(load_wide(values + i)));
  if (std::size_t rest = n - i; rest > 0)
    store_wide_first(out + i, mapped(load_wide_first(values + i, rest)), rest);
}

}  // namespace

extern const ::asof::standardize::Kernels kernels;
const ::asof::standardize::Kernels kernels = {moments, apply};

}  // namespace asof::ASOF_LEVEL::standardize
