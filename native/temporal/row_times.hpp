// A row's temporal score from one of its clocks, in double: MRAG's spline, TempRALM's recency and
// decays, for the host's scan and for devices. The caller chooses the clock of a row and the
// normalization of a recency.
#pragma once

#include "kernels/spline/formula.hpp"
#include "kernels/standardize/contract.hpp"
#include "temporal/clock_view.hpp"
#include "temporal/forms.hpp"

namespace asof::temporal {

struct RowTime {
  double value = 0;
  std::int32_t mention = -1;  // index of the deciding time in the row's list
};

template <typename Tick>
constexpr bool has_time(const ClockView<Tick>& clock, std::size_t row) {
  bool has = false;
  each_time(clock, row, [&](std::size_t, Tick, Tick) { return has = true; });
  return has;
}

/// The best of the form's lines that the interval meets and is short enough for, rounded to float
/// as the spline's kernels round it; NaN where it meets none.
constexpr double best_line(const Form& form, double start, double end) {
  bool met = false;
  float value = 0;
  for (std::size_t l = 0; l < form.line_count; ++l) {
    const Line& form_line = form.lines[l];
    if (end - start > form_line.longest_ms) continue;
    const Window window = opened(form_line.window);
    const spline::Line line{window.start,     window.end,   form_line.at_start,
                            form_line.at_end, form.outside, 0};
    if (!spline::meets(start, end, line)) continue;
    const float on_line = static_cast<float>(spline::best_of(start, end, line));
    if (!met || on_line > value) value = on_line;
    met = true;
  }
  return met ? static_cast<double>(value) : std::numeric_limits<double>::quiet_NaN();
}

/// c: the best of the form's lines over the row's times, `outside` where it meets none or has none.
/// The mention is the time that decided, where a line did.
template <typename Tick>
constexpr RowTime spline_at(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
  RowTime best{form.outside, -1};
  bool dated = false;
  each_time(clock, row, [&](std::size_t i, Tick start, Tick end) {
    const double on_line = best_line(form, milliseconds_of(start, clock.encoding),
                                     milliseconds_of(end, clock.encoding));
    const bool met = on_line == on_line;
    const double value = met ? on_line : static_cast<double>(static_cast<float>(form.outside));
    if (!dated || value > best.value) best = {value, met ? static_cast<std::int32_t>(i) : -1};
    dated = true;
    return false;
  });
  return best;
}

/// 1 / max(days from the end of the row's latest time to the form's `at`, floor_days); NaN where
/// the row has no time.
template <typename Tick>
constexpr RowTime recency_at(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
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
  const double age = (form.at - milliseconds_of(latest, clock.encoding)) / spline::day_ms;
  return {1 / (form.floor_days < age ? age : form.floor_days), mention};
}

/// The decay of the nearest of the row's times, `outside` where it has none.
template <typename Tick>
constexpr RowTime decay_at(const decay::Curve& curve, const ClockView<Tick>& clock,
                           std::size_t row) {
  double nearest = infinity;
  std::int32_t mention = -1;
  each_time(clock, row, [&](std::size_t i, Tick start, Tick end) {
    const double distance = decay::distance_of(milliseconds_of(start, clock.encoding),
                                               milliseconds_of(end, clock.encoding), curve.at_ms);
    if (mention < 0 || distance < nearest) {
      nearest = distance;
      mention = static_cast<std::int32_t>(i);
    }
    return false;
  });
  if (mention < 0) return {curve.outside, -1};
  return {decay::value_of(curve, nearest), mention};
}

/// The form's value of the row.
template <typename Tick>
constexpr RowTime value_at(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
  if (form.decays()) return decay_at(form.curve, clock, row);
  return form.combine == Combine::product ? spline_at(form, clock, row)
                                          : recency_at(form, clock, row);
}

/// A recency as the query's scores see it; NaN gets the mean.
constexpr double standardized(const standardize::Map& map, double recency) {
  return map.mean_to +
         ((recency == recency ? recency : map.mean_from) - map.mean_from) * map.factor;
}

/// A relevance times a temporal factor. It grows with the relevance for every factor from 0 to 2.
constexpr double apply_factor(double relevance, double factor) {
  return relevance >= 0 ? relevance * factor : relevance * (2 - factor);
}

}  // namespace asof::temporal
