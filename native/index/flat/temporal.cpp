// Evaluates temporal scores of single rows and their moments. See temporal.hpp.
#include "index/flat/temporal.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "index/flat/mask.hpp"

namespace asof::flat {
namespace {

/// The latest ticks of rows that have one time each, ordinary ones; null where some row has none, several or an open one.
template <typename Tick>
const Tick* latest_ticks(const ClockView<Tick>& clock, std::size_t begin, std::size_t count) {
  const std::span<const Tick> latest = clock.end.empty() ? clock.start : clock.end;
  std::size_t first = begin;
  if (!clock.offset.empty()) {
    first = clock.offset[begin];
    for (std::size_t i = 1; i <= count; ++i) {
      if (clock.offset[begin + i] != first + i) return nullptr;
    }
  }
  if (first + count > latest.size()) return nullptr;
  using Place = std::make_unsigned_t<Tick>;  // the reserved ones follow each other from the largest number over to the smallest
  Place nearest = ~Place{0};
  for (std::size_t i = 0; i < count; ++i) {
    nearest = std::min<Place>(nearest, static_cast<Place>(latest[first + i]) - static_cast<Place>(ticks<Tick>::future));
  }
  return nearest < 3 ? nullptr : latest.data() + first;
}

// The author's own word on when a row holds outweighs the dates that its text happens to name.
Clock clock_of(const Form& form, const FlatRows& rows, std::size_t row) {
  const bool stated = form.validity_first && std::visit([&](const auto& clock) { return has_time(clock, row); }, rows.validity);
  return stated ? Clock::validity : form.clock;
}

}  // namespace

RowTime spline_of(const Form& form, const FlatRows& rows, std::size_t row) {
  const Clock read = clock_of(form, rows, row);
  RowTime found = std::visit([&](const auto& clock) { return spline_at(form, clock, row); }, column_of(rows, read));
  if (read != Clock::content) found.mention = -1;
  return found;
}

bool most_splines_of(const Form& form, const FlatRows& rows, std::size_t begin, std::size_t count, const spline::Kernels& kernels, float* out) {
  std::fill_n(out, count, static_cast<float>(form.outside));
  std::vector<float> values(count);
  auto raise_by = [&]<typename Tick>(const ClockView<Tick>& clock) {
    if (clock.start.empty()) return true;
    const bool lists = !clock.offset.empty();
    const std::size_t first = lists ? clock.offset[begin] : begin, last = lists ? clock.offset[begin + count] : begin + count;
    if (first > last || last > clock.start.size()) return false;
    const std::span<const std::uint32_t> given = lists ? clock.offset.subspan(begin, count + 1) : clock.offset;
    if (!std::is_sorted(given.begin(), given.end())) return false;
    const Tick* starts = clock.start.data();
    const Tick* ends = clock.end.empty() ? starts : clock.end.data();
    int odd = 0;
    for (std::size_t i = first; i < last; ++i) odd |= (starts[i] == ticks<Tick>::absent) != (ends[i] == ticks<Tick>::absent) || starts[i] > ends[i];
    if (odd != 0) return false;
    const TickScale scale{clock.encoding.unit_ms, clock.encoding.origin_ms};
    for (std::size_t l = 0; l < form.line_count; ++l) {
      const Window window = opened(form.lines[l].window);
      const spline::Line line{window.start, window.end, form.lines[l].at_start, form.lines[l].at_end, form.outside, 0};
      const std::uint32_t* offsets = lists ? given.data() : nullptr;
      const std::size_t from = lists ? 0 : begin;
      if constexpr (sizeof(Tick) == 4) kernels.ticks32(starts + from, ends + from, scale, offsets, count, line, values.data());
      else kernels.ticks64(starts + from, ends + from, scale, offsets, count, line, values.data());
      for (std::size_t i = 0; i < count; ++i) out[i] = values[i] > out[i] ? values[i] : out[i];
    }
    return true;
  };
  return (!form.validity_first || std::visit(raise_by, rows.validity)) && std::visit(raise_by, column_of(rows, form.clock));
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
  RowTime found = std::visit([&](const auto& clock) { return recency_at(form, clock, row); }, column_of(rows, form.clock));
  if (form.clock != Clock::content) found.mention = -1;
  return found;
}

void recencies_of(const Form& form, const FlatRows& rows, std::size_t begin, std::size_t count, double* values) {
  std::visit([&]<typename Tick>(const ClockView<Tick>& clock) {
    const Tick* latest = latest_ticks(clock, begin, count);
    if (latest == nullptr) {
      for (std::size_t i = 0; i < count; ++i) values[i] = recency_at(form, clock, begin + i).value;
      return;
    }
    const double at = form.at, floor = form.floor_days;
    const ClockEncoding scale = clock.encoding;
    for (std::size_t i = 0; i < count; ++i) {
      const double days = (at - (scale.origin_ms + static_cast<double>(latest[i]) * scale.unit_ms)) / spline::day_ms;
      values[i] = 1 / (floor < days ? days : floor);
    }
  }, column_of(rows, form.clock));
}

// Differences from the first value are exactly zero where all are equal. Sums side by side, since additions wait for each other.
standardize::Moments moments_of(const double* values, std::size_t count) {
  if (count == 0) return {};
  constexpr std::size_t lanes = 8;
  auto summed = [&](auto term) {
    double sums[lanes] = {};
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += term(values[i + lane]);
    }
    for (std::size_t lane = 0; i < count; ++i, ++lane) sums[lane] += term(values[i]);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  };
  const double first = values[0];
  const double mean = first + summed([&](double value) { return value - first; }) / static_cast<double>(count);
  return {static_cast<double>(count), mean, summed([&](double value) { return (value - mean) * (value - mean); })};
}

}  // namespace asof::flat
