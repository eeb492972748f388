// Intervals evaluated as vectors regardless of their row; then the best of each row.
#include "core/lanes_ticks.hpp"
#include "kernels/decay/contract.hpp"

namespace asof::ASOF_LEVEL::decay {
namespace {

using ::asof::TickScale;
using ::asof::spline::Intervals;
using ::asof::temporal::Decay;
using ::asof::temporal::Form;

constexpr std::size_t chunk = 256;  // intervals evaluated at a time: they stay in the nearest cache
constexpr float least = 0x1p-100f, raised = 1 + 0x1p-21f;

template <typename Vector>
ASOF_INLINE Vector greater(Vector a, Vector b) {
  return a > b ? a : b;
}

/// 2^-x for x from 0, to a few units of the last place.
ASOF_INLINE Lanes inverse_power(Lanes x) {
  constexpr float to_whole = 0x1.8p23f, ln2 = 0.69314718f;
  const Lanes power = -(x < 100.0f ? x : spread(100)), shifted = power + to_whole;
  const Lanes y = (power - (shifted - to_whole)) * ln2;
  Lanes sum = spread(1.0f / 5040);
  sum = multiply_add(sum, y, spread(1.0f / 720));
  sum = multiply_add(sum, y, spread(1.0f / 120));
  sum = multiply_add(sum, y, spread(1.0f / 24));
  sum = multiply_add(sum, y, spread(1.0f / 6));
  sum = multiply_add(sum, y, spread(1.0f / 2));
  sum = multiply_add(sum, y, spread(1));
  sum = multiply_add(sum, y, spread(1));
  // The whole number is in the last bits of the shifted one: added to the exponent.
  return reinterpret_cast<Lanes>(reinterpret_cast<Masks>(sum) +
                                 (reinterpret_cast<Masks>(shifted) << 23));
}

template <typename Curve>
struct Evaluator {
  double offset, inverse, per_tick, origin, at;
  float floor, outside;
  TickScale scale;

  Evaluator(const Decay& decay, const TickScale& tick_scale)
      : per_tick(tick_scale.unit_ms),
        origin(tick_scale.origin_ms - decay.at_ms),
        at(decay.at_ms),
        floor(raised_float(decay.floor)),
        outside(raised_float(decay.outside)),
        scale(tick_scale) {
    const bool whole =
        __builtin_fabs(at) < 0x1p53 && static_cast<double>(static_cast<std::int64_t>(at)) == at;
    offset = decay.offset_ms + (whole ? 0 : 16);
    inverse = 1 / decay.half_life_ms;
    if (Curve::halves) inverse *= 1 - 0x1p-23;  // its float is not above the number
    inverse = inverse < 0x1p500 ? inverse : 0x1p500;
  }

  static float raised_float(double value) {
    const float nearest = static_cast<float>(value);
    return (nearest > least ? nearest : least) * raised;
  }

  /// The power of a half, or the value.
  ASOF_INLINE Wides power(Wides distance) const {
    const Wides u = greater(distance - offset, Wides{}) * inverse;
    return Curve::halves ? Curve::at_half_lives(u) : Curve::at_half_lives(u) + 0x1p-50;
  }

  /// NaN where there is no time.
  template <typename Tick>
  ASOF_INLINE Wides instants(const Tick* ticks) const {
    const Wides since = multiply_add(load_ticks(ticks), spread_wide(per_tick), spread_wide(origin));
    const double absent = static_cast<double>(ReservedTicks<Tick>::absent) * per_tick + origin;
    const Wides powers = power(greater(since, -since));
    return since == absent ? spread_wide(__builtin_nan("")) : powers;
  }

  template <typename Tick>
  ASOF_INLINE Wides intervals(const Tick* starts, const Tick* ends) const {
    const Wides start = load_instants(starts, scale), end = load_instants(ends, scale);
    const Wides powers = power(greater(greater(start - at, at - end), Wides{}));
    return start == start ? powers : start;
  }

  ASOF_INLINE Lanes value(Lanes powers) const {
    const Lanes value = Curve::halves ? inverse_power(powers) : powers;
    return powers == powers ? greater(value * raised, spread(floor)) : spread(outside);
  }
};

template <typename Tick, typename Evaluate>
void evaluate_all(const Tick* starts, const Tick* ends, std::size_t count, const Evaluate& evaluate,
                  float* out) {
  std::size_t i = 0;
  if (starts == ends) {
    for (; i + wide_width <= count; i += wide_width)
      store_wide(out + i, evaluate.instants(starts + i));
  } else {
    for (; i + wide_width <= count; i += wide_width)
      store_wide(out + i, evaluate.intervals(starts + i, ends + i));
  }
  if (const std::size_t rest = count - i; rest > 0) {
    Tick first[wide_width] = {}, last[wide_width] = {};
    for (std::size_t lane = 0; lane < rest; ++lane)
      first[lane] = starts[i + lane], last[lane] = ends[i + lane];
    store_wide_first(out + i, evaluate.intervals(first, last), rest);
  }
  for (i = 0; i + width <= count; i += width) store(out + i, evaluate.value(load(out + i)));
  if (const std::size_t rest = count - i; rest > 0)
    store_first(out + i, evaluate.value(load_first(out + i, rest)), rest);
}

/// The same in chunks.
template <typename Tick, typename Evaluate>
void evaluate_chunks(const Tick* starts, const Tick* ends, std::size_t count,
                     const Evaluate& evaluate, float* out) {
  for (std::size_t first = 0; first < count; first += chunk)
    evaluate_all(starts + first, ends + first, count - first < chunk ? count - first : chunk,
                 evaluate, out + first);
}

/// The best of each row's intervals, `outside` without any; absent ones count as outside of rows
/// whose other intervals are worse.
template <typename Tick, typename Evaluate>
void best_each(const Intervals<Tick>& intervals, const Evaluate& evaluate, float* out) {
  const auto [starts, ends, offsets, n] = intervals;
  for (std::size_t r = 0; r < n; ++r) out[r] = offsets[r] < offsets[r + 1] ? 0 : evaluate.outside;
  float values[chunk];
  std::size_t row = 0;
  for (std::size_t first = offsets[0], end = offsets[n]; first < end; first += chunk) {
    const std::size_t count = end - first < chunk ? end - first : chunk;
    evaluate_all(starts + first, ends + first, count, evaluate, values);
    for (std::size_t i = 0; i < count; ++i) {
      while (first + i >= offsets[row + 1]) ++row;
      if (values[i] > out[row]) out[row] = values[i];
    }
  }
}

bool one_each(const std::uint32_t* offsets, std::size_t n) {
  std::uint32_t other = 0;
  for (std::size_t r = 0; r <= n; ++r)
    other |= offsets[r] ^ (offsets[0] + static_cast<std::uint32_t>(r));
  return other == 0;
}

template <typename Tick>
void rows(const Intervals<Tick>& intervals, const TickScale& scale, const Form& form, float* out) {
  ::asof::temporal::with_decay(form.kind, [&](auto kind) {
    const auto [starts, ends, offsets, n] = intervals;
    const Evaluator<decltype(kind)> evaluate(form.decay, scale);
    if (offsets == nullptr)
      evaluate_chunks(starts, ends, n, evaluate, out);
    else if (one_each(offsets, n))
      evaluate_chunks(starts + offsets[0], ends + offsets[0], n, evaluate, out);
    else
      best_each(intervals, evaluate, out);
  });
}

}  // namespace

extern const ::asof::decay::Kernels kernels;
const ::asof::decay::Kernels kernels = {rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::ASOF_LEVEL::decay
