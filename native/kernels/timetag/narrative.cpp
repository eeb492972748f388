// Narrative resolution: a story goes forward from one date to the next, so what a date leaves out is the last date's.
#include "kernels/timetag/scene.hpp"

namespace asof::timetag {

void resolve_in_narrative(const Scene& scene, Expression& expression) {
  if (scene.carried_year == no_year) {
    resolve_in_news(scene, expression);
    return;
  }
  resolve_year(expression, scene.carried_year);
  // January after a date in December is the next one.
  if (scene.carried_ms - expression.end_ms > 270 * day_ms) resolve_year(expression, scene.carried_year + 1);
}

}  // namespace asof::timetag
