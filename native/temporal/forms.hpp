// Temporal part of a query as plain data, with the semantics of lib/time/temporalForms.ts, and the
// table of the kinds of score forms: what defines a kind, bounds its values and decides how they
// are scanned, for the host and for devices. All times are UTC epoch milliseconds; infinities are
// open ends.
//
// A new kind is an enumerator, last_kind, its parameters in Form, a Definition and a case of
// with_kind(), all here. A decay gets its kernel by with_decay(); the values of other kinds are
// computed row by row where index/vector/times/temporal.cpp has no kernel for their bounds.
// CONTRIBUTING.md lists the files of a new decay.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "core/infinity.hpp"
#include "temporal/clock_view.hpp"
#include "temporal/spline_line.hpp"

namespace asof::temporal {

enum class Clock : std::uint8_t { content, published, validity };
enum class Relation : std::uint8_t {
  overlaps,
  within,
  contains
};  // what the row's time does to the window
enum class Combine : std::uint8_t { none, product, sum };
/// In the order of lib/time/temporalForms.ts.
enum class Kind : std::uint8_t { none, spline, recency, exponential, gaussian, linear };
inline constexpr Kind last_kind = Kind::linear;

struct Window {
  double start = -infinity, end = infinity;  // half-open; equal ends mean that instant
  bool operator==(const Window&) const = default;
};

/// A window whose ends are equal is that instant: a millisecond long.
constexpr Window opened(Window window) {
  if (window.start == window.end) window.end += 1;
  return window;
}

struct Mask {
  double published_until = infinity;  // inclusive
  bool has_window = false;
  Clock clock = Clock::content;
  Relation relation = Relation::overlaps;
  Window window;
  bool operator==(const Mask&) const = default;
};

inline constexpr std::size_t max_lines = 8;

/// A line of a spline over its window.
struct Line {
  Window window;
  double at_start = 1, at_end = 1;
  double longest_ms = infinity;  // longer intervals are not on it
  bool operator==(const Line&) const = default;
};

struct Spline {
  std::array<Line, max_lines> lines;
  std::size_t line_count = 0;
  double outside = 1;
  bool operator==(const Spline&) const = default;
};

struct Recency {
  double at = 0, floor_days = 1;
  bool operator==(const Recency&) const = default;
};

struct Decay {
  double at_ms = 0;
  double half_life_ms = 1;  // finite, above 0
  double offset_ms = 0;     // finite, from 0
  double floor = 0;         // from 0 to less than 1
  double outside = 0;       // of rows without a time: from the floor to 1
  bool operator==(const Decay&) const = default;
};

/// A value of each row, and how it combines with the relevance: as a factor, or added `weight`
/// times.
struct Form {
  Kind kind = Kind::none;
  Combine combine = Combine::none;
  Clock clock = Clock::content;
  bool validity_first =
      false;  // rows that have validity are read by it alone, the others by `clock`
  double weight = 0;
  // Of the kind; the others are as they are here.
  Spline spline;
  Recency recency;
  Decay decay;
  bool operator==(const Form&) const = default;
};

/// Whether both give every row the same value.
constexpr bool same_value(const Form& a, Form b) {
  b.combine = a.combine;
  b.weight = a.weight;
  return a == b;
}

struct RowTime {
  double value = 0;
  std::int32_t mention = -1;  // index of the deciding time in the row's list
};

/// Bounds of values; NaN where there are none.
struct Range {
  double least, greatest;
};

// Sums of doubles, and what was rounded to float, stay far within this of their terms.
inline constexpr double rounding_slack = 1e-6;
inline constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// What a kind does not define itself.
struct Defaults {
  /// Whether a sum standardises the values over the visible rows. Rows without a value get the
  /// mean.
  static constexpr bool normalizes = false;
  /// Whether the value is of_latest(parameters(form), end) of the row's latest time, and rises
  /// with it.
  static constexpr bool by_latest = false;
  /// Queries from which on it pays to bound the factors that they share row by row.
  static constexpr std::size_t min_shared = 4;
  /// Whether the kernel's bounds of the rows' values are the values, or exceed those that are not
  /// below 2^-8 by at most 3 millionths.
  static constexpr bool has_exact_bounds(const Form&) { return false; }
};

template <Kind kind>
struct Definition;

template <>
struct Definition<Kind::none> : Defaults {
  static constexpr bool read(const double*, Form&) { return true; }
  template <typename Tick>
  static constexpr RowTime value(const Form&, const ClockView<Tick>&, std::size_t) {
    return {1, -1};
  }
  static constexpr double undated(const Form&) { return 1; }
  static constexpr Range range(const Form&) { return {1, 1}; }
  static constexpr Range range_in(const Form&, const Window&) { return {1, 1}; }
};

/// MRAG's spline (section 4, appendix G): the best of the lines in continuous time over the row's
/// times, `outside` where it meets none or has none.
template <>
struct Definition<Kind::spline> : Defaults {
  /// outside, the number of lines, and of each start, end, at_start, at_end, longest_ms.
  static constexpr bool read(const double* numbers, Form& form) {
    Spline& spline = form.spline;
    if (!(numbers[1] >= 0 && numbers[1] <= max_lines)) return false;
    spline.outside = numbers[0];
    spline.line_count = static_cast<std::size_t>(numbers[1]);
    for (std::size_t l = 0; l < spline.line_count; ++l) {
      const double* line = numbers + 2 + 5 * l;
      spline.lines[l] = {{line[0], line[1]}, line[2], line[3], line[4]};
    }
    return true;
  }

