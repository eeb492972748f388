// Parts of the day: "Tuesday morning", "the night of April 18, 1775", "this afternoon", "last
// night", "at dawn". The TIMEX3 value names the part; the interval is the whole day
// (TIME_CONVENTIONS: the time of day is dropped).
#include <cstdlib>

#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr double hour_ms = 3'600'000.0;

std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

bool is_word(const Scene& scene, std::size_t i, std::u16string_view lower) {
  if (!scene.is(i, Kind::word) || scene.word(i).size() != lower.size()) return false;
  const std::u16string_view word = scene.word(i);
  return (word[0] | 32) == lower[0] && word.substr(1) == lower.substr(1);
}

bool day_told(const Scene& scene) {
  return scene.told.known() && scene.told.granularity <= Granularity::day;
}

bool plural(const Scene& scene, std::size_t i) {
  return scene.word(i).back() == u's';
}

// American summer time since 2007: from the second Sunday of March to the first of November.
bool summer_time(std::int64_t day) {
  const std::int64_t year = civil_from_days(day).year;
  const std::int64_t march = days_from_civil(year, 3, 8), november = days_from_civil(year, 11, 1);
  return day >= march + 6 - weekday_from_days(march) &&
         day < november + 6 - weekday_from_days(november);
}

double zone_ms(int zone, std::int64_t day) {
  if (zone < 0) return 0;
  const bool may_save = zone >= daylight;
  const double offset = (zone - (may_save ? daylight : 0) - 24) * hour_ms / 2;
  return may_save && summer_time(day) ? offset + hour_ms : offset;
}

// "dawn", "nightfall": a turn of the day, where "night" may be any.
bool names_moment(const Scene& scene, std::size_t i) {
  return !is_word(scene, i, u"night") && !is_word(scene, i, u"daytime") &&
         static_cast<Daypart>(scene.value(i)) < Daypart::noon;
}

bool quoted_between(const Scene& scene, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (scene.is(i, Kind::symbol) &&
        (scene.word(i) == u"\"" || scene.word(i) == u"“" || scene.word(i) == u"”"))
      return true;
  }
  return false;
}

bool fill_part(const Scene& scene, std::size_t part, std::int64_t day, Expression& expression) {
  const Civil civil = civil_from_days(day);
  fill_day(expression, civil.year, civil.month, civil.day);
  expression.relative = true;
  expression.confidence = 0.8f;
  read_part_of_day(scene, part, expression.clock);
  apply_clock(expression);
  return true;
}

// "at dawn" of "at dawn on 7 February": its value says the day, its interval is left to the date
// after it.
bool fill_before_date(const Scene& scene, std::size_t part, std::int64_t day,
                      Expression& expression) {
  fill_part(scene, part, day, expression);
  expression.start_ms = expression.end_ms = unknown_ms;
  return true;
}

// "the morning of 19 April", "the evening of the 20th"
bool read_part_of(const Scene& scene, std::size_t i, Expression& expression) {
  if (plural(scene, i) || !scene.is(i + 1, Function::of)) return false;
  std::size_t date = i + 2;
  if (scene.is(date, Function::the)) ++date;
  // a row of nights must not nest
  if (scene.is(date, Class::daypart) || !read_expression(scene, date, expression) ||
      !names_day(expression) || expression.type != TimexType::date || expression.range)
    return false;
  read_part_of_day(scene, i, expression.clock);
  expression.first = scene.is(i - 1, Class::part) ? i - 1 : i;
  return true;
}

// "the early hours of Thursday", "the early morning hours of 6 April"
bool read_early_hours(const Scene& scene, std::size_t i, Expression& expression) {
  const std::size_t hours = scene.is(i + 1, Class::daypart) &&
                                    static_cast<Daypart>(scene.value(i + 1)) == Daypart::morning
                                ? i + 2
                                : i + 1;
  if (scene.value(i) != static_cast<int>(Part::early) || !is_word(scene, hours, u"hours") ||
      !scene.is(hours + 1, Function::of))
    return false;
  const std::size_t date = scene.is(hours + 2, Function::the) ? hours + 3 : hours + 2;
  if (!(scene.is(date, Class::weekday) || scene.is(date, Kind::number) ||
        scene.is(date, Class::month)) ||
      !read_expression(scene, date, expression) || !names_day(expression) ||
      expression.type != TimexType::date || expression.range)
    return false;
  expression.clock = Clock();
  expression.clock.value = "TMO";
  expression.first = i;
  if (!expression.lacks_year) apply_clock(expression);
  return true;
}

