// Calendar units that are counted within a larger one: "week 12 of 2013", "the week of 4 May 2020",
// "the first week of May 1990", "the first Monday in June 1998", "the last days of April 1945",
// "the first nine months of 2011", "the opening years of the 1920s". The whole must have its own
// year. Lengths without a whole are durations, not read here.
#include <utility>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

std::size_t skip_of_the(const Document& doc, std::size_t i) {
  if (doc.is_any(i, {Function::of, Function::in})) ++i;
  if (doc.is(i, Function::the)) ++i;
  if (doc.is(i, Function::fiscal)) ++i;
  if (doc.is(i, Unit::year)) ++i;
  return i;
}

bool fill_week(Expression& expression, std::int64_t monday, bool weekend) {
  fill_days(expression, weekend ? monday + 5 : monday, monday + 7,
            weekend ? Granularity::weekend : Granularity::week);
  expression.value = week_text(monday) + (weekend ? "-WE" : "");
  expression.year = civil_from_days(monday).year;
  return true;
}

// A day with its year, at `i`.
bool read_whole_day(const Document& doc, std::size_t i, Expression& expression) {
  const bool read = read_numeric_date(doc, i, expression) || read_weekday(doc, i, expression) ||
                    read_day_month(doc, i, expression) ||
                    (doc.question && read_holiday(doc, i, expression)) ||
                    (doc.is(i, Class::month) && read_month_first(doc, i, expression));
  if (read && expression.underspecified && doc.mode == Mode::news && doc.has_reference())
    resolve_in_news(doc, expression);
  return read && !expression.underspecified && expression.granularity == Granularity::day &&
         !std::isnan(expression.start_ms);
}

// "week 12 of 2013", "the week of 4 May 2020", "the week ending 14 June 1975", "the weekend of 5-6
// May 2018"
bool read_named_week(const Document& doc, std::size_t i, Expression& expression) {
  const bool weekend = doc.is(i, Unit::weekend);
  if (doc.word(i).back() == u's') return false;
  if (!weekend && doc.is(i + 1, Kind::number) && doc.at(i + 1).digits <= 2 &&
      doc.at(i + 1).number >= 1 && doc.at(i + 1).number <= 53) {
    const std::size_t whole = doc.is(i + 2, Kind::comma) ? i + 3 : skip_of_the(doc, i + 2);
    Expression year;
    if (whole == i + 2 || !doc.is(whole, Kind::number) || !read_years(doc, whole, year) ||
        year.range || year.granularity != Granularity::year)
      return false;
    fill_week(expression, monday_of(year.year, doc.at(i + 1).number), false);
    expression.last = year.last;
    return true;
  }
  const std::u16string_view verb =
      doc.is(i + 1, Class::unknown) ? doc.word(i + 1) : std::u16string_view();
  const bool ending = verb == u"ending" || verb == u"ended";
  if (!ending && !doc.is(i + 1, Function::of) && !doc.is(i + 1, Function::starting) &&
      verb != u"beginning")
    return false;
  const std::size_t next = doc.is_any(i + 2, {Function::on, Function::the}) ? i + 3 : i + 2;
  Expression day;
  if (!read_whole_day(doc, next, day)) return false;
  if (weekend && day.range) {
    fill_days(expression, day_of(day.start_ms), day_of(day.end_ms), Granularity::weekend);
    expression.value =
        week_text(day_of(day.start_ms) - weekday_from_days(day_of(day.start_ms))) + "-WE";
    expression.year = day.year;
  } else if (day.range) {
    return false;
  } else if (ending) {
    fill_days(expression, day_of(day.start_ms) - 6, day_of(day.end_ms), Granularity::week);
    expression.value = week_text(day_of(day.start_ms) - weekday_from_days(day_of(day.start_ms)));
    expression.year = day.year;
  } else {
    fill_week(expression, day_of(day.start_ms) - weekday_from_days(day_of(day.start_ms)), weekend);
  }
  expression.last = day.last;
  return true;
}

// Which end of a whole: 0 the first, 2 the last; and how many units, 0 for "the last days of".
struct Edge {
  int third = 0;
  int ordinal = 1;  // "the second week": 2
  std::size_t next = 0;
};

