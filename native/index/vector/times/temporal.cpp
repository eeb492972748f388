// Values of rows, and their bounds by the kernels of splines and decays.
#include "index/vector/times/temporal.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <type_traits>

#include "index/rows/mask.hpp"

namespace asof::vector {
namespace {

/// The latest ticks of rows with one finite time each; null if a row has none, several or an open
/// one.
template <typename Tick>
const Tick* latest_ticks(const temporal::ClockView<Tick>& clock, std::size_t begin,
                         std::size_t count) {
  const std::span<const Tick> latest = clock.end.empty() ? clock.start : clock.end;
  std::size_t first = begin;
  if (!clock.offset.empty()) {
    first = clock.offset[begin];
    for (std::size_t i = 1; i <= count; ++i) {
      if (clock.offset[begin + i] != first + i) return nullptr;
    }
  }
  if (first + count > latest.size()) return nullptr;
  using Distance = std::make_unsigned_t<Tick>;  // reserved ticks are consecutive modulo 2^bits
  Distance nearest = ~Distance{0};
  for (std::size_t i = 0; i < count; ++i) {
    nearest = std::min<Distance>(nearest, static_cast<Distance>(latest[first + i]) -
                                              static_cast<Distance>(ticks<Tick>::future));
  }
  return nearest < 3 ? nullptr : latest.data() + first;
}

// A validity period takes precedence over dates in the text.
temporal::Clock clock_of(const temporal::Form& form, const FlatRows& rows, std::size_t row) {
  const bool has_validity =
      form.validity_first &&
      std::visit([&](const auto& clock) { return has_time(clock, row); }, rows.validity);
  return has_validity ? temporal::Clock::validity : form.clock;
}

}  // namespace

temporal::RowTime row_time(const temporal::Form& form, const FlatRows& rows, std::size_t row) {
  const temporal::Clock read = clock_of(form, rows, row);
  temporal::RowTime time = std::visit([&](const auto& clock) { return value_at(form, clock, row); },
                                      column_of(rows, read));
  if (read != temporal::Clock::content) time.mention = -1;
  return time;
}

void prefetch_times(const temporal::Form& form, const FlatRows& rows, std::size_t row,
                    std::size_t next) {
  std::visit(
      [&](const auto& clock) {
        if (clock.start.empty()) return;
        if (!clock.offset.empty()) __builtin_prefetch(&clock.offset[row]);
        const std::size_t at = clock.offset.empty() ? next : clock.offset[next];
        if (at >= clock.start.size()) return;
        __builtin_prefetch(&clock.start[at]);
        if (!clock.end.empty()) __builtin_prefetch(&clock.end[at]);
      },
      column_of(rows, form.clock));
}

namespace {

constexpr std::size_t piece = 512;  // rows whose times stay in the nearest cache

/// Calls work(intervals, scale, first row of the piece) for pieces of the rows' times on the clock,
/// in the form that kernels read; false if a time is incomplete or reversed.
template <typename Tick, typename Work>
bool each_piece(const temporal::ClockView<Tick>& clock, RowSpan span, Work work) {
  const bool lists = !clock.offset.empty();
  const Tick* starts = clock.start.data();
  const Tick* ends = clock.end.empty() ? starts : clock.end.data();
  for (std::size_t from = 0; from < span.count; from += piece) {
    const std::size_t n = std::min(piece, span.count - from), row = span.begin + from;
    const std::uint32_t* offsets = lists ? &clock.offset[row] : nullptr;
    std::size_t first = row, last = row + n;
    if (lists) {
      int backward = 0;
      for (std::size_t i = 0; i < n; ++i) backward |= offsets[i] > offsets[i + 1];
      first = offsets[0];
      last = offsets[n];
      if (backward != 0 || last > clock.start.size()) return false;
    }
    int odd = 0;
    for (std::size_t i = first; i < last && starts != ends; ++i)
      odd |= (starts[i] == ticks<Tick>::absent) != (ends[i] == ticks<Tick>::absent) ||
             starts[i] > ends[i];
    if (odd != 0) return false;
    const std::size_t begins = lists ? 0 : row;
    work(spline::Intervals<Tick>{starts + begins, ends + begins, offsets, n},
         TickScale{clock.encoding.unit_ms, clock.encoding.origin_ms}, from);
  }
  return true;
}

template <typename Tick, typename Kernels>
auto rows_kernel(const Kernels& kernels) {
  if constexpr (sizeof(Tick) == 4)
    return kernels.ticks32;
  else
    return kernels.ticks64;
}

/// Where `form` has bounds by kernel.
struct BoundedRows {
  const temporal::Form& form;
  const FlatRows& rows;
  RowSpan span;
  const TimeKernels& kernels;
};

bool max_values(const temporal::Defaults&, const BoundedRows&, float*) {
  return false;
}

bool max_values(const temporal::Definition<temporal::Kind::spline>&, const BoundedRows& given,
                float* out) {
  const auto& [form, rows, span, kernels] = given;
  const temporal::Spline& spline = form.spline;
  const std::size_t count = span.count;
  bool none = true;  // of a line's values in `out` so far
  auto raise_by = [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
    if (clock.start.empty()) return true;
    const bool complete = each_piece(
        clock, span,
        [&](const spline::Intervals<Tick>& intervals, const TickScale& scale, std::size_t from) {
          for (std::size_t l = 0; l < spline.line_count; ++l) {
            const temporal::Line& drawn = spline.lines[l];
            const temporal::Window window = opened(drawn.window);
            const spline::Line line{window.start, window.end,     drawn.at_start,
                                    drawn.at_end, spline.outside, 0};
            float values[piece];
            float* written = none && l == 0 ? out + from : values;
            rows_kernel<Tick>(kernels.splines)(intervals, scale, line, written);
            for (std::size_t i = 0; written == values && i < intervals.n; ++i)
              out[from + i] = values[i] > out[from + i] ? values[i] : out[from + i];
          }
        });
    none = none && spline.line_count == 0;
    return complete;
  };
  if (form.validity_first && !std::visit(raise_by, rows.validity)) return false;
  if (!std::visit(raise_by, column_of(rows, form.clock))) return false;
  const float outside = static_cast<float>(spline.outside);
  if (none) std::fill_n(out, count, outside);
  // An interval that is too long for a line counts as outside of it, which may be better.
  const auto lines = std::span(spline.lines).first(spline.line_count);
  if (std::all_of(lines.begin(), lines.end(),
                  [](const temporal::Line& line) { return line.longest_ms == infinity; }))
    return true;
  for (std::size_t i = 0; i < count; ++i) out[i] = out[i] < outside ? outside : out[i];
  return true;
}

template <typename Curve>
bool max_values(const temporal::DecayDefinition<Curve>&, const BoundedRows& given, float* out) {
  const auto& [form, rows, span, kernels] = given;
  return std::visit(
      [&]<typename Tick>(const temporal::ClockView<Tick>& clock) {
        if (clock.start.empty()) {
          std::fill_n(
              out, given.span.count,
              std::max(static_cast<float>(given.form.decay.outside), 0x1p-100f) * (1 + 0x1p-21f));
          return true;
        }
        return each_piece(clock, given.span,
                          [&](const spline::Intervals<Tick>& intervals, const TickScale& scale,
                              std::size_t from) {
                            rows_kernel<Tick>(given.kernels.decays)(intervals, scale, given.form,
                                                                    out + from);
                          });
      },
      column_of(rows, form.clock));
}

}  // namespace

bool max_values_of(const temporal::Form& form, const FlatRows& rows, RowSpan span,
                   const TimeKernels& kernels, float* out) {
  return temporal::with_kind(form.kind, [&](auto kind) {
    return max_values(kind, BoundedRows{form, rows, span, kernels}, out);
  });
}

void addends_of(const temporal::Form& form, const FlatRows& rows, std::size_t begin,
                std::size_t count, double* values) {
  auto read = [&]<typename Kind, typename Tick>(Kind kind, const temporal::ClockView<Tick>& clock) {
    if constexpr (Kind::by_latest) {
      if (const Tick* latest = latest_ticks(clock, begin, count)) {
        const auto parameters = kind.parameters(form);
        const ClockEncoding scale = clock.encoding;
        for (std::size_t i = 0; i < count; ++i)
          values[i] = kind.of_latest(
              parameters, scale.origin_ms + static_cast<double>(latest[i]) * scale.unit_ms);
        return;
      }
    }
    for (std::size_t i = 0; i < count; ++i) values[i] = kind.value(form, clock, begin + i).value;
  };
  temporal::with_kind(form.kind, [&](auto kind) {
    std::visit([&](const auto& clock) { read(kind, clock); }, column_of(rows, form.clock));
  });
}

// Differences from the first value are exactly zero where all are equal. Independent
// sums, so that additions do not depend on each other.
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
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  };
  const double first = values[0];
  const double mean =
      first + summed([&](double value) { return value - first; }) / static_cast<double>(count);
  return {static_cast<double>(count), mean,
          summed([&](double value) { return (value - mean) * (value - mean); })};
}

standardize::Moments moments_of(std::span<const ClockCounts::Group::Instant> instants,
                                const temporal::Form& form) {
  if (instants.empty()) return {};
  constexpr std::size_t lanes = 8;
  std::vector<double> values(instants.size());
  double count = 0;
  for (std::size_t i = 0; i < instants.size(); ++i) {
    values[i] = value_of_latest(form, instants[i].at);
    count += instants[i].rows;
  }
  auto summed = [&](auto term) {
    double sums[lanes] = {};
    for (std::size_t i = 0; i < instants.size(); ++i)
      sums[i % lanes] += instants[i].rows * term(values[i]);
    return ((sums[0] + sums[1]) + (sums[2] + sums[3])) +
           ((sums[4] + sums[5]) + (sums[6] + sums[7]));
  };
  const double first = values[0];
  const double mean = first + summed([&](double value) { return value - first; }) / count;
  return {count, mean, summed([&](double value) { return (value - mean) * (value - mean); })};
}

}  // namespace asof::vector