// "before dawn", "by evening", "until daybreak on Friday" in a report: of the day named after it,
// else of the one it tells.
bool read_moment(const Scene& scene, std::size_t i, Expression& expression) {
  if (scene.mode != Mode::news || !scene.has_reference() || !names_moment(scene, i)) return false;
  if (!scene.is_any(i - 1, {Function::at, Function::by, Function::until, Function::before,
                            Function::after, Function::since}))
    return false;
  if (scene.is(i + 1, Kind::hyphen) && scene.glued(i + 1)) return false;
  const std::size_t date = scene.is(i + 1, Function::on) ? i + 2 : i + 1;
  if (scene.is(date, Class::weekday) && read_weekday(scene, date, expression) &&
      !expression.lacks_year && names_day(expression)) {
    read_part_of_day(scene, i, expression.clock);
    expression.first = i;
    apply_clock(expression);
    return true;
  }
  const bool alone = stands_alone(scene, date) || scene.at(date).lexeme.verb != Verb::none;
  if (date != i + 1 || !alone || scene.is(i - 1, Function::at))
    return false;  // "at dawn on 7 February", "before dawn raids"
  std::int64_t day = 0;
  expression = Expression();
  if (!anchor_day(scene, i, day)) return false;
  if (is_word(scene, i, u"morning") && direction_at(scene, i, i + 1) == Direction::ahead) ++day;
  expression.first = i;
  expression.last = i + 1;
  return fill_part(scene, i, day, expression);
}

// "this morning", "last night", "the next evening"
bool read_shifted_part(const Scene& scene, std::size_t i, Expression& expression) {
  const std::size_t part = scene.is(i + 1, Class::part) ? i + 2 : i + 1;
  if (!scene.is(part, Class::daypart) || plural(scene, part) || scene.at(part).capital ||
      static_cast<Daypart>(scene.value(part)) > Daypart::night)
    return false;
  const bool the = scene.is(i - 1, Function::the);
  const int direction = scene.is(i, Class::shift)          ? scene.value(i) - 1
                        : scene.is(i, Function::following) ? 1
                                                           : -1;
  std::int64_t day = 0;
  // "last night" is the reference's, "the next morning" the story's.
  const bool told = the || scene.mode == Mode::narrative;
  if (told && day_told(scene))
    day = day_of(scene.told.end_ms - 1);
  else if (scene.has_reference() && scene.mode == Mode::news)
    day = scene.reference_day();
  else
    return false;
  fill_part(scene, part, day + direction, expression);
  expression.last = part + 1;
  return true;
}

}  // namespace

bool names_day(const Expression& expression) {
  const std::string& value = expression.value;
  return expression.granularity == Granularity::day && !expression.range && value.size() >= 10 &&
         value[value.size() - 3] != 'W' &&
         (value[value.size() - 3] == '-' || value[value.size() - 2] == '-');
}

bool anchor_day(const Scene& scene, std::size_t i, std::int64_t& day) {
  const bool carried = day_told(scene);
  if (carried) day = day_of(scene.told.end_ms - 1);
  if (scene.mode == Mode::narrative && carried) return true;
  if (!scene.has_reference()) return carried;
  // A report speaks of the day it is of: another one holds on for a sentence or two, and one long
  // past until somebody speaks.
  const bool near = carried && std::llabs(day - scene.reference_day()) <= 7;
  if (carried && i - scene.told.at <= 30 &&
      (near || (day < scene.reference_day() && !quoted_between(scene, scene.told.at, i))))
    return true;
  if (scene.mode == Mode::narrative) return false;
  day = scene.reference_day();
  return true;
}

bool read_part_of_day(const Scene& scene, std::size_t i, Clock& clock) {
  if (!scene.is(i, Class::daypart)) return false;
  constexpr const char* values[] = {"TMO", "TMI", "TAF", "TEV", "TNI", "TDT", "T12:00", "T24:00"};
  clock = Clock();
  clock.value = values[scene.value(i)];
  const auto part = static_cast<Daypart>(scene.value(i));
  if (part == Daypart::noon || part == Daypart::midnight) {
    clock.start_ms = part == Daypart::noon ? 12 * hour_ms : 24 * hour_ms;
    clock.length_ms = 60'000;
  }
  return true;
}

