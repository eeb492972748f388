// What is counted from the last date told, not from the reference: "four days later", "that same
// day", "the year before", "the 20th", "October of that year", "the end of the month". Where no
// date has been told, or none fine enough, the value says so with an X and there is no interval.
// Counts that name no number ("days later") are read so in narrative only.
#include <cstdlib>

#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

bool word_is(const Scene& scene, std::size_t i, std::initializer_list<std::u16string_view> words) {
  if (!scene.is(i, Kind::word)) return false;
  for (std::u16string_view each : words) {
    if (scene.word(i) == each) return true;
  }
  return false;
}

// "that", "this", "the same", "that same": the unit that the last date lies in. Sets the token
// after it.
bool read_same(const Scene& scene, std::size_t i, std::size_t& next) {
  const auto same = [&](std::size_t j) {
    return word_is(scene, j, {u"same", u"very"}) ? j + 1 : j;
  };
  if (scene.is(i, Function::that) || word_is(scene, i, {u"this", u"This"})) {
    next = same(i + 1);
    return true;
  }
  if (scene.is(i, Function::the)) ++i;
  next = same(i);
  return next > i && scene.word(i) == u"same";
}

// "the following", "the next", "the previous": one on or back.
bool read_neighbour(const Scene& scene, std::size_t i, int& steps, std::size_t& next) {
  if (!scene.is(i, Function::the)) return false;
  const std::size_t j = word_is(scene, i + 1, {u"very"}) ? i + 2 : i + 1;
  next = j + 1;
  steps = scene.is(j, Function::following) || word_is(scene, j, {u"next"})       ? 1
          : scene.is(j, Function::preceding) || word_is(scene, j, {u"previous"}) ? -1
                                                                                 : 0;
  return steps != 0;
}

bool singular_unit(const Scene& scene, std::size_t i, Unit& unit) {
  bool plural = false;
  return read_unit(scene, i, false, unit, plural) && !plural && unit >= Unit::day &&
         unit != Unit::season && unit != Unit::half && unit != Unit::millennium;
}

// The value of a unit `steps` away where the last date is too coarse to say which: the year is all
// that is known.
std::string coarse_value(const Told& told, Unit unit) {
  const std::int64_t year = civil_from_days(day_of(told.start_ms)).year;
  switch (unit) {
    case Unit::day:
      return year_text(year) + "-XX-XX";
    case Unit::week:
      return year_text(year) + "-WXX";
    case Unit::weekend:
      return year_text(year) + "-WXX-WE";
    case Unit::quarter:
      return year_text(year) + "-QX";
    default:
      return year_text(year) + "-XX";
  }
}

Granularity granularity_of(Unit unit) {
  switch (unit) {
    case Unit::day:
      return Granularity::day;
    case Unit::week:
    case Unit::weekend:
      return Granularity::week;
    case Unit::month:
      return Granularity::month;
    case Unit::quarter:
      return Granularity::quarter;
    case Unit::half:
      return Granularity::half;
    default:
      return Granularity::millennium;  // years and longer are known of any date
  }
}

// "half a century later", "half an hour earlier", "a quarter-century later": years, months or
// minutes from the last date.
bool read_fraction_shift(const Scene& scene, std::size_t i, Expression& expression) {
  const bool half = scene.is(i, Unit::half);
  if (!half && !scene.is(i, Unit::quarter)) return false;
  const bool joined = scene.is(i + 1, Kind::hyphen) && scene.glued(i + 1);
  const std::size_t at = joined || (half && scene.is(i + 1, Function::a)) ? i + 2 : i + 3;
  if (at == i + 3 && !(scene.is(i + 1, Function::of) && scene.is(i + 2, Function::a))) return false;
  const bool later = scene.is(at + 1, Function::later);
  if ((!later && !scene.is(at + 1, Function::earlier)) || scene.is(at + 2, Function::than) ||
      !scene.is(at, Class::unit))
    return false;
  Unit unit = Unit::year;
  std::int64_t steps = 0;
  switch (static_cast<Unit>(scene.value(at))) {
    case Unit::century:
      steps = half ? 50 : 25;
      break;
    case Unit::decade:
      steps = half ? 5 : 0;
      break;
    case Unit::year:
      unit = Unit::month, steps = half ? 6 : 3;
      break;
    case Unit::hour:
      unit = Unit::minute, steps = half ? 30 : 15;
      break;
    default:
      break;
  }
  if (steps == 0) return false;
  const bool article = scene.is(i - 1, Function::a);
  expression.first = with_modifiers(scene, article ? i - 1 : i);
  expression.last = at + 2;
  return fill_from_told(scene, unit, later ? steps : -steps, expression);
}

