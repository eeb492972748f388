// Dates that take a month, quarter or year from what stands beside them, and numeric dates that
// only questions abbreviate: "the 2nd, 9th and 16th of November", "the 28th", "Q1 and Q3 2014",
// "12/1962", "08.02. – 11.02.2020", "week 13–15 2023", "2014-W27/W30", "between 1994 and 96".
#include <cmath>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr int longest_list = 6;

bool joins(const Document& doc, std::size_t i) {
  return doc.dash(i) || doc.is(i, Kind::slash) || doc.is(i, Kind::comma) ||
         doc.is_any(i, {Function::to, Function::and_, Function::or_, Function::until,
                        Function::through, Function::by});
}

// The token after ", ", " and ", " through the ", or `i` if nothing joins.
std::size_t after_joint(const Document& doc, std::size_t i) {
  std::size_t next = i;
  while (next < i + 2 && joins(doc, next)) ++next;
  if (next == i) return i;
  while (doc.is(next, Function::the) || doc.is(next, Class::weekday)) ++next;
  return next;
}

bool read_day_number(const Document& doc, std::size_t i, int& day, std::size_t& next) {
  if (!number_within(doc, i, 2, 1, 31)) return false;
  day = static_cast<int>(doc.at(i).number);
  next = doc.is(i + 1, Class::suffix) && doc.glued(i + 1) ? i + 2 : i + 1;
  return true;
}

// The day with its month that ends a list, whose other days stand before `i`.
bool read_list_end(const Document& doc, std::size_t i, Expression& last) {
  int day = 0;
  for (int days = 0; days < longest_list; ++days) {
    const std::size_t next = after_joint(doc, i);
    if (next == i) return false;
    last = Expression();
    if (read_numeric_date(doc, next, last) || read_day_month(doc, next, last)) {
      extend_by_shifted_year(doc, last);
      if (last.underspecified) resolve_in_news(doc, last);
      return last.granularity == Granularity::day && last.year != no_year;
    }
    if (!read_day_number(doc, next, day, i)) return false;
  }
  return false;
}

bool fill_day_of(const Expression& month, int day, Expression& expression) {
  if (day > days_in_month(month.year, month.month)) return false;
  fill_day(expression, month.year, month.month, day);
  return true;
}

// "the 28th", "the 8th of this month": of the latest month that has had it.
bool read_day_alone(const Document& doc, std::size_t i, int day, std::size_t next,
                    Expression& expression) {
  Expression month;
  expression.relative = true;
  if (doc.is(next, Function::of) && doc.is(next + 1, Class::shift) &&
      doc.is(next + 2, Unit::month)) {
    fill_shifted(doc.reference_day(), Unit::month, doc.value(next + 1) - 1, month);
    expression.last = next + 3;
    return fill_day_of(month, day, expression);
  }
  const bool led =
      doc.is(i - 2, Class::weekday) ||
      doc.is_any(i - 2, {Function::on, Function::by, Function::until, Function::since,
                         Function::from, Function::to, Function::and_, Function::between,
                         Function::before, Function::after, Function::through, Function::for_});
  const bool ends =
      !doc.is(next, Kind::word) || doc.is(next, Class::function) || word_is(doc, next, {u"with"});
  if (!doc.is(i - 1, Function::the) || !led || !ends || doc.is(next, Function::of) ||
      doc.is(next, Kind::hyphen))
    return false;
  if (doc.last.known() && doc.last.granularity <= Granularity::month) {  // "27 Dec to the 29th"
    const Civil before =
        civil_from_days(static_cast<std::int64_t>(std::floor(doc.last.start_ms / day_ms)));
    fill_month(month, before.year, before.month);
    if (day > before.day && fill_day_of(month, day, expression)) return true;
  }
  const bool ahead = direction_at(doc, i, next) == Direction::ahead;
  for (int steps = 0; steps < 3; ++steps) {
    if (!fill_shifted(doc.reference_day(), Unit::month, ahead ? steps : -steps, month) ||
        !fill_day_of(month, day, expression))
      continue;
    if (ahead ? expression.end_ms > doc.reference_ms : expression.start_ms <= doc.reference_ms) {
      expression.confidence = 0.7f;
      return true;
    }
  }
  return false;
}