void apply_clock(Expression& expression) {
  if (expression.clock.value.empty()) return;
  const Clock clock = std::move(expression.clock);
  expression.clock = Clock();
  const std::string date = expression.value;
  expression.value += clock.value;
  expression.type = TimexType::time;
  if (std::isfinite(expression.start_ms) && std::isfinite(clock.start_ms)) {
    expression.start_ms += clock.start_ms - zone_ms(clock.zone, day_of(expression.start_ms));
    expression.end_ms = expression.start_ms + clock.length_ms;
  }
  if (std::isfinite(clock.start_ms)) expression.granularity = clock.granularity;
  if (clock.span.last == clock.span.first) return;
  const bool before = clock.span.first < clock.date.first;
  expression.spans = {before ? clock.span : clock.date, before ? clock.date : clock.span};
  expression.value = before ? expression.value + '/' + date : date + '/' + expression.value;
}

bool read_daypart(const Scene& scene, std::size_t i, Expression& expression) {
  expression.first = i;
  if (scene.is(i, Class::part)) return read_early_hours(scene, i, expression);
  if (scene.is(i, Class::deictic)) {  // "tonight"
    if (static_cast<Deictic>(scene.value(i)) != Deictic::tonight || !scene.has_reference())
      return false;
    fill_part(scene, i, scene.reference_day(), expression);
    expression.clock.value = "TNI";
    apply_clock(expression);
    expression.last = i + 1;
    return true;
  }
  if (scene.is(i, Class::shift) || scene.is_any(i, {Function::following, Function::preceding}))
    return read_shifted_part(scene, i, expression);
  if (!scene.is(i, Class::daypart) || static_cast<Daypart>(scene.value(i)) >= Daypart::noon)
    return false;
  if (read_part_of(scene, i, expression)) return true;
  if (!plural(scene, i) && !scene.at(i).capital && read_moment(scene, i, expression)) return true;
  if (plural(scene, i) || scene.at(i).capital) return false;
  expression = Expression();
  expression.first = i;
  expression.last = i + 1;
  std::int64_t day = 0;
  if (is_word(scene, i, u"overnight")) {  // the night before, unless something is to come
    const bool ahead = direction_at(scene, i, i + 1) == Direction::ahead;
    return scene.mode == Mode::news && scene.has_reference() &&
           fill_part(scene, i, scene.reference_day() - (ahead ? 0 : 1), expression);
  }
  const std::size_t before = scene.is(i - 1, Class::part) ? i - 2 : i - 1;
  if (is_word(scene, before, u"that")) {
    expression.first = before;
    return anchor_day(scene, i, day) && fill_part(scene, i, day, expression);
  }
  const bool the = scene.is(before, Function::the) &&
                   scene.is_any(before - 1, {Function::in, Function::during, Function::by});
  const bool hyphen = scene.is(i + 1, Kind::hyphen) && scene.glued(i + 1);
  const bool at = before == i - 1 &&
                  scene.is_any(i - 1, {Function::at, Function::by, Function::until}) && !hyphen;
  if (the && !scene.is(i + 1, Function::of)) {
    if (before != i - 1) expression.first = i - 1;
    return anchor_day(scene, i, day) && fill_part(scene, i, day, expression);
  }
  // "night attacks", "in daytime": a story's annotators take these for any night or day.
  const bool bare = is_word(scene, i, u"night") || is_word(scene, i, u"daytime");
  const bool free =
      before == i - 1 && !scene.is_any(before, {Function::the, Function::a, Function::of}) &&
      !scene.is(before, Class::cardinal) && !scene.is(before, Class::recurring) &&
      !scene.is(before, Class::shift) && !scene.is(before, Class::ordinal) &&
      !scene.is(before, Kind::hyphen) && !determined(scene, i) && !scene.is(before, Class::weekday);
  if (!(at || (bare && free)) || !scene.takes_generic()) return false;
  if (at && names_moment(scene, i)) {
    // "at dawn on 7 February"; "by nightfall" is the story's day.
    const std::size_t on = scene.is_any(i + 1, {Function::on, Function::of}) ? i + 2 : i + 1;
    const std::size_t date = scene.is(on, Function::the) ? on + 1 : on;
    Expression other;
    const bool dated = on == i + 2 && scene.is(date, Kind::number) &&
                       read_expression(scene, date, other) && names_day(other) && !other.range;
    if (dated && other.lacks_year) resolve_in_narrative(scene, Prefix{}, other);
    if (dated && !std::isnan(other.start_ms))
      return fill_before_date(scene, i, day_of(other.start_ms), expression);
    if (!dated && day_told(scene))
      return fill_part(scene, i, day_of(scene.told.end_ms - 1), expression);
  }
  // "at night", "at dawn": of any day.
  expression.value = "XXXX-XX-XX";
  expression.confidence = 0.5f;
  read_part_of_day(scene, i, expression.clock);
  apply_clock(expression);
  return true;
}

}  // namespace asof::timetag
