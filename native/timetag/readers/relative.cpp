// Words that point from a reference: "yesterday", "last week", "next Friday", "three years ago".
// Without a reference they are mentions without an interval. Weeks are ISO weeks, Monday to Sunday;
// "N years ago" has the granularity of its unit.
#include <cstdlib>

#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

void add_months(std::int64_t& year, int& month, std::int64_t months) {
  const std::int64_t index = year * 12 + (month - 1) + months;
  year = index >= 0 ? index / 12 : (index - 11) / 12;
  month = static_cast<int>(index - year * 12) + 1;
}

bool fill_or_leave_open(const Scene& scene, Unit unit, std::int64_t steps, Expression& expression) {
  expression.relative = true;
  expression.looks_back = steps < 0 || scene.story();  // the reader's time is no part of the story
  expression.confidence = 0.9f;
  if (scene.has_reference()) return fill_shifted(scene.reference_day(), unit, steps, expression);
  expression.value = unresolved_value(unit);
  return true;
}

bool read_deictic(const Scene& scene, std::size_t i, Expression& expression) {
  const auto word = static_cast<Deictic>(scene.value(i));
  // "Legends of Tomorrow", "USA Today": names.
  if (scene.is(i - 1, Function::of) || (scene.at(i).capital && scene.is(i - 1, Kind::word)))
    return false;
  expression.last = i + 1;
  // A story's "today" is the time of its readers.
  if (word == Deictic::now || (word == Deictic::today && scene.story())) {
    expression.value = "PRESENT_REF";
    expression.confidence = 0.5f;
    return true;
  }
  if (scene.story() && scene.told.known()) {  // said by somebody in the story, nobody knows when
    expression.value = unresolved_value(Unit::day);
    expression.confidence = 0.5f;
    return true;
  }
  return fill_or_leave_open(scene, Unit::day,
                            word == Deictic::yesterday  ? -1
                            : word == Deictic::tomorrow ? 1
                                                        : 0,
                            expression);
}

// "coming", and not "next"
bool coming(const Scene& scene, std::size_t i) {
  return scene.word(i) == u"coming" || scene.word(i) == u"Coming";
}

bool read_shifted(const Scene& scene, std::size_t i, Expression& expression) {
  const int direction = scene.is(i, Class::shift)          ? scene.value(i) - 1
                        : scene.is(i, Function::following) ? 1
                                                           : -1;
  const std::size_t j = i + 1;
  expression.last = j + 1;
  if (scene.is(j, Class::unit)) {
    const auto unit = static_cast<Unit>(scene.value(j));
    const char16_t last_letter = scene.word(j).back();
    if (unit < Unit::day || unit == Unit::season || unit == Unit::millennium ||
        (last_letter == u's' || last_letter == u'S'))
      return false;
    if (scene.mode == Mode::news && scene.at(j).capital && !scene.is(i - 1, Kind::end))
      return false;  // "This Week With Hale"
    if (unit == Unit::day || (unit == Unit::half) ||
        (unit == Unit::quarter && scene.is(j + 1, Function::of)))
      return false;
    if (scene.story() && scene.told.known())
      return fill_from_told(scene, unit, direction, expression);
    return fill_or_leave_open(scene, unit, direction, expression);
  }
  if (scene.is(j, Class::weekday) && scene.at(j).capital) {
    expression.relative = true;
    expression.looks_back = direction < 0;
    expression.value = std::string("XXXX-WXX-") + static_cast<char>('1' + scene.value(j));
    if (!scene.has_reference()) return true;
    const std::int64_t today = scene.reference_day();
    const int ahead = (scene.value(j) - weekday_from_days(today) + 7) % 7;
    // "next Wednesday" said on a Tuesday is not tomorrow; "this coming Wednesday" is.
    const int nearest = coming(scene, i) ? 1 : 2;
    std::int64_t day = direction > 0   ? today + (ahead < nearest ? ahead + 7 : ahead)
                       : direction < 0 ? today + ahead - 7
                                       : today - weekday_from_days(today) + scene.value(j);
    // "I'll be there this Thursday", said on a Sunday, is none of the week that ends.
    if (direction == 0 && day < today && scene.mode == Mode::news &&
        direction_at(scene, i, j + 1) == Direction::ahead)
      day += 7;
    fill_days(expression, day, day + 1, Granularity::day);
    expression.value = day_text(day);
    return true;
  }
  if ((scene.is(j, Class::month) && scene.at(j).capital) || scene.is(j, Class::season)) {
    Expression dated;
    if (scene.is(j, Class::month) && read_month_first(scene, j, dated) &&
        (!dated.lacks_year || dated.day > 0))
      return false;  // "last May 6"
    expression.relative = true;
    expression.looks_back = direction < 0;
    const bool season = scene.is(j, Class::season);
    expression.value = season ? "XXXX" : "XXXX-XX";
    if (!scene.has_reference()) return true;
    const std::int64_t year = civil_from_days(scene.reference_day()).year;
    // The nearest whole one that ended before, or begins after, the reference; "this" is the one of
    // this year.
    for (std::int64_t candidate = direction < 0   ? year
                                  : direction > 0 ? year - 1
                                                  : year;
         ; candidate += direction) {
      season ? fill_season(expression, candidate, scene.value(j))
             : fill_month(expression, candidate, scene.value(j));
      if (direction == 0 || (direction < 0 ? expression.end_ms <= scene.reference_ms
                                           : expression.start_ms > scene.reference_ms))
        return true;
    }
  }
  return false;
}

constexpr double longest_count = 9'999;  // more years ago are no year of the calendar

