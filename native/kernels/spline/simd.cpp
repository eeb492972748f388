// Intervals evaluated as vectors regardless of their row; then the best of each row.
#include "kernels/spline/contract.hpp"

#include "core/lanes_ticks.hpp"

namespace asof::ASOF_LEVEL::spline {
namespace {

using ::asof::TickScale;
using ::asof::spline::Intervals;
using ::asof::spline::Line;

constexpr std::size_t chunk =
    256;  // rows at a time, and intervals evaluated before their rows are looked at
constexpr float none = -__builtin_inff();  // of an interval that counts as none

// The line with its special cases resolved: a constant is a line on which nothing moves.
struct Coefficients {
  double start, end, unit, inverse, at_start, at_end, outside;
  bool rises;
};

double inverse_of(double span) {
  double inverse = 1 / span;
  return inverse * span < 1
             ? __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, inverse) + 1)
             : inverse;
}

Coefficients prepare(const Line& line) {
  double span = line.end_ms - line.start_ms - line.unit_ms;
  Coefficients coefficients = {
      line.start_ms, line.end_ms, line.unit_ms, 0,
      line.at_start, line.at_end, line.outside, line.at_end > line.at_start};
  if (__builtin_isinf(line.start_ms))
    coefficients.at_start = line.at_end;
  else if (__builtin_isinf(line.end_ms))
    coefficients.at_start = line.at_start;
  else if (!(span > 0))
    coefficients.at_start = line.at_end > line.at_start ? line.at_end : line.at_start;
  else if (line.at_start != line.at_end) {
    coefficients.inverse = inverse_of(span);
    return coefficients;
  }
  coefficients.at_end = coefficients.at_start;
  return coefficients;
}

// The line's value at `since` milliseconds after the window's start.
ASOF_INLINE Wides value_at(Wides since, const Coefficients& line) {
  Wides p = since * line.inverse;
  p = p > 0.0 ? p : spread_wide(0);  // also where infinities made it NaN
  p = p < 1.0 ? p : spread_wide(1);
  return (1.0 - p) * line.at_start + p * line.at_end;
}

// The best value of each interval, or `absent` where it counts as none.
template <typename Instant>
struct Evaluator {
  Coefficients line;
  TickScale scale;
  double absent;

  ASOF_INLINE Evaluator(const Coefficients& coefficients, const TickScale& tick_scale,
                        double of_none)
      : line(coefficients), scale(tick_scale), absent(of_none) {}

  ASOF_INLINE Wides of(const Instant* starts, const Instant* ends) const {
    return value(load_instants(starts, scale), load_instants(ends, scale));
  }

  ASOF_INLINE Wides value(Wides start, Wides end) const {
    Wides from = spread_wide(line.start), until = spread_wide(line.end);
    WideMasks meets = ((start < end) & (start < until) & (end > from) & (from < until)) |
                      ((start == end) & (start >= from) & (start < until));
    Wides at = start > from ? start : from;
    if (line.rises) {
      Wides last = (end < until ? end : until) - line.unit;
      at = last > at ? last : at;
    }
    Wides best = meets ? value_at(at - from, line) : spread_wide(line.outside);
    return start <= end ? best : spread_wide(absent);
  }
};

bool whole(double value) {
  return __builtin_fabs(value) < 0x1p51 &&
         static_cast<double>(static_cast<std::int64_t>(value)) == value;
}

// 32-bit ticks and a window of whole milliseconds that starts after the infinite past's number and
// ends before the infinite future's: the numbers can stand for what they mean, nothing is rounded,
// and instants count from the window's start.
struct WholeEvaluator {
  Coefficients line;
  double per_tick, origin, length, absent_since, absent;

  ASOF_INLINE WholeEvaluator(const Coefficients& coefficients, const TickScale& scale,
                             double of_none)
      : line(coefficients),
        per_tick(scale.unit_ms),
        origin(scale.origin_ms - line.start),
        length(line.end - line.start),
        absent_since(since(ReservedTicks<std::int32_t>::absent)),
        absent(of_none) {}

  static bool applies(const Coefficients& line, const TickScale& scale) {
    using Reserved = ReservedTicks<std::int32_t>;
    bool all_whole = whole(line.start) && whole(line.end) && whole(line.unit) &&
                     whole(scale.origin_ms) && whole(scale.unit_ms) && scale.unit_ms > 0;
    return all_whole && line.start < line.end &&
           scale.origin_ms + scale.unit_ms * Reserved::past < line.start &&
           scale.origin_ms + scale.unit_ms * Reserved::future > line.end;
  }