bool read_counted_shift(const Scene& scene, std::size_t i, Expression& expression) {
  if (scene.is(i, Class::unit) && read_fraction_shift(scene, i, expression)) return true;
  Count count;
  Unit unit{};
  bool plural = false;
  std::size_t at = i;
  if (read_unit(scene, i, false, unit, plural)) {
    if (!plural || scene.is(i - 1, Kind::number) || scene.is(i - 1, Class::cardinal) ||
        scene.is(i - 1, Class::vague) || scene.is(i - 1, Function::the))
      return false;
    count.vague = true;
  } else if (read_count(scene, i, count)) {
    at = count.last;
    const bool weeks = fortnight(scene, at);
    if (weeks)
      count.value *= 2, unit = Unit::week;
    else if (!read_unit(scene, at, false, unit, plural))
      return false;
  } else {
    return false;
  }
  std::size_t next = at + 1;
  if (!count.vague && and_a_half(scene, at, count, next)) count.value += 0.5;
  // "two years on, the city was empty"
  const bool on = scene.story() && scene.is(next, Function::on) &&
                  (scene.is(next + 1, Kind::comma) || scene.is(next + 1, Kind::dot));
  const bool later = on || scene.is(next, Function::later) ||
                     word_is(scene, next, {u"afterwards", u"afterward", u"thereafter", u"hence"});
  bool earlier = scene.is(next, Function::earlier) || word_is(scene, next, {u"previously"});
  if (!earlier && scene.is(next, Function::before))
    earlier =
        !scene.is(next + 1, Kind::word) && !scene.is(next + 1, Kind::number);  // "two days before."
  if ((!later && !earlier) || scene.is(next + 1, Function::than) || unit == Unit::half ||
      unit == Unit::season)
    return false;
  if (count.vague && (!scene.story() || !scene.told.known() || unit >= Unit::year)) return false;
  expression.first = with_modifiers(scene, i);
  expression.last = next + 1;
  if (count.vague) {
    expression.relative = true;
    fill_told_vaguely(scene, unit, expression);
    return true;
  }
  const double steps = later ? count.value : -count.value;
  if (steps != std::floor(steps)) {  // "a year and a half later"
    if (unit == Unit::year)
      return fill_from_told(scene, Unit::month, static_cast<std::int64_t>(std::floor(steps * 12)),
                            expression);
    return false;
  }
  return fill_from_told(scene, unit, static_cast<std::int64_t>(steps), expression);
}

// "the day after", "the year before": of something that is said, or of the last date.
bool read_day_after(const Scene& scene, std::size_t i, Expression& expression) {
  Unit unit{};
  if (!scene.is(i - 1, Function::the) || !singular_unit(scene, i, unit)) return false;
  const bool after = scene.is(i + 1, Function::after);
  if (!after && !scene.is(i + 1, Function::before)) return false;
  if (scene.is(i + 2, Kind::number) || scene.is(i + 2, Class::month))
    return false;  // "the day after 6 May"
  expression.first = i;
  expression.last = i + 2;
  return fill_from_told(scene, unit, after ? 1 : -1, expression);
}

