// Anaphoric dates, counted from the last date mentioned and not from the reference: "four days
// later", "that same day", "the year before", "the 20th", "October of that year", "the end of the
// month". Without a date of sufficient granularity the value has an X and there is no interval.
// Counts without a number ("days later") are read so in narrative only.
#include <cstdlib>
#include <utility>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

// "that", "this", "the same", "that same": the unit that the last date lies in. Sets the token
// after it.
bool read_same(const Document& doc, std::size_t i, std::size_t& next) {
  const auto same = [&](std::size_t j) { return word_is(doc, j, {u"same", u"very"}) ? j + 1 : j; };
  if (doc.is(i, Function::that) || word_is(doc, i, {u"this", u"This"})) {
    next = same(i + 1);
    return true;
  }
  if (doc.is(i, Function::the)) ++i;
  next = same(i);
  return next > i && doc.word(i) == u"same";
}

// "the following", "the next", "the previous": one on or back.
bool read_neighbour(const Document& doc, std::size_t i, int& steps, std::size_t& next) {
  if (!doc.is(i, Function::the)) return false;
  const std::size_t j = word_is(doc, i + 1, {u"very"}) ? i + 2 : i + 1;
  next = j + 1;
  steps = doc.is(j, Function::following) || word_is(doc, j, {u"next"})       ? 1
          : doc.is(j, Function::preceding) || word_is(doc, j, {u"previous"}) ? -1
                                                                             : 0;
  return steps != 0;
}

bool singular_unit(const Document& doc, std::size_t i, Unit& unit) {
  bool plural = false;
  return read_unit(doc, i, false, unit, plural) && !plural && unit >= Unit::day &&
         unit != Unit::season && unit != Unit::half && unit != Unit::millennium;
}

// "half a century later", "half an hour earlier", "a quarter-century later": years, months or
// minutes from the last date.
bool read_fraction_shift(const Document& doc, std::size_t i, Expression& expression) {
  const bool half = doc.is(i, Unit::half);
  if (!half && !doc.is(i, Unit::quarter)) return false;
  const bool range_kind = doc.is(i + 1, Kind::hyphen) && doc.glued(i + 1);
  const std::size_t at = range_kind || (half && doc.is(i + 1, Function::a)) ? i + 2 : i + 3;
  if (at == i + 3 && !(doc.is(i + 1, Function::of) && doc.is(i + 2, Function::a))) return false;
  const bool later = doc.is(at + 1, Function::later);
  if ((!later && !doc.is(at + 1, Function::earlier)) || doc.is(at + 2, Function::than) ||
      !doc.is(at, Class::unit))
    return false;
  Unit unit = Unit::year;
  std::int64_t steps = 0;
  switch (static_cast<Unit>(doc.value(at))) {
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
  const bool article = doc.is(i - 1, Function::a);
  expression.first = with_modifiers(doc, article ? i - 1 : i);
  expression.last = at + 2;
  return fill_from_anchor(doc, unit, later ? steps : -steps, expression);
}

bool read_counted_shift(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.is(i, Class::unit) && read_fraction_shift(doc, i, expression)) return true;
  Count count;
  Unit unit{};
  bool plural = false;
  std::size_t at = i;
  if (read_unit(doc, i, false, unit, plural)) {
    if (!plural || doc.is(i - 1, Kind::number) || doc.is(i - 1, Class::cardinal) ||
        doc.is(i - 1, Class::vague) || doc.is(i - 1, Function::the))
      return false;
    count.vague = true;
  } else if (read_count(doc, i, count)) {
    at = count.last;
    const bool weeks = fortnight(doc, at);
    if (weeks)
      count.value *= 2, unit = Unit::week;
    else if (!read_unit(doc, at, false, unit, plural))
      return false;
  } else {
    return false;
  }
  std::size_t next = at + 1;
  if (!count.vague && and_a_half(doc, at, count, next)) count.value += 0.5;
  // "two years on, the city was empty"
  const bool on = doc.narrative() && doc.is(next, Function::on) &&
                  (doc.is(next + 1, Kind::comma) || doc.is(next + 1, Kind::dot));
  const bool later = on || doc.is(next, Function::later) ||
                     word_is(doc, next, {u"afterwards", u"afterward", u"thereafter", u"hence"});
  bool earlier = doc.is(next, Function::earlier) || word_is(doc, next, {u"previously"});
  if (!earlier && doc.is(next, Function::before))
    earlier =
        !doc.is(next + 1, Kind::word) && !doc.is(next + 1, Kind::number);  // "two days before."
  if ((!later && !earlier) || doc.is(next + 1, Function::than) || unit == Unit::half ||
      unit == Unit::season)
    return false;
  if (count.vague && (!doc.narrative() || !doc.anchor.known() || unit >= Unit::year)) return false;
  expression.first = with_modifiers(doc, i);
  expression.last = next + 1;
  if (count.vague) {
    expression.relative = true;
    fill_near_anchor(doc, unit, expression);
    return true;
  }
  const double steps = later ? count.value : -count.value;
  if (steps != std::floor(steps)) {  // "a year and a half later"
    if (unit == Unit::year)
      return fill_from_anchor(doc, Unit::month, static_cast<std::int64_t>(std::floor(steps * 12)),
                              expression);
    return false;
  }
  return fill_from_anchor(doc, unit, static_cast<std::int64_t>(steps), expression);
}