bool read_edge(const Document& doc, std::size_t i, Edge& edge) {
  edge.next = i + 1;
  if (doc.is(i, Class::edge)) {
    edge.third = doc.value(i);
    return true;
  }
  if (doc.is(i, Class::shift)) {
    edge.third = 2;
    return doc.word(i) == u"last";
  }
  return read_ordinal(doc, i, edge.ordinal, edge.next);
}

Granularity granularity_of(Unit unit) {
  switch (unit) {
    case Unit::day:
      return Granularity::day;
    case Unit::week:
      return Granularity::week;
    case Unit::month:
      return Granularity::month;
    case Unit::year:
      return Granularity::year;
    default:
      return Granularity::decade;
  }
}

std::int64_t year_of(const Expression& whole) {
  return civil_from_days(day_of(whole.start_ms)).year;
}

// Units [k, k + length) of a whole, or its last `length` units.
struct UnitRun {
  std::int64_t k, length;
  bool last;
};

bool fill_run(const Expression& whole, Unit unit, const UnitRun& run, Expression& expression) {
  const auto [k, length, last] = run;
  const std::int64_t start = day_of(whole.start_ms), end = day_of(whole.end_ms);
  std::int64_t from = 0, to = 0;
  if (unit == Unit::day || unit == Unit::week) {
    const std::int64_t days = unit == Unit::week ? 7 : 1;
    from = last ? end - days * length : start + days * k;
    to = from + days * length;
  } else if (unit == Unit::month) {
    const std::int64_t months = (civil_from_days(end).year - civil_from_days(start).year) * 12 +
                                civil_from_days(end).month - civil_from_days(start).month;
    const std::int64_t first = civil_from_days(start).month - 1 + (last ? months - length : k);
    const auto month_start = [&](std::int64_t index) {
      return days_from_civil(year_of(whole) + index / 12, static_cast<int>(index % 12) + 1, 1);
    };
    if (first < 0) return false;
    from = month_start(first);
    to = month_start(first + length);
  } else {
    const std::int64_t years = unit == Unit::year      ? 1
                               : unit == Unit::decade  ? 10
                               : unit == Unit::century ? 100
                                                       : 0;
    if (years == 0) return false;
    const std::int64_t last_year = civil_from_days(end).year;
    const std::int64_t first = last ? last_year - years * length : year_of(whole) + years * k;
    from = days_from_civil(first, 1, 1);
    to = days_from_civil(first + years * length, 1, 1);
  }
  if (from < start || to > end || (from == start && to == end)) return false;
  fill_days(expression, from, to, Granularity::day);
  return true;
}

Granularity part_of(Granularity whole) {
  return whole == Granularity::month    ? Granularity::part_of_month
         : whole == Granularity::year   ? Granularity::part_of_year
         : whole == Granularity::decade ? Granularity::part_of_decade
                                        : Granularity::part_of_century;
}

bool read_dated_whole(const Document& doc, std::size_t i, Expression& whole) {
  if (!doc.is_any(i, {Function::of, Function::in})) return false;
  const bool read = read_whole(doc, skip_of_the(doc, i), whole);
  if (read && whole.underspecified && whole.day == 0) {
    if (doc.narrative())
      resolve_in_narrative(doc, Signal{}, whole);
    else if (doc.mode == Mode::news && doc.has_reference())
      resolve_in_news(doc, whole);
  }
  const Granularity unit = whole.granularity;
  return read && !whole.range && !whole.underspecified && !std::isnan(whole.start_ms) &&
         !whole.relative &&
         (unit == Granularity::month || unit == Granularity::year || unit == Granularity::decade ||
          unit == Granularity::century);
}

// "the first Monday in June 1998", "the last weekend of May 1990"
bool read_nth_weekday(const Document& doc, std::size_t i, const Edge& edge,
                      Expression& expression) {
  Expression whole;
  const bool weekend = doc.is(i, Unit::weekend);
  if (!read_dated_whole(doc, i + 1, whole) || whole.granularity != Granularity::month ||
      edge.ordinal > 5)
    return false;
  const int weekday = weekend ? 5 : doc.value(i);
  const std::int64_t start = day_of(whole.start_ms), end = day_of(whole.end_ms);
  std::int64_t day = start + (weekday - weekday_from_days(start) + 7) % 7 + 7 * (edge.ordinal - 1);
  if (edge.third == 2) day = end - 1 - (weekday_from_days(end - 1) - weekday + 7) % 7;
  if (day >= end) return false;
  if (weekend) {
    fill_week(expression, day - 5, true);
  } else {
    const Civil civil = civil_from_days(day);
    fill_day(expression, civil.year, civil.month, civil.day);
  }
  expression.last = whole.last;
  return true;
}

}  // namespace

