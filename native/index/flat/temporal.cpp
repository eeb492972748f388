// Evaluates temporal scores of single rows. See temporal.hpp.
#include "index/flat/temporal.hpp"

#include <algorithm>

#include "index/flat/mask.hpp"

namespace asof::flat {
namespace {

double line(const Form& form, const Window& window, double at) {
  if (form.at_start == form.at_end) return form.at_start;
  if (std::isinf(window.start)) return form.at_end;
  if (std::isinf(window.end)) return form.at_start;
  return form.at_start + (form.at_end - form.at_start) * ((at - window.start) / (window.end - window.start));
}

}  // namespace

RowTime spline(const Form& form, const FlatRows& rows, std::size_t row) {
  Window window = opened(form.window);
  bool rising = form.at_end > form.at_start;
  RowTime best{form.outside, -1};
  bool inside = false, elsewhere = false;
  std::visit([&]<typename Tick>(const ClockView<Tick>& clock) {
    each_time(clock, row, [&](std::size_t i, Tick start_tick, Tick end_tick) {
      double start = milliseconds_of(start_tick, clock.encoding), end = milliseconds_of(end_tick, clock.encoding);
      bool meets = start == end ? start >= window.start && start < window.end : start < window.end && end > window.start;
      if (!meets) {
        elsewhere = true;
        return false;
      }
      double value = line(form, window, rising ? std::min(end, window.end) : std::max(start, window.start));
      if (!inside || value > best.value) best = {value, form.clock == Clock::content ? static_cast<std::int32_t>(i) : -1};
      inside = true;
      return false;
    });
  }, column_of(rows, form.clock));
  if (inside && elsewhere && form.outside > best.value) return {form.outside, -1};
  return best;
}

RowTime recency(const Form& form, const FlatRows& rows, std::size_t row) {
  double latest = -infinity;
  std::int32_t mention = -1;
  bool dated = false;
  std::visit([&]<typename Tick>(const ClockView<Tick>& clock) {
    each_time(clock, row, [&](std::size_t i, Tick, Tick end_tick) {
      double end = milliseconds_of(end_tick, clock.encoding);
      if (!dated || end > latest) {
        latest = end;
        if (form.clock == Clock::content) mention = static_cast<std::int32_t>(i);
      }
      dated = true;
      return false;
    });
  }, column_of(rows, form.clock));
  if (!dated) return {std::numeric_limits<double>::quiet_NaN(), -1};
  return {1 / std::max(form.floor_days, (form.at - latest) / day_ms), mention};
}

Moments moments_of(const double* values, std::size_t count) {
  Moments moments;
  if (count == 0) return moments;
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i];
  moments.count = static_cast<double>(count);
  moments.mean = sum / moments.count;
  for (std::size_t i = 0; i < count; ++i) {
    double difference = values[i] - moments.mean;
    moments.squares += difference * difference;
    moments.least = std::min(moments.least, values[i]);
    moments.most = std::max(moments.most, values[i]);
  }
  return moments;
}

}  // namespace asof::flat