// "the day after", "the year before": relative to a phrase, or to the last date.
bool read_day_after(const Document& doc, std::size_t i, Expression& expression) {
  Unit unit{};
  if (!doc.is(i - 1, Function::the) || !singular_unit(doc, i, unit)) return false;
  const bool after = doc.is(i + 1, Function::after);
  if (!after && !doc.is(i + 1, Function::before)) return false;
  if (doc.is(i + 2, Kind::number) || doc.is(i + 2, Class::month))
    return false;  // "the day after 6 May"
  expression.first = i;
  expression.last = i + 2;
  return fill_from_anchor(doc, unit, after ? 1 : -1, expression);
}

// "from the 13th to the 19th of October 1950": the second day's month is the first one's too.
bool read_day_before_day(const Document& doc, std::size_t i, int day, std::size_t next,
                         Expression& expression) {
  Expression second;
  const bool to = doc.is_any(next, {Function::to, Function::and_, Function::until}) &&
                  doc.is(next + 1, Function::the) && doc.is(next + 2, Kind::number);
  if (!to || !read_day_month(doc, next + 2, second) || second.range || second.day <= day)
    return false;
  if (second.underspecified) {
    if (!doc.anchor.known()) return false;
    resolve_year(second, civil_from_days(day_of(doc.anchor.start_ms)).year);
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
bool read_day_of_month(const Document& doc, std::size_t i, Expression& expression) {
  int day = 0;
  std::size_t next = 0, same = 0;
  if (!doc.is(i - 1, Function::the) || !doc.is(i, Kind::number) ||
      !read_ordinal(doc, i, day, next) || day > 31)
    return false;
  if (read_day_before_day(doc, i, day, next, expression)) return true;
  if (!doc.anchor.known() || doc.anchor.granularity > Granularity::month) return false;
  const bool of_month =
      doc.is(next, Function::of) && read_same(doc, next + 1, same) && doc.is(same, Unit::month);
  if (of_month) {
    next = same + 1;
  } else {
    const bool led = doc.is_any(
        i - 2, {Function::on, Function::by, Function::until, Function::since, Function::from,
                Function::to, Function::of, Function::and_, Function::between, Function::before,
                Function::after, Function::through});
    const bool ends = !doc.is(next, Kind::word) || doc.is(next, Class::function) ||
                      word_is(doc, next, {u"was", u"were", u"had", u"he", u"she", u"they", u"it"});
    if (!led || !ends || doc.is(next, Kind::hyphen) || doc.is(next, Function::of)) return false;
  }
  const Civil last = civil_from_days(day_of(doc.anchor.end_ms - 1));
  Expression month;
  fill_month(month, last.year, last.month);
  // The story goes on: a day well before the last one is the next month's.
  if (!of_month && doc.anchor.granularity <= Granularity::day && day < last.day - 7 &&
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
bool read_within(const Document& doc, std::size_t i, Expression& expression) {
  const bool part = doc.is(i, Class::part) && doc.value(i) <= static_cast<int>(Part::late);
  if (!doc.uses_whole_phrase() || !(part || doc.is_any(i, {Function::later, Function::earlier})) ||
      doc.is(i - 1, Function::the))
    return false;
  const bool in = doc.is(i + 1, Function::in);
  const std::size_t from = in ? i + 2 : i + 1;
  std::size_t same = 0;
  Expression date;
  if (read_anchored_unit(doc, from, date) && (in || read_same(doc, from, same))) {
    expression = std::move(date);
  } else if (in &&
             (doc.is(from, Class::month) || doc.is(from, Kind::number) ||
              doc.is(from, Class::season)) &&
             read_expression(doc, from, date) && !has_no_interval(date) && !date.range &&
             date.day == 0) {
    expression = std::move(date);
  } else {
    return false;
  }
  if (part && !std::isnan(expression.start_ms))
    narrow_to_part(expression, static_cast<Part>(doc.value(i)));
  expression.first = i;
  expression.bare_year = false;
  return true;
}

// "at month's end", "by the year's end"
bool read_end_of_unit(const Document& doc, std::size_t i, Expression& expression) {
  Unit unit{};
  if (!doc.narrative() || !doc.anchor.known() || !singular_unit(doc, i, unit) ||
      unit < Unit::week || !doc.is(i + 1, Kind::apostrophe) || !doc.is(i + 2, Class::suffix))
    return false;
  if (!doc.glued(i + 1) || !doc.glued(i + 2) ||
      !word_is(doc, i + 3, {u"end", u"start", u"close", u"beginning"}) ||
      !fill_from_anchor(doc, unit, 0, expression))
    return false;
  expression.first = i;
  expression.last = i + 4;
  if (!std::isnan(expression.start_ms))
    narrow_to_part(expression, word_is(doc, i + 3, {u"end", u"close"}) ? Part::late : Part::early);
  expression.at_unit_end = true;
  return true;
}

// "that October": the next one that the story can have come to.
bool read_that_month(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Class::month) || !doc.at(i).capital || !read_month_first(doc, i, expression) ||
      !expression.underspecified || expression.day > 0)
    return false;
  resolve_in_narrative(doc, Signal{}, expression);
  expression.relative = true;
  return true;
}

// "at the same time": the day, month or year of the last date.
bool fill_same_time(const Document& doc, Expression& expression) {
  const Granularity granularity = doc.anchor.granularity;
  const Unit unit = granularity <= Granularity::day     ? Unit::day
                    : granularity <= Granularity::month ? Unit::month
                                                        : Unit::year;
  return fill_from_anchor(doc, unit, 0, expression);
}

}  // namespace

bool read_anchored_unit(const Document& doc, std::size_t i, Expression& expression) {
  std::size_t next = 0;
  int steps = 0;
  if (!read_same(doc, i, next) && !read_neighbour(doc, i, steps, next)) {
    next = doc.is(i, Function::the) ? i + 1 : i;
    if (next == i) return false;
  }
  Unit unit{};
  if (!singular_unit(doc, next, unit) || doc.is(next + 1, Function::of) ||
      doc.is(next + 1, Kind::number))
    return false;
  expression.first = i;
  expression.last = next + 1;
  return fill_from_anchor(doc, unit, steps, expression);
}

void extend_by_anchor_year(const Document& doc, Expression& expression) {
  if (!expression.underspecified || !doc.anchor_or_last().known() || expression.range) return;
  std::size_t i = expression.last;
  if (!doc.is_any(i, {Function::of, Function::in})) return;
  Expression year;
  if (!read_anchored_unit(doc, i + 1, year) || year.granularity != Granularity::year ||
      std::isnan(year.start_ms))
    return;
  resolve_year(expression, year.year);
  expression.last = year.last;
}

void take_named_date(const Document& doc, Expression& expression) {
  if (!doc.narrative() || !expression.relative || expression.range) return;
  const std::size_t i = expression.last;
  const bool enclosed = doc.is(i, Kind::open);
  const bool adjacent = std::isnan(expression.start_ms) && doc.is(i, Kind::comma) &&
                        doc.is_any(i + 1, {Function::on, Function::in});
  if (!enclosed && !adjacent) return;
  const std::size_t date = enclosed ? i + 1 : i + 2;
  Expression named;
  if (!(doc.is(date, Kind::number) || doc.is(date, Class::month)) ||
      !read_expression(doc, date, named) || named.range || named.type != TimexType::date)
    return;
  if (std::isnan(named.start_ms) || (enclosed && !doc.is(named.last, Kind::close)) ||
      (named.bare_year && !enclosed))
    return;
  expression.start_ms = named.start_ms;
  expression.end_ms = named.end_ms;
  expression.granularity = named.granularity;
  expression.value = named.value;
  expression.year = named.year;
}

bool read_anaphora(const Document& doc, std::size_t i, Expression& expression) {
  if (read_within(doc, i, expression) || read_end_of_unit(doc, i, expression)) return true;
  if (read_event_shift(doc, i, expression) || read_event_interval(doc, i, expression) ||
      read_event_day(doc, i, expression) || read_counted_shift(doc, i, expression) ||
      read_day_after(doc, i, expression) || read_day_of_month(doc, i, expression))
    return true;
  std::size_t next = 0;
  if (!(doc.is(i, Function::that) || doc.is(i, Class::shift)) || !read_same(doc, i, next))
    return false;
  // "this year" is the reference's where the text is news; "the same year" and "that year" are the
  // story's.
  if (doc.is(i - 1, Function::to) && next == i + 1 && !doc.is(next + 1, Function::as))
    return false;  // "to this day"
  if (next == i + 1 && !doc.is(i, Function::that) &&
      !(doc.word(i) == u"same" && doc.is(i - 1, Function::the)) && !doc.narrative())
    return false;
  if (doc.is(i, Function::that) && doc.anchor.known() && read_that_month(doc, next, expression)) {
    expression.first = i;
    return true;
  }
  Unit unit{};
  if (doc.narrative() && doc.is(next, Function::time) && doc.word(next - 1) == u"same") {
    if (!doc.anchor.known() || !fill_same_time(doc, expression)) return false;
    expression.first = i;
    expression.last = next + 1;
    return true;
  }
  if (word_is(doc, next, {u"date"}))
    unit = Unit::day;
  else if (!singular_unit(doc, next, unit))
    return false;
  expression.first = i;
  expression.last = next + 1;
  return fill_from_anchor(doc, unit, 0, expression);
}

}  // namespace asof::timetag
