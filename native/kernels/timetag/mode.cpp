// Which of the two modes a text is read by, where nobody says: news speaks from the day of its publication, narrative from
// the last date it told.
#include <algorithm>

#include "kernels/timetag/scene.hpp"

namespace asof::timetag {

Mode choose_mode(const Scene& scene) {
  if (!scene.has_reference()) return Mode::narrative;
  for (std::size_t i = 0; i < scene.tokens.size(); ++i) {
    if (year_number(scene, i) && clean_number(scene, i)) return Mode::narrative;
  }
  return Mode::news;
}

}  // namespace asof::timetag