bool read_day_of_list(const Document& doc, std::size_t i, Expression& expression) {
  const std::size_t number = doc.is(i, Class::weekday) ? i + 1 : i;
  const std::size_t at = number > i && doc.is(number, Function::the) ? number + 1 : number;
  int day = 0;
  std::size_t next = 0;
  if (doc.glued(at) || !read_day_number(doc, at, day, next)) return false;
  // "the 9th", "Monday 17", "29/30 September"
  const bool marked = next > at + 1 || at > i || doc.is(next, Kind::slash);
  expression.first = i;
  expression.last = next;
  Expression last;
  if (marked && read_list_end(doc, next, last)) return fill_day_of(last, day, expression);
  return next > at + 1 && read_day_alone(doc, at, day, next, expression);
}

bool glued_number(const Document& doc, std::size_t i) {
  return doc.glued(i) && doc.is(i, Kind::number);
}

// "12/1962", "10.1988", "08.02. – 11.02.2020", "12.03 and 18.03.2007"
bool read_numeric_month(const Document& doc, std::size_t i, Expression& expression) {
  const Kind separator = doc.at(i + 1).kind;
  if ((separator != Kind::slash && separator != Kind::dot) || !number_within(doc, i, 2, 1, 31) ||
      (doc.glued(i) && !doc.dash(i - 1)) || !doc.glued(i + 1) || !glued_number(doc, i + 2))
    return false;
  expression.first = i;
  expression.last = i + 3;
  expression.confidence = 0.8f;
  if (is_year_number(doc, i + 2)) {
    if (doc.at(i).number > 12 || doc.is(i - 1, Class::label) ||
        (doc.is(i + 3, separator) && glued_number(doc, i + 4)))
      return false;
    fill_month(expression, doc.at(i + 2).number, static_cast<int>(doc.at(i).number));
    return true;
  }
  Expression last;
  const std::size_t end = doc.is(i + 3, separator) ? i + 4 : i + 3;
  if (!number_within(doc, i + 2, 2, 1, 12) || after_joint(doc, end) == end ||
      !read_numeric_date(doc, after_joint(doc, end), last) || last.granularity != Granularity::day)
    return false;
  last.month = static_cast<int>(doc.at(i + 2).number);
  expression.last = end;
  return fill_day_of(last, static_cast<int>(doc.at(i).number), expression);
}

// "week", "weeks", "W" before its number
bool read_week_number(const Document& doc, std::size_t i, std::int64_t& week, std::size_t& next) {
  const bool letter = word_is(doc, i, {u"W"}) && doc.glued(i + 1) &&
                      !(doc.glued(i + 2) && doc.is(i + 2, Kind::word));  // not "W3C"
  const std::size_t number = letter || doc.is(i, Unit::week) ? i + 1 : i;
  if (!number_within(doc, number, 2, 1, 53) || doc.is(number + 1, Class::suffix)) return false;
  week = doc.at(number).number;
  next = number + 1;
  return true;
}

// "week 17", "weeks 3, 4 and 6 of 2013", "wk 13–15 2023", "2014-W27/W30", "W20 to W23"
bool read_weeks(const Document& doc, std::size_t i, Expression& expression) {
  const bool dated = is_year_number(doc, i);
  if (doc.is(i, Class::shift) && doc.is(i + 1, Unit::week)) ++i;  // "the coming week 35"
  const std::size_t at = !dated                                            ? i
                         : doc.is(i + 1, Kind::hyphen) && doc.glued(i + 1) ? i + 2
                                                                           : i + 1;
  if ((!doc.is(at, Unit::week) && !word_is(doc, at, {u"W"})) || (dated && !doc.glued(at)))
    return false;
  std::int64_t first = 0, last = 0;
  std::size_t next = 0;
  if (!read_week_number(doc, at, first, next)) return false;
  last = first;
  for (int weeks = 0; weeks < longest_list; ++weeks) {
    std::int64_t week = 0;
    std::size_t after = 0;
    const std::size_t other = after_joint(doc, next);
    if (other == next || !read_week_number(doc, other, week, after) || week <= last) break;
    last = week;
    next = after;
  }
  std::int64_t year = civil_from_days(doc.reference_day()).year;
  const std::size_t of = doc.is(next, Function::of) || doc.is(next, Kind::comma) ? next + 1 : next;
  if (dated) {
    year = doc.at(i).number;
  } else if (is_year_number(doc, of)) {
    year = doc.at(of).number;
    next = of + 1;
  } else if (doc.is(of, Class::shift) && doc.is(of + 1, Unit::year)) {
    year += doc.value(of) - 1;
    next = of + 2;
  } else if (monday_of(year, first) > doc.reference_day() &&
             direction_at(doc, i, next) != Direction::ahead) {
    --year;
  }
  fill_days(expression, monday_of(year, first), monday_of(year, last) + 7, Granularity::week);
  expression.first = i;
  expression.last = next;
  expression.value = week_text(monday_of(year, first));
  expression.confidence = 0.8f;
  return true;
}