  /// The best of the lines that the interval meets and is short enough for, rounded to float as the
  /// spline's kernels round it; NaN where it meets none.
  static constexpr double best_line(const Spline& spline, double start, double end) {
    bool met = false;
    float value = 0;
    for (std::size_t l = 0; l < spline.line_count; ++l) {
      const Line& drawn = spline.lines[l];
      if (end - start > drawn.longest_ms) continue;
      const Window window = opened(drawn.window);
      const spline::Line line{window.start, window.end,     drawn.at_start,
                              drawn.at_end, spline.outside, 0};
      if (!spline::meets(start, end, line)) continue;
      const float on_line = static_cast<float>(spline::best_of(start, end, line));
      if (!met || on_line > value) value = on_line;
      met = true;
    }
    return met ? static_cast<double>(value) : no_value;
  }

  /// The mention is the time that decided, where a line did.
  template <typename Tick>
  static constexpr RowTime value(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
    RowTime best{form.spline.outside, -1};
    bool dated = false;
    each_time(clock, row, [&](std::size_t i, Tick start, Tick end) {
      const double on_line = best_line(form.spline, milliseconds_of(start, clock.encoding),
                                       milliseconds_of(end, clock.encoding));
      const bool met = on_line == on_line;
      const double value =
          met ? on_line : static_cast<double>(static_cast<float>(form.spline.outside));
      if (!dated || value > best.value) best = {value, met ? static_cast<std::int32_t>(i) : -1};
      dated = true;
      return false;
    });
    return best;
  }

  static constexpr double undated(const Form& form) { return form.spline.outside; }

  static constexpr Range range(const Form& form) {
    Range all{form.spline.outside, form.spline.outside};
    for (std::size_t l = 0; l < form.spline.line_count; ++l) {
      for (const double at : {form.spline.lines[l].at_start, form.spline.lines[l].at_end}) {
        all.least = at < all.least ? at : all.least;
        all.greatest = all.greatest < at ? at : all.greatest;
      }
    }
    return all;
  }

  /// A line is best at an end of what it shares with the span.
  static Range range_in(const Form& form, const Window& span) {
    double most = form.spline.outside;
    for (std::size_t l = 0; l < form.spline.line_count; ++l) {
      const Line& line = form.spline.lines[l];
      const Window window = opened(line.window);
      if (!(span.start < window.end && span.end >= window.start)) continue;
      double best = line.at_start < line.at_end ? line.at_end : line.at_start;
      const double length = window.end - window.start;
      if (std::isfinite(length) && length > 0) {
        const double at = line.at_end > line.at_start
                              ? (window.end < span.end ? window.end : span.end)
                              : (span.start < window.start ? window.start : span.start);
        const double p = (at - window.start) / length,
                     value = (1 - p) * line.at_start + p * line.at_end,
                     bound =
                         value + rounding_slack * (std::abs(line.at_start) + std::abs(line.at_end));
        best = bound < best ? bound : best;
      }
      most = most < best ? best : most;
    }
    return {range(form).least, most};
  }

  /// Where no row can be outside of one line and better on another.
  static constexpr bool has_exact_bounds(const Form& form) {
    if (form.validity_first) return false;
    for (std::size_t l = 0; l < form.spline.line_count; ++l) {
      if (form.spline.lines[l].longest_ms != infinity) return false;
    }
    return form.spline.line_count <= 1 || range(form).least >= form.spline.outside;
  }
};

/// TempRALM's recency (equations 2 to 4): 1 / max(days from the end of the row's latest time to
/// `at`, floor_days). In double, where the kernel gives floats: seconds between publications of
/// years ago would round away, and the standardisation magnifies them.
template <>
struct Definition<Kind::recency> : Defaults {
  static constexpr bool normalizes = true, by_latest = true;

  static constexpr bool read(const double* numbers, Form& form) {
    form.recency = {numbers[0], numbers[1]};
    return true;
  }

