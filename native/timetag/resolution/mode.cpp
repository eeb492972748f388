// Which of the two modes a text is read by, where nobody says: news speaks from the day of its
// publication, narrative from the last date it told. Only a count of words: it reads no dates.
#include <cstdlib>

#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"

namespace asof::timetag {

namespace {

constexpr std::size_t lead_tokens = 50;

// "Friday" with no date beside it: only a reader who knows today can place it.
bool weekday_alone(const Scene& scene, std::size_t i) {
  if (!scene.is(i, Class::weekday) || !scene.at(i).capital ||
      scene.at(i).end - scene.at(i).begin < 6)
    return false;
  const std::size_t next = scene.is(i + 1, Kind::comma) ? i + 2 : i + 1;
  return !scene.is(next, Kind::number) && !scene.is(next, Class::month);
}

// "yesterday", "last week", "two years ago": counted from the day of writing.
bool counted_from_today(const Scene& scene, std::size_t i) {
  if (scene.is(i, Class::deictic)) return scene.value(i) != static_cast<int>(Deictic::now);
  if (scene.is(i, Function::ago)) return true;
  if (!scene.is(i, Class::shift) || scene.is_any(i - 1, {Function::the, Function::that}) ||
      scene.word(i) == u"same" || scene.word(i) == u"previous")
    return false;
  return scene.is(i + 1, Class::unit) || scene.is(i + 1, Class::month) ||
         scene.is(i + 1, Class::season) || scene.is(i + 1, Class::weekday);
}

// "in 612.", "until 641": a number of three digits that nothing counts.
bool early_year(const Scene& scene, std::size_t i) {
  if (!scene.is(i, Kind::number) || scene.at(i).digits != 3 || scene.at(i).number < 100 ||
      !closed_after(scene, i + 1))
    return false;
  return clean_number(scene, i) &&
         scene.is_any(i - 1, {Function::in, Function::since, Function::until});
}

}  // namespace

// News is known by weekdays alone and words counted from today, a story of the past by years that
// its day of writing is far from. One weekday says more than one year, and one in the opening
// sentence more than ten: an obituary names many years and is news.
Mode choose_mode(const Scene& scene) {
  if (!scene.has_reference()) return Mode::narrative;
  const std::int64_t reference_year = civil_from_days(scene.reference_day()).year;
  int news = 0, story = 0;
  for (std::size_t i = 0; i < scene.tokens.size(); ++i) {
    if (weekday_alone(scene, i))
      news += i < lead_tokens ? 12 : 3;
    else if (counted_from_today(scene, i))
      news += 2;
    else if (year_number(scene, i) && clean_number(scene, i) &&
             std::llabs(scene.at(i).number - reference_year) > 1)
      ++story;
    else if (early_year(scene, i))
      ++story;
    else if (scene.is(i, Class::era) && scene.is(i - 1, Kind::number))
      ++story;
  }
  return story > news ? Mode::narrative : Mode::news;
}

}  // namespace asof::timetag