  ASOF_INLINE double since(double tick) const { return tick * per_tick + origin; }
  ASOF_INLINE Wides load(const std::int32_t* ticks) const {
    return multiply_add(load_ticks(ticks), spread_wide(per_tick), spread_wide(origin));
  }

  ASOF_INLINE Wides of(const std::int32_t* starts, const std::int32_t* ends) const {
    Wides start = load(starts), end = load(ends), until = spread_wide(length), zero = {};
    Wides at = start;
    if (line.rises) {
      Wides last = (end < until ? end : until) - line.unit;
      at = last > at ? last : at;
    }
    Wides value = value_at(at, line), outside = spread_wide(line.outside);
    // An instant at the window's start meets it though it does not end after it.
    Wides best = end > zero ? value : start < zero ? outside : value;
    best = start < until ? best : outside;
    best = start <= end ? best : spread_wide(absent);
    return start > spread_wide(absent_since) ? best : spread_wide(absent);
  }
};

template <typename Instant, typename Evaluate>
ASOF_INLINE void evaluate_all(const Instant* starts, const Instant* ends, std::size_t count,
                              const Evaluate& evaluate, float* out) {
  std::size_t i = 0;
  for (; i + wide_width <= count; i += wide_width)
    store_wide(out + i, evaluate.of(starts + i, ends + i));
  if (std::size_t rest = count - i; rest > 0) {
    Instant first[wide_width] = {}, last[wide_width] = {};
    for (std::size_t lane = 0; lane < rest; ++lane)
      first[lane] = starts[i + lane], last[lane] = ends[i + lane];
    store_wide_first(out + i, evaluate.of(first, last), rest);
  }
}

bool one_each(const std::uint32_t* offsets, std::size_t n) {
  std::uint32_t other = 0;
  for (std::size_t r = 0; r <= n; ++r)
    other |= offsets[r] ^ (offsets[0] + static_cast<std::uint32_t>(r));
  return other == 0;
}

// Rows of any number of intervals, at most a chunk of them.
template <typename Instant, typename Evaluate>
void best_each(const Intervals<Instant>& intervals, const Evaluate& evaluate, float outside,
               float* out) {
  const auto [starts, ends, offsets, n] = intervals;
  for (std::size_t r = 0; r < n; ++r) out[r] = none;
  float values[chunk];
  std::size_t row = 0;
  for (std::size_t first = offsets[0], end = offsets[n]; first < end; first += chunk) {
    std::size_t count = end - first < chunk ? end - first : chunk;
    evaluate_all(starts + first, ends + first, count, evaluate, values);
    for (std::size_t i = 0; i < count; ++i) {
      while (first + i >= offsets[row + 1]) ++row;
      if (values[i] > out[row]) out[row] = values[i];
    }
  }
  for (std::size_t r = 0; r < n; ++r) out[r] = out[r] == none ? outside : out[r];
}

template <typename Evaluate, typename Instant>
void all_rows(const Intervals<Instant>& intervals, const TickScale& scale, const Coefficients& line,
              float* out) {
  const auto [starts, ends, offsets, n] = intervals;
  const Evaluate single(line, scale, line.outside), several(line, scale, none);
  if (offsets == nullptr) return evaluate_all(starts, ends, n, single, out);
  for (std::size_t r = 0; r < n; r += chunk) {
    std::size_t count = n - r < chunk ? n - r : chunk;
    if (one_each(offsets + r, count))
      evaluate_all(starts + offsets[r], ends + offsets[r], count, single, out + r);
    else
      best_each<Instant>({starts, ends, offsets + r, count}, several,
                         static_cast<float>(line.outside), out + r);
  }
}

template <typename Instant>
void rows(const Intervals<Instant>& intervals, const TickScale& scale, const Line& line,
          float* out) {
  const Coefficients coefficients = prepare(line);
  if constexpr (sizeof(Instant) == 4) {
    if (WholeEvaluator::applies(coefficients, scale))
      return all_rows<WholeEvaluator>(intervals, scale, coefficients, out);
  }
  all_rows<Evaluator<Instant>>(intervals, scale, coefficients, out);
}

}  // namespace

extern const ::asof::spline::Kernels kernels;
const ::asof::spline::Kernels kernels = {rows<double>, rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::ASOF_LEVEL::spline
