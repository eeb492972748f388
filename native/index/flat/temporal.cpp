// Evaluates temporal scores of single rows and their moments. See temporal.hpp.
#include "index/flat/temporal.hpp"

#include <algorithm>
#include <limits>

#include "index/flat/mask.hpp"

namespace asof::flat {
namespace {

template <typename Tick>
RowTime latest_recency(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
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
  return {1 / std::max(form.floor_days, (form.at - milliseconds_of(latest, clock.encoding)) / spline::day_ms), mention};
}

// The author's own word on when a row holds outweighs the dates that its text happens to name.
Clock clock_of(const Form& form, const FlatRows& rows, std::size_t row) {
  bool stated = false;
  if (form.validity_first) {
    std::visit([&](const auto& clock) { each_time(clock, row, [&](auto...) { return stated = true; }); }, rows.validity);
  }
  return stated ? Clock::validity : form.clock;
}

}  // namespace

RowTime spline_of(const Form& form, const FlatRows& rows, std::size_t row, const spline::Kernels& kernels) {
  RowTime best{form.outside, -1};
  bool dated = false;
  const Clock read = clock_of(form, rows, row);
  std::visit([&]<typename Tick>(const ClockView<Tick>& clock) {
    each_time(clock, row, [&](std::size_t i, Tick start_tick, Tick end_tick) {
      const double start = milliseconds_of(start_tick, clock.encoding), end = milliseconds_of(end_tick, clock.encoding);
      bool met = false;
      float value = static_cast<float>(form.outside);
      for (std::size_t l = 0; l < form.line_count; ++l) {
        const Line& given = form.lines[l];
        if (end - start > given.longest_ms) continue;
        const Window window = opened(given.window);
        if (!(start == end ? start >= window.start && start < window.end : start < window.end && end > window.start)) continue;
        const spline::Line line{window.start, window.end, given.at_start, given.at_end, form.outside, 0};
        float on_line;
        kernels.milliseconds(&start, &end, {}, nullptr, 1, line, &on_line);
        if (!met || on_line > value) value = on_line;
        met = true;
      }
      if (!dated || value > best.value) best = {value, met && read == Clock::content ? static_cast<std::int32_t>(i) : -1};
      dated = true;
      return false;
    });
  }, column_of(rows, read));
  return best;
}

double best_spline_of(const Form& form, const FlatRows& rows, std::size_t row) {
  double best = form.outside;
  auto meet = [&](const ClockColumn& column) {
    std::visit([&]<typename Tick>(const ClockView<Tick>& clock) {
      if (clock.start.empty()) return;
      double first = -infinity, last = infinity;
      if (!clock.blocks.empty()) {
        const Tick* block = &clock.blocks[2 * (row / schema::block_rows)];
        if (block[0] > block[1]) return;
        first = milliseconds_of(block[0], clock.encoding);
        last = milliseconds_of(block[1], clock.encoding);
      }
      for (std::size_t l = 0; l < form.line_count; ++l) {
        const Window window = opened(form.lines[l].window);
        if (first < window.end && last >= window.start) best = std::max({best, form.lines[l].at_start, form.lines[l].at_end});
      }
    }, column);
  };
  if (form.validity_first) meet(rows.validity);
  meet(column_of(rows, form.clock));
  return best;
}

RowTime recency_of(const Form& form, const FlatRows& rows, std::size_t row) {
  RowTime found = std::visit([&](const auto& clock) { return latest_recency(form, clock, row); }, column_of(rows, form.clock));
  if (form.clock != Clock::content) found.mention = -1;
  return found;
}

void recencies_of(const Form& form, const FlatRows& rows, std::size_t begin, std::size_t count, double* values) {
  std::visit([&](const auto& clock) {
    for (std::size_t i = 0; i < count; ++i) values[i] = latest_recency(form, clock, begin + i).value;
  }, column_of(rows, form.clock));
}

// Differences from the first value are exactly zero where all are equal. The rows that add are few: once a mask, not once a query.
standardize::Moments moments_of(const double* values, std::size_t count) {
  if (count == 0) return {};
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i] - values[0];
  const double mean = values[0] + sum / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) squares += (values[i] - mean) * (values[i] - mean);
  return {static_cast<double>(count), mean, squares};
}

}  // namespace asof::flat
