// News resolution: what a date leaves out is the publication time's.
#include "kernels/timetag/scene.hpp"

namespace asof::timetag {

// The year that brings the date nearest to the reference; without a reference, that of the last date mentioned.
void resolve_in_news(const Scene& scene, Expression& expression) {
  if (!scene.has_reference()) {
    if (scene.carried_year != no_year) resolve_year(expression, scene.carried_year);
    return;
  }
  const std::int64_t year = civil_from_days(scene.reference_day()).year;
  Expression best = expression;
  double best_distance = std::numeric_limits<double>::infinity();
  for (std::int64_t candidate : {year, year - 1, year + 1}) {
    Expression tried = expression;
    resolve_year(tried, candidate);
    const double distance = scene.reference_ms < tried.start_ms ? tried.start_ms - scene.reference_ms : std::max(0.0, scene.reference_ms - tried.end_ms);
    if (distance < best_distance) {
      best = tried;
      best_distance = distance;
    }
  }
  expression = best;
}

}  // namespace asof::timetag
