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

template <typename Tick>
RowTime recency_of(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
  Tick latest = ticks<Tick>::absent;
  std::int32_t mention = -1;
  each_time(clock, row, [&](std::size_t i, Tick, Tick end) {
    if (mention < 0 || end > latest) {
      latest = end;
      mention = static_cast<std::int32_t>(i);
    }
    return false;
  });
  if (mention < 0) return {std::numeric_limits<double>::quiet_NaN(), -1};
  return {1 / std::max(form.floor_days, (form.at - milliseconds_of(latest, clock.encoding)) / day_ms), mention};
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
  RowTime found = std::visit([&](const auto& clock) { return recency_of(form, clock, row); }, column_of(rows, form.clock));
  if (form.clock != Clock::content) found.mention = -1;
  return found;
}

void recencies(const Form& form, const FlatRows& rows, std::size_t begin, std::size_t count, double* values) {
  std::visit([&](const auto& clock) {
    for (std::size_t i = 0; i < count; ++i) values[i] = recency_of(form, clock, begin + i).value;
  }, column_of(rows, form.clock));
}

// Eight partial sums each, so that additions do not wait for one another; their order is fixed, so the result is too.
Moments moments_of(const double* values, std::size_t count) {
  constexpr std::size_t lanes = 8;
  Moments moments;
  if (count == 0) return moments;
  double sum[lanes] = {}, squares[lanes] = {}, least[lanes], most[lanes];
  std::fill_n(least, lanes, infinity);
  std::fill_n(most, lanes, -infinity);
  auto each = [&](auto visit) {
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) visit(lane, values[i + lane]);
    }
    for (; i < count; ++i) visit(i % lanes, values[i]);
  };
  each([&](std::size_t lane, double value) { sum[lane] += value; });
  moments.count = static_cast<double>(count);
  for (double part : sum) moments.mean += part;
  moments.mean /= moments.count;
  each([&](std::size_t lane, double value) {
    double difference = value - moments.mean;
    squares[lane] += difference * difference;
    least[lane] = value < least[lane] ? value : least[lane];
    most[lane] = value > most[lane] ? value : most[lane];
  });
  for (double part : squares) moments.squares += part;
  moments.least = *std::min_element(least, least + lanes);
  moments.most = *std::max_element(most, most + lanes);
  return moments;
}

}  // namespace asof::flat
