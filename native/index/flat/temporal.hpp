// The temporal scores that the scan evaluates for a row: MRAG's spline (section 4, appendix G) and TempRALM's recency
// (equations 2 to 4), and the moments that standardise the latter.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "index/flat/request.hpp"

namespace asof::flat {

inline constexpr double day_ms = 86'400'000;

struct RowTime {
  double value = 0;
  std::int32_t mention = -1;  // which of the row's times decided, where it reads content
};

/// c of the row: over the part of each of its times that lies in the window the line's best, `outside` where none does.
/// A window with an open end has no slope: the line's value near its finite end's far side counts, see lib/candidates/flatScan.ts.
RowTime spline(const Form& form, const FlatRows& rows, std::size_t row);

/// 1 / max(days from the end of the row's latest time to `at`, floor_days); NaN where the row has no such time.
RowTime recency(const Form& form, const FlatRows& rows, std::size_t row);

/// The same values for the rows [begin, begin + count).
void recencies(const Form& form, const FlatRows& rows, std::size_t begin, std::size_t count, double* values);

/// Count, mean and sum of squared differences, with extremes; two can be merged (Chan, Golub and LeVeque 1979).
struct Moments {
  double count = 0, mean = 0, squares = 0;
  double least = infinity, most = -infinity;

  void add(const Moments& other) {
    if (other.count == 0) return;
    double total = count + other.count, shift = other.mean - mean;
    mean += shift * (other.count / total);
    squares += other.squares + shift * shift * (count * other.count / total);
    count = total;
    least = std::min(least, other.least);
    most = std::max(most, other.most);
  }
  /// Of the population, not a sample of it. Values that are all equal have exactly none, whatever rounding did to `squares`.
  double deviation() const { return count == 0 || least == most ? 0 : std::sqrt(squares / count); }
};

/// The moments of a block of values: two passes, so that a large mean does not eat the deviation.
Moments moments_of(const double* values, std::size_t count);

/// How a query standardises: x -> relevance mean + (x - recency mean) * scale; the mean for rows without the clock.
struct Standard {
  double relevance_mean = 0, recency_mean = 0, scale = 0;

  Standard() = default;
  Standard(const Moments& relevance, const Moments& recency) : relevance_mean(relevance.mean), recency_mean(recency.mean) {
    double deviation = recency.deviation();
    scale = deviation > 0 ? relevance.deviation() / deviation : 0;
  }
  double of(double x) const { return relevance_mean + ((std::isnan(x) ? recency_mean : x) - recency_mean) * scale; }
};

}  // namespace asof::flat
