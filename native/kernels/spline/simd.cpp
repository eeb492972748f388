// Intervals are evaluated as vectors, whatever row they belong to; then each row takes the best of its own. One pass over
// the intervals and one over the rows. Compiled once a level. See contract.hpp.
#include "kernels/spline/contract.hpp"

#include "core/lanes_ticks.hpp"

namespace asof::ASOF_LEVEL::spline {
namespace {

using ::asof::spline::Line;

constexpr std::size_t chunk = 256;  // intervals evaluated before their rows are looked at; a multiple of every vector width
constexpr float none = -__builtin_inff();  // of an interval that counts as none

// The line with its special cases resolved: a constant is a line on which nothing moves.
struct Prepared {
  double start, end, unit, span, at_start, at_end, outside, moving;
  bool rises;
};

Prepared prepare(const Line& line) {
  double span = line.end_ms - line.start_ms - line.unit_ms;
  Prepared made = {line.start_ms, line.end_ms, line.unit_ms, span, line.at_start, line.at_end, line.outside, 1, line.at_end > line.at_start};
  if (__builtin_isinf(line.start_ms)) made.at_start = line.at_end;
  else if (__builtin_isinf(line.end_ms)) made.at_start = line.at_start;
  else if (!(span > 0)) made.at_start = line.at_end > line.at_start ? line.at_end : line.at_start;
  else if (line.at_start != line.at_end) return made;
  made.at_end = made.at_start;
  made.moving = 0;
  made.span = 1;
  return made;
}

// The best value of each interval, or `none`.
ASOF_INLINE Wides evaluate(Wides start, Wides end, const Prepared& line) {
  Wides from = spread_wide(line.start), until = spread_wide(line.end);
  WideMasks meets = ((start < end) & (start < until) & (end > from) & (from < until)) | ((start == end) & (start >= from) & (start < until));
  Wides at = start > from ? start : from;
  if (line.rises) {
    Wides last = (end < until ? end : until) - line.unit;
    at = last > at ? last : at;
  }
  Wides p = (at - from) / line.span;
  p = p > 0.0 ? p : spread_wide(0);  // also where infinities made it NaN
  p = (p < 1.0 ? p : spread_wide(1)) * line.moving;
  Wides value = (1.0 - p) * line.at_start + p * line.at_end;
  value = meets ? value : spread_wide(line.outside);
  return start <= end ? value : spread_wide(none);
}

template <typename Instant>
ASOF_INLINE void evaluate_all(const Instant* starts, const Instant* ends, const ::asof::TickScale& scale, std::size_t count, const Prepared& line, float* out) {
  std::size_t i = 0;
  for (; i + wide_width <= count; i += wide_width) store_wide(out + i, evaluate(load_instants(starts + i, scale), load_instants(ends + i, scale), line));
  if (std::size_t rest = count - i; rest > 0) {
    store_wide_first(out + i, evaluate(load_instants_first(starts + i, scale, rest), load_instants_first(ends + i, scale, rest), line), rest);
  }
}

template <typename Instant>
void rows(const Instant* starts, const Instant* ends, const ::asof::TickScale& scale, const std::uint32_t* offsets, std::size_t n, const Line& line, float* out) {
  Prepared prepared = prepare(line);
  if (offsets == nullptr) {
    evaluate_all(starts, ends, scale, n, prepared, out);
  } else {
    for (std::size_t r = 0; r < n; ++r) out[r] = none;
    float values[chunk];
    std::size_t row = 0;
    for (std::size_t first = offsets[0], end = offsets[n]; first < end; first += chunk) {
      std::size_t count = end - first < chunk ? end - first : chunk;
      evaluate_all(starts + first, ends + first, scale, count, prepared, values);
      for (std::size_t i = 0; i < count; ++i) {
        while (first + i >= offsets[row + 1]) ++row;
        if (values[i] > out[row]) out[row] = values[i];
      }
    }
  }
  float outside = static_cast<float>(line.outside);
  for (std::size_t r = 0; r < n; ++r) out[r] = out[r] == none ? outside : out[r];
}

}  // namespace

extern const ::asof::spline::Kernels kernels;
const ::asof::spline::Kernels kernels = {rows<double>, rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::ASOF_LEVEL::spline