// "Q1 and Q3 2014", "the third and fourth quarters of 2015": the year, and the unit, of the last.
bool read_period_of_list(const Document& doc, std::size_t i, Expression& expression) {
  int ordinal = 0;
  std::size_t next = i + 2;
  if (doc.is(i, Function::quarter_letter) && glued_number(doc, i + 1))
    ordinal = static_cast<int>(doc.at(i + 1).number);
  else if (!read_ordinal(doc, i, ordinal, next))
    return false;
  if (doc.is(next, Unit::quarter)) ++next;
  Expression last;
  const std::size_t other = after_joint(doc, next);
  if (other == next || ordinal > 4 || !read_fraction(doc, other, last) ||
      last.granularity != Granularity::quarter)
    return false;
  fill_year(expression, last.year);
  narrow_to_fraction(expression, ordinal - 1, 4);
  expression.first = i;
  expression.last = next;
  return true;
}

// "1990 and 94", "summer of 69", "April 76", "back in 88": a year of two digits.
bool read_two_digits(const Document& doc, std::size_t i, Expression& expression) {
  const std::size_t season =
      doc.is(i - 1, Function::of) || doc.is(i - 1, Function::in) ? i - 2 : i - 1;
  const bool listed = joins(doc, i - 1) && !doc.glued(i) && is_year_number(doc, i - 2);
  const bool of_part = doc.is(season, Class::season) || doc.is(season, Class::month) ||
                       (season == i - 2 && doc.is(season, Function::back));
  const bool zero = doc.is(i - 1, Function::in) && doc.at(i).number < 10;  // "in 06"
  const std::int64_t digits = doc.at(i).number;
  if (!doc.is(i, Kind::number) || doc.at(i).digits != 2 || !is_plain_after(doc, i) ||
      !(listed || zero || (of_part && digits > 31)) || doc.is(i + 1, Class::suffix) ||
      doc.is(i + 1, Class::thing) || doc.is(i + 1, Class::unit) || doc.is(i + 1, Class::month))
    return false;
  const std::int64_t from = listed ? static_cast<std::int64_t>(doc.at(i - 2).number) + 99
                                   : civil_from_days(doc.reference_day()).year;
  fill_year(expression, from - ((from - digits) % 100 + 100) % 100);
  expression.first = i;
  expression.last = i + 1;
  expression.confidence = 0.7f;
  return !listed || expression.year > doc.at(i - 2).number;
}

// "summer of 69", "April 76"
bool read_part_of_two_digits(const Document& doc, std::size_t i, Expression& expression) {
  const std::size_t number = doc.is(i + 1, Function::of) ? i + 2 : i + 1;
  Expression year;
  if (!doc.is(number, Kind::number) || !read_two_digits(doc, number, year)) return false;
  doc.is(i, Class::season) ? fill_season(expression, year.year, doc.value(i))
                           : fill_month(expression, year.year, doc.value(i));
  expression.first = i;
  expression.last = number + 1;
  return true;
}

}  // namespace

bool read_question_date(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.has_reference()) return false;
  switch (doc.at(i).kind) {
    case Kind::number:
      return read_weeks(doc, i, expression) || read_numeric_month(doc, i, expression) ||
             read_day_of_list(doc, i, expression) || read_period_of_list(doc, i, expression) ||
             read_two_digits(doc, i, expression);
    case Kind::word:
      if (doc.is(i, Function::fiscal) && read_fraction(doc, i + 1, expression)) {
        expression.first = i;  // "FY2023Q1"
        return true;
      }
      if (doc.is(i, Class::weekday)) return read_day_of_list(doc, i, expression);
      if (doc.is(i, Class::season) || doc.is(i, Class::month))
        return read_part_of_two_digits(doc, i, expression);
      return read_weeks(doc, i, expression) || read_period_of_list(doc, i, expression);
    default:
      return false;
  }
}

}  // namespace asof::timetag