std::int64_t monday_of(std::int64_t year, std::int64_t week) {
  const std::int64_t fourth = days_from_civil(year, 1, 4);  // always in week 1
  return fourth - weekday_from_days(fourth) + 7 * (week - 1);
}

bool read_subinterval(const Document& doc, std::size_t i, Expression& expression) {
  if (read_deictic_unit(doc, i, expression)) return true;
  expression.first = i;
  if (doc.is(i, Unit::week) || doc.is(i, Unit::weekend)) return read_named_week(doc, i, expression);
  Edge edge;
  if (!read_edge(doc, i, edge)) return false;
  std::size_t noun = edge.next;
  if (doc.is(noun, Class::weekday) ||
      (doc.is(noun, Unit::weekend) && doc.word(noun).back() != u's'))
    return read_nth_weekday(doc, noun, edge, expression);
  Expression whole;
  // "the latter part of 1872", "the first part of the 19th century"
  if (doc.is(noun, Function::share) && doc.word(noun).starts_with(u"part")) {
    if (edge.ordinal > 2 || !read_dated_whole(doc, noun + 1, whole)) return false;
    narrow_to_part(whole, edge.third == 2 || edge.ordinal == 2 ? Part::late : Part::early);
    expression = std::move(whole);
    expression.first = i;
    expression.bare_year = false;
    return true;
  }
  Count count;
  const bool counted = doc.is(noun, Kind::number) || doc.is(noun, Class::cardinal);
  if (counted &&
      (!read_count(doc, noun, count) || count.vague || count.value < 2 || count.value > 366))
    return false;
  if (counted) noun = count.last;
  if (doc.is(noun, Unit::half) && doc.is(i, Class::edge) &&
      edge.third == 2) {  // "the latter half of the 19th century"
    if (!read_dated_whole(doc, noun + 1, whole)) return false;
    narrow_to_fraction(whole, 1, 2);
    expression = std::move(whole);
    expression.first = i;
    expression.bare_year = false;
    return true;
  }
  Unit unit{};
  bool plural = false;
  if (!read_unit(doc, noun, false, unit, plural) || !read_dated_whole(doc, noun + 1, whole))
    return false;
  const bool last = edge.third == 2;
  if (plural && !counted) {  // "the closing months of 1944"
    if (edge.ordinal != 1) return false;
    narrow_to_part(whole, last ? Part::late : Part::early);
    expression = std::move(whole);
  } else {
    if (plural != counted || (counted && edge.ordinal != 1)) return false;
    const auto length = counted ? static_cast<std::int64_t>(count.value) : 1;
    if (!fill_run(whole, unit, {edge.ordinal - 1, length, last}, expression)) return false;
    expression.last = whole.last;
    expression.year = year_of(expression);
    const bool half = counted && unit == Unit::month && length == 6;
    expression.granularity = half      ? Granularity::half
                             : counted ? part_of(whole.granularity)
                                       : granularity_of(unit);
    expression.value = whole.value;
    if (!counted && unit == Unit::decade)
      expression.value = year_text(expression.year).substr(0, 3);
    if (!counted && unit == Unit::year) expression.value = year_text(expression.year);
    if (!counted && unit == Unit::month)
      expression.value =
          year_text(expression.year) +
          day_text(day_of(expression.start_ms)).substr(year_text(expression.year).size(), 3);
    if (!counted && unit == Unit::week && doc.mode == Mode::news)
      expression.value = week_text(day_of(expression.start_ms) + 3 -
                                   weekday_from_days(day_of(expression.start_ms) + 3));
    if (!counted && unit == Unit::day) expression.value = day_text(day_of(expression.start_ms));
  }
  expression.first = i;
  expression.bare_year = false;
  return true;
}

}  // namespace asof::timetag