  static constexpr Recency parameters(const Form& form) { return form.recency; }
  static constexpr double of_latest(const Recency& recency, double latest) {
    const double age = (recency.at - latest) / spline::day_ms;
    return 1 / (recency.floor_days < age ? age : recency.floor_days);
  }

  template <typename Tick>
  static constexpr RowTime value(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
    Tick latest = ticks<Tick>::absent;
    std::int32_t mention = -1;
    each_time(clock, row, [&](std::size_t i, Tick, Tick end) {
      if (mention < 0 || end > latest) {
        latest = end;
        mention = static_cast<std::int32_t>(i);
      }
      return false;
    });
    if (mention < 0) return {no_value, -1};
    return {of_latest(form.recency, milliseconds_of(latest, clock.encoding)), mention};
  }

  static constexpr double undated(const Form&) { return no_value; }
  static constexpr Range range(const Form& form) { return {0, 1 / form.recency.floor_days}; }
  static constexpr Range range_in(const Form& form, const Window& span) {
    if (!(span.start <= span.end)) return {no_value, no_value};
    return {of_latest(form.recency, span.start), of_latest(form.recency, span.end)};
  }
};

/// 2^x for x <= 0, within 2^-50 of itself; 0 from 2^-1000 down. Without fused operations, so that
/// it has the same bits everywhere.
constexpr double power_of_two(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  constexpr std::size_t terms = 14;  // of the exponential's series: the next is below 2^-60
  constexpr auto inverse_factorials = [] {
    std::array<double, terms> values{1};
    for (std::size_t i = 1; i < terms; ++i) values[i] = values[i - 1] / static_cast<double>(i);
    return values;
  }();
  if (!(x > -1000)) return 0;
  const int whole = static_cast<int>(x - 0.5);
  const double y = (x - whole) * ln2;
  double sum = inverse_factorials[terms - 1];
  for (std::size_t i = terms - 1; i-- > 0;) sum = sum * y + inverse_factorials[i];
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + whole) << 52);
}

/// Decay with the distance of the nearest of the row's times from `at`. `Curve` has its value at u
/// half-lives beyond the offset, of doubles and of vectors of them: how often it is halved there,
/// or with `halves` false the value itself; the least is the floor.
template <typename Curve>
struct DecayDefinition : Defaults, Curve {
  static constexpr std::size_t min_shared = 1;
  static constexpr bool has_exact_bounds(const Form&) { return true; }

  /// at, half_life_ms, offset_ms, floor, outside.
  static constexpr bool read(const double* numbers, Form& form) {
    form.decay = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    return true;
  }

  /// Milliseconds from `at` to a time; 0 within it and at its ends.
  static constexpr double distance(double start, double end, double at) {
    return start > at ? start - at : end < at ? at - end : 0;
  }
  /// Of an infinite distance, the limit.
  static constexpr double at_distance(const Decay& decay, double distance) {
    const double beyond = distance > decay.offset_ms ? distance - decay.offset_ms : 0,
                 u = Curve::at_half_lives(beyond / decay.half_life_ms);
    const double value = Curve::halves ? power_of_two(-u) : u;
    return value > decay.floor ? value : decay.floor;
  }

  template <typename Tick>
  static constexpr RowTime value(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
    double nearest = infinity;
    std::int32_t mention = -1;
    each_time(clock, row, [&](std::size_t i, Tick start, Tick end) {
      const double own = distance(milliseconds_of(start, clock.encoding),
                                  milliseconds_of(end, clock.encoding), form.decay.at_ms);
      if (mention < 0 || own < nearest) {
        nearest = own;
        mention = static_cast<std::int32_t>(i);
      }
      return false;
    });
    if (mention < 0) return {undated(form), -1};
    return {at_distance(form.decay, nearest), mention};
  }

  static constexpr double undated(const Form& form) { return form.decay.outside; }
  static constexpr Range range(const Form& form) { return {form.decay.floor, 1}; }
  static constexpr Range range_in(const Form& form, const Window& span) {
    const Decay& decay = form.decay;
    if (!(span.start <= span.end)) return {decay.outside, decay.outside};
    double nearest =
        at_distance(decay, distance(span.start, span.end, decay.at_ms)) * (1 + rounding_slack);
    nearest = nearest < 1 ? nearest : 1;
    return {decay.floor, decay.outside < nearest ? nearest : decay.outside};
  }
};

// Inlined, since kernels compiled once per level call them.
#define ASOF_CURVE           \
  template <typename Number> \
  __attribute__((always_inline)) static constexpr Number