// "from the 13th to the 19th of October 1950": the second day's month is the first one's too.
bool read_day_before_day(const Scene& scene, std::size_t i, int day, std::size_t next,
                         Expression& expression) {
  Expression second;
  const bool to = scene.is_any(next, {Function::to, Function::and_, Function::until}) &&
                  scene.is(next + 1, Function::the) && scene.is(next + 2, Kind::number);
  if (!to || !read_day_month(scene, next + 2, second) || second.range || second.day <= day)
    return false;
  if (second.lacks_year) {
    if (!scene.told.known()) return false;
    resolve_year(second, civil_from_days(day_of(scene.told.start_ms)).year);
  }
  const std::int64_t year = second.year;
  const int month = second.month;
  if (day > days_in_month(year, month)) return false;
  fill_day(expression, year, month, day);
  expression.first = i;
  expression.last = next;
  expression.confidence = 0.9f;
  return true;
}

// "the 20th", "the 28th of that month": a day of the month that the story is in, or of the next.
bool read_day_of_month(const Scene& scene, std::size_t i, Expression& expression) {
  int day = 0;
  std::size_t next = 0, same = 0;
  if (!scene.is(i - 1, Function::the) || !scene.is(i, Kind::number) ||
      !read_ordinal(scene, i, day, next) || day > 31)
    return false;
  if (read_day_before_day(scene, i, day, next, expression)) return true;
  if (!scene.told.known() || scene.told.granularity > Granularity::month) return false;
  const bool of_month = scene.is(next, Function::of) && read_same(scene, next + 1, same) &&
                        scene.is(same, Unit::month);
  if (of_month) {
    next = same + 1;
  } else {
    const bool led = scene.is_any(
        i - 2, {Function::on, Function::by, Function::until, Function::since, Function::from,
                Function::to, Function::of, Function::and_, Function::between, Function::before,
                Function::after, Function::through});
    const bool ends =
        !scene.is(next, Kind::word) || scene.is(next, Class::function) ||
        word_is(scene, next, {u"was", u"were", u"had", u"he", u"she", u"they", u"it"});
    if (!led || !ends || scene.is(next, Kind::hyphen) || scene.is(next, Function::of)) return false;
  }
  const Civil last = civil_from_days(day_of(scene.told.end_ms - 1));
  Expression month;
  fill_month(month, last.year, last.month);
  // The story goes on: a day well before the last one is the next month's.
  if (!of_month && scene.told.granularity <= Granularity::day && day < last.day - 7 &&
      !fill_shifted(day_of(month.start_ms), Unit::month, 1, month))
    return false;
  if (day > days_in_month(month.year, month.month)) return false;
  fill_day(expression, month.year, month.month, day);
  expression.first = i;
  expression.last = next;
  expression.relative = true;
  expression.confidence = 0.8f;
  return true;
}

// "later that year", "early in the month", "late in 1985": the words before the date belong to it.
bool read_within(const Scene& scene, std::size_t i, Expression& expression) {
  const bool part = scene.is(i, Class::part) && scene.value(i) <= static_cast<int>(Part::late);
  if (!scene.takes_whole_phrase() ||
      !(part || scene.is_any(i, {Function::later, Function::earlier})) ||
      scene.is(i - 1, Function::the))
    return false;
  const bool in = scene.is(i + 1, Function::in);
  const std::size_t from = in ? i + 2 : i + 1;
  std::size_t same = 0;
  Expression date;
  if (read_told_unit(scene, from, date) && (in || read_same(scene, from, same))) {
    expression = date;
  } else if (in &&
             (scene.is(from, Class::month) || scene.is(from, Kind::number) ||
              scene.is(from, Class::season)) &&
             read_expression(scene, from, date) && !undated(date) && !date.range && date.day == 0) {
    expression = date;
  } else {
    return false;
  }
  if (part && !std::isnan(expression.start_ms))
    narrow_to_part(expression, static_cast<Part>(scene.value(i)));
  expression.first = i;
  expression.bare_year = false;
  return true;
}