// "three years ago", "a week ago", "two and a half years ago", "60,000 years ago", "two years
// back,"; "10 days earlier" is not one: it counts from something else.
bool read_ago(const Scene& scene, std::size_t i, Expression& expression) {
  Count count;
  if (scene.is(i, Class::vague) || !read_count(scene, i, count) || count.vague) return false;
  std::size_t at = count.last;
  const bool weeks = fortnight(scene, at);
  const std::size_t noun = at;
  std::size_t half = 0;
  if (and_a_half(scene, at, count, half)) count.value += 0.5, at = half - 1;
  if (!(weeks || scene.is(noun, Class::unit)) ||
      !(scene.is(at + 1, Function::ago) || ago_by_back(scene, at + 1)))
    return false;
  if (weeks) count.value *= 2;
  const auto unit = weeks ? Unit::week : static_cast<Unit>(scene.value(noun));
  if (unit < Unit::day || unit == Unit::season || unit == Unit::half || unit == Unit::millennium)
    return false;
  expression.first = with_modifiers(scene, i);
  if (scene.is(expression.first, Function::over))
    ++expression.first;  // "who took over two years ago"
  expression.last = at + 2;
  const bool whole = count.value == std::floor(count.value);
  if (count.value > longest_count) {
    expression.value = "PAST_REF";
    expression.confidence = 0.5f;
    return unit == Unit::year;
  }
  if (!whole && unit == Unit::year)
    return fill_or_leave_open(scene, Unit::month, -static_cast<std::int64_t>(count.value * 12),
                              expression);
  return whole &&
         fill_or_leave_open(scene, unit, -static_cast<std::int64_t>(count.value), expression);
}

bool is_previous(const Scene& scene, std::size_t i) {
  return scene.word(i) == u"previous" || scene.word(i) == u"Previous";
}

}  // namespace

const char* unresolved_value(Unit unit) {
  switch (unit) {
    case Unit::day:
      return "XXXX-XX-XX";
    case Unit::weekend:
      return "XXXX-WXX-WE";
    case Unit::week:
      return "XXXX-WXX";
    case Unit::month:
      return "XXXX-XX";
    case Unit::quarter:
      return "XXXX-QX";
    case Unit::half:
      return "XXXX-HX";
    case Unit::decade:
      return "XXXX";
    case Unit::century:
      return "XX";
    default:
      return "XXXX";
  }
}

bool fill_shifted(std::int64_t today, Unit unit, std::int64_t steps, Expression& expression) {
  if (std::llabs(steps) > 100'000) return false;
  const Civil civil = civil_from_days(today);
  std::int64_t year = civil.year;
  int month = civil.month;
  switch (unit) {
    case Unit::day: {
      const Civil day = civil_from_days(today + steps);
      fill_day(expression, day.year, day.month, day.day);
      return true;
    }
    case Unit::week:
    case Unit::weekend: {
      const std::int64_t monday = today - weekday_from_days(today) + 7 * steps;
      const bool weekend = unit == Unit::weekend;
      fill_days(expression, weekend ? monday + 5 : monday, monday + 7,
                weekend ? Granularity::weekend : Granularity::week);
      expression.value = week_text(monday) + (weekend ? "-WE" : "");
      return true;
    }
    case Unit::month:
      add_months(year, month, steps);
      fill_month(expression, year, month);
      return true;
    case Unit::quarter:
    case Unit::half: {
      const int months = unit == Unit::quarter ? 3 : 6;
      const int index = (month - 1) / months;
      month = 1 + index * months;
      add_months(year, month, steps * months);
      fill_year(expression, year);
      narrow_to_fraction(expression, (month - 1) / months, 12 / months);
      return true;
    }
    case Unit::year:
      fill_year(expression, year + steps);
      return true;
    case Unit::decade:
      fill_decade(expression, year - ((year % 10) + 10) % 10 + 10 * steps);
      return true;
    case Unit::century:
      if (year + 100 * steps < 0) return false;
      fill_century(expression, static_cast<int>((year + 100 * steps) / 100) + 1, false);
      return true;
    default:
      return false;
  }
}

bool read_relative(const Scene& scene, std::size_t i, Expression& expression) {
  expression.first = i;
  if (scene.is(i, Class::deictic)) return read_deictic(scene, i, expression);
  const bool shift = scene.is(i, Class::shift);
  if (over_stretch(scene, i)) return false;
  if (!shift && !scene.is_any(i, {Function::following, Function::preceding}))
    return read_ago(scene, i, expression);
  if (!scene.is(i - 1, Function::the)) return shift && read_shifted(scene, i, expression);
  // "the last year of the war", "the last winter Olympics": an order, not a date.
  if (shift && scene.value(i) == 0 && !is_previous(scene, i)) return false;
  // "the current quarter", in news: the reference's.
  if (shift && scene.mode == Mode::news &&
      (scene.word(i) == u"current" || scene.word(i) == u"coming"))
    return read_shifted(scene, i, expression);
  Unit unit{};
  bool plural = false;
  if (read_unit(scene, i + 1, false, unit, plural) && !plural && unit >= Unit::day &&
      unit != Unit::season && unit != Unit::half &&
      !(unit == Unit::quarter && scene.is(i + 2, Function::of))) {
    expression.last = i + 2;
    return fill_from_told(scene, unit,
                          scene.is(i, Function::following) || (shift && scene.value(i) == 2) ? 1
                          : scene.is(i, Function::preceding) || is_previous(scene, i)        ? -1
                                                                                             : 0,
                          expression);
  }
  // "the following month", "the next day": counted from the last date mentioned, not from the
  // reference.
  Scene anaphoric = scene;
  anaphoric.reference_ms = scene.told.start_ms;
  return read_shifted(anaphoric, i, expression);
}

}  // namespace asof::timetag