struct Exponential {
  static constexpr bool halves = true;
  ASOF_CURVE at_half_lives(Number u) { return u; }
};
struct Gaussian {
  static constexpr bool halves = true;
  ASOF_CURVE at_half_lives(Number u) { return u * u; }
};
struct Linear {
  static constexpr bool halves = false;
  ASOF_CURVE at_half_lives(Number u) { return 1.0 - 0.5 * u; }
};

#undef ASOF_CURVE

template <>
struct Definition<Kind::exponential> : DecayDefinition<Exponential> {};
template <>
struct Definition<Kind::gaussian> : DecayDefinition<Gaussian> {};
template <>
struct Definition<Kind::linear> : DecayDefinition<Linear> {};

template <typename Definition>
concept is_decay = requires { Definition::halves; };

/// Calls visit with the kind's definition.
template <typename Visit>
constexpr auto with_kind(Kind kind, Visit visit) {
  switch (kind) {
    case Kind::spline:
      return visit(Definition<Kind::spline>());
    case Kind::recency:
      return visit(Definition<Kind::recency>());
    case Kind::exponential:
      return visit(Definition<Kind::exponential>());
    case Kind::gaussian:
      return visit(Definition<Kind::gaussian>());
    case Kind::linear:
      return visit(Definition<Kind::linear>());
    case Kind::none:
      break;
  }
  return visit(Definition<Kind::none>());
}

/// The same for kinds that are decays; nothing for others.
template <typename Visit>
constexpr void with_decay(Kind kind, Visit visit) {
  with_kind(kind, [&](auto definition) {
    if constexpr (is_decay<decltype(definition)>) visit(definition);
  });
}

/// Reads the kind's parameters; false where they are out of bounds.
constexpr bool read(const double* numbers, Form& form) {
  return with_kind(form.kind, [&](auto kind) { return kind.read(numbers, form); });
}

/// The form's value of the row, by a clock.
template <typename Tick>
constexpr RowTime value_at(const Form& form, const ClockView<Tick>& clock, std::size_t row) {
  return with_kind(form.kind, [&](auto kind) { return kind.value(form, clock, row); });
}

/// The value of rows without a time; NaN where they have none.
constexpr double undated(const Form& form) {
  return with_kind(form.kind, [&](auto kind) { return kind.undated(form); });
}

constexpr Range range(const Form& form) {
  return with_kind(form.kind, [&](auto kind) { return kind.range(form); });
}

/// Of rows whose times lie from the span's start to its end, and of undated rows; of a span that
/// starts after its end, the latter alone.
inline Range range_in(const Form& form, const Window& span) {
  return with_kind(form.kind, [&](auto kind) { return kind.range_in(form, span); });
}

constexpr bool normalizes(const Form& form) {
  return form.combine == Combine::sum &&
         with_kind(form.kind, [](auto kind) { return kind.normalizes; });
}

constexpr bool by_latest(const Form& form) {
  return with_kind(form.kind, [](auto kind) { return kind.by_latest; });
}

/// The value of rows whose latest time ends at `latest`, of a form that goes by it.
constexpr double value_of_latest(const Form& form, double latest) {
  return with_kind(form.kind, [&](auto kind) {
    if constexpr (kind.by_latest)
      return kind.of_latest(kind.parameters(form), latest);
    else
      return no_value;
  });
}

constexpr std::size_t min_shared(const Form& form) {
  return with_kind(form.kind, [](auto kind) { return kind.min_shared; });
}

constexpr bool has_exact_bounds(const Form& form) {
  return with_kind(form.kind, [&](auto kind) { return kind.has_exact_bounds(form); });
}

/// Upper bound of the factor of a product.
constexpr double max_factor(const Form& form) {
  return form.combine == Combine::product ? range(form).greatest : 1;
}

template <typename Tick>
constexpr bool has_time(const ClockView<Tick>& clock, std::size_t row) {
  bool has = false;
  each_time(clock, row, [&](std::size_t, Tick, Tick) { return has = true; });
  return has;
}

/// How a value is standardised: its mean and deviation become those of the relevance.
struct Standard {
  double mean_from, factor, mean_to;
};

/// A value as the query's scores see it; NaN gets the mean.
constexpr double standardized(const Standard& map, double value) {
  return map.mean_to + ((value == value ? value : map.mean_from) - map.mean_from) * map.factor;
}

/// A relevance times a factor. It grows with the relevance for every factor from 0 to 2.
constexpr double apply_factor(double relevance, double factor) {
  return relevance >= 0 ? relevance * factor : relevance * (2 - factor);
}

/// The score of a row, of which the form has this value.
constexpr double score_of(const Form& form, const Standard& map, double relevance, double value) {
  if (form.combine == Combine::none) return relevance;
  return form.combine == Combine::product ? apply_factor(relevance, value)
                                          : relevance + form.weight * standardized(map, value);
}

}  // namespace asof::temporal