// "at month's end", "by the year's end"
bool read_end_of_unit(const Scene& scene, std::size_t i, Expression& expression) {
  Unit unit{};
  if (!scene.story() || !scene.told.known() || !singular_unit(scene, i, unit) ||
      unit < Unit::week || !scene.is(i + 1, Kind::apostrophe) || !scene.is(i + 2, Class::suffix))
    return false;
  if (!scene.glued(i + 1) || !scene.glued(i + 2) ||
      !word_is(scene, i + 3, {u"end", u"start", u"close", u"beginning"}) ||
      !fill_from_told(scene, unit, 0, expression))
    return false;
  expression.first = i;
  expression.last = i + 4;
  if (!std::isnan(expression.start_ms))
    narrow_to_part(expression,
                   word_is(scene, i + 3, {u"end", u"close"}) ? Part::late : Part::early);
  expression.ends_unit = true;
  return true;
}

// "that October": the next one that the story can have come to.
bool read_that_month(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Class::month) || !scene.at(i).capital ||
      !read_month_first(scene, i, expression) || !expression.lacks_year || expression.day > 0)
    return false;
  resolve_in_narrative(scene, Prefix{}, expression);
  expression.relative = true;
  return true;
}

// "at the same time": the day, month or year of the last date.
bool fill_same_time(const Scene& scene, Expression& expression) {
  const Granularity granularity = scene.told.granularity;
  const Unit unit = granularity <= Granularity::day     ? Unit::day
                    : granularity <= Granularity::month ? Unit::month
                                                        : Unit::year;
  return fill_from_told(scene, unit, 0, expression);
}

// "two hours later" after "at 10:30 p.m.": a time of day again, of the next day where it passes
// midnight.
bool fill_clock_from_told(const Scene& scene, Unit unit, std::int64_t steps,
                          Expression& expression) {
  // In news a bare "10 p.m." moves no day, but hours are counted from it.
  const bool clock =
      scene.mode == Mode::news && scene.last.known() && scene.last.granularity <= Granularity::hour;
  const Told& told = clock ? scene.last : scene.told;
  if ((unit != Unit::hour && unit != Unit::minute) || told.granularity > Granularity::hour ||
      std::llabs(steps) > 100'000)
    return false;
  const double minute_ms = 60'000;
  const double start =
      told.start_ms + static_cast<double>(steps) * (unit == Unit::hour ? 60 : 1) * minute_ms;
  const std::int64_t day = day_of(start);
  const int minutes = static_cast<int>((start - static_cast<double>(day) * day_ms) / minute_ms);
  const auto two = [](int value) {
    return std::string{static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
  };
  expression.start_ms = start;
  expression.end_ms = start + (told.end_ms - told.start_ms);
  expression.granularity = told.granularity;
  expression.type = TimexType::time;
  expression.value = day_text(day) + 'T' + two(minutes / 60) + ':' + two(minutes % 60);
  return true;
}

}  // namespace

bool fill_from_told(const Scene& scene, Unit unit, std::int64_t steps, Expression& expression) {
  expression.relative = true;
  expression.looks_back = steps < 0;
  expression.confidence = 0.85f;
  const Told told = scene.mode == Mode::news ? told_in_news(scene, unit) : scene.told_or_last();
  if (!told.known()) {
    expression.value = unresolved_value(unit);
    return true;
  }
  const std::int64_t day = day_of(told.start_ms);
  if (unit < Unit::day) {
    if (fill_clock_from_told(scene, unit, steps, expression)) return true;
    fill_told_vaguely(scene, unit, expression);
    return true;
  }
  if (told.granularity <= granularity_of(unit)) return fill_shifted(day, unit, steps, expression);
  // "that day" in a month: the month is known.
  const bool within = steps == 0 && unit == Unit::day && told.granularity <= Granularity::month;
  const Civil civil = civil_from_days(day);
  expression.value = within ? day_text(day).substr(0, year_text(civil.year).size() + 4) + "XX"
                            : coarse_value(told, unit);
  return true;
}

void fill_told_vaguely(const Scene& scene, Unit unit, Expression& expression) {
  expression.confidence = 0.5f;
  const bool day_known = scene.told.known() && scene.told.granularity <= Granularity::day;
  if (unit < Unit::day)
    expression.value = (day_known ? day_text(day_of(scene.told.start_ms)) : "XXXX-XX-XX") + "TXX";
  else
    expression.value = scene.told.known() && unit != Unit::day && unit < Unit::month
                           ? coarse_value(scene.told, unit)
                           : unresolved_value(unit);
}

bool read_told_unit(const Scene& scene, std::size_t i, Expression& expression) {
  std::size_t next = 0;
  int steps = 0;
  if (!read_same(scene, i, next) && !read_neighbour(scene, i, steps, next)) {
    next = scene.is(i, Function::the) ? i + 1 : i;
    if (next == i) return false;
  }
  Unit unit{};
  if (!singular_unit(scene, next, unit) || scene.is(next + 1, Function::of) ||
      scene.is(next + 1, Kind::number))
    return false;
  expression.first = i;
  expression.last = next + 1;
  return fill_from_told(scene, unit, steps, expression);
}

void extend_by_told_year(const Scene& scene, Expression& expression) {
  if (!expression.lacks_year || !scene.told_or_last().known() || expression.range) return;
  std::size_t i = expression.last;
  if (!scene.is_any(i, {Function::of, Function::in})) return;
  Expression year;
  if (!read_told_unit(scene, i + 1, year) || year.granularity != Granularity::year ||
      std::isnan(year.start_ms))
    return;
  resolve_year(expression, year.year);
  expression.last = year.last;
}

void take_named_date(const Scene& scene, Expression& expression) {
  if (!scene.story() || !expression.relative || expression.range) return;
  const std::size_t i = expression.last;
  const bool enclosed = scene.is(i, Kind::open);
  const bool beside = std::isnan(expression.start_ms) && scene.is(i, Kind::comma) &&
                      scene.is_any(i + 1, {Function::on, Function::in});
  if (!enclosed && !beside) return;
  const std::size_t date = enclosed ? i + 1 : i + 2;
  Expression named;
  if (!(scene.is(date, Kind::number) || scene.is(date, Class::month)) ||
      !read_expression(scene, date, named) || named.range || named.type != TimexType::date)
    return;
  if (std::isnan(named.start_ms) || (enclosed && !scene.is(named.last, Kind::close)) ||
      (named.bare_year && !enclosed))
    return;
  expression.start_ms = named.start_ms;
  expression.end_ms = named.end_ms;
  expression.granularity = named.granularity;
  expression.value = named.value;
  expression.year = named.year;
}

bool read_anaphora(const Scene& scene, std::size_t i, Expression& expression) {
  if (read_within(scene, i, expression) || read_end_of_unit(scene, i, expression)) return true;
  if (read_event_shift(scene, i, expression) || read_event_stretch(scene, i, expression) ||
      read_event_day(scene, i, expression) || read_counted_shift(scene, i, expression) ||
      read_day_after(scene, i, expression) || read_day_of_month(scene, i, expression))
    return true;
  std::size_t next = 0;
  if (!(scene.is(i, Function::that) || scene.is(i, Class::shift)) || !read_same(scene, i, next))
    return false;
  // "this year" is the reference's where the text is news; "the same year" and "that year" are the
  // story's.
  if (scene.is(i - 1, Function::to) && next == i + 1 && !scene.is(next + 1, Function::as))
    return false;  // "to this day"
  if (next == i + 1 && !scene.is(i, Function::that) &&
      !(scene.word(i) == u"same" && scene.is(i - 1, Function::the)) && !scene.story())
    return false;
  if (scene.is(i, Function::that) && scene.told.known() &&
      read_that_month(scene, next, expression)) {
    expression.first = i;
    return true;
  }
  Unit unit{};
  if (scene.story() && scene.is(next, Function::time) && scene.word(next - 1) == u"same") {
    if (!scene.told.known() || !fill_same_time(scene, expression)) return false;
    expression.first = i;
    expression.last = next + 1;
    return true;
  }
  if (word_is(scene, next, {u"date"}))
    unit = Unit::day;
  else if (!singular_unit(scene, next, unit))
    return false;
  expression.first = i;
  expression.last = next + 1;
  return fill_from_told(scene, unit, 0, expression);
}

}  // namespace asof::timetag
