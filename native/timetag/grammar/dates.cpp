// Dates with a named month: "6 May 2021", "May 6th, 2021", "Sep 1697", with or without a year, and
// weekdays before a date.
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {

namespace {

bool read_month(const Document& doc, std::size_t i, int& month, std::size_t& next) {
  if (!doc.is(i, Class::month)) return false;
  month = doc.value(i);
  next = i + 1;
  const std::uint32_t length = doc.at(i).end - doc.at(i).begin;
  const bool whole_name =
      month == 5 ||
      (length == 4 && (month == 6 || month == 7));  // "May", "June" and "July" are not cut short
  // The dot of "Nov.", unless it ends the sentence.
  if (length <= 4 && !whole_name && doc.is(next, Kind::dot) && doc.glued(next) &&
      !doc.is(next + 1, Kind::end))
    ++next;
  return true;
}

// Lower-case "may" and "march" are verbs far more often than months: they need a year.
bool verb_like(const Document& doc, std::size_t i) {
  return !doc.at(i).capital && (doc.value(i) == 5 || doc.value(i) == 3);
}

// The year after a month or day: ", 2021", " of 2019", "-1900", " '68", " 44 BC".
bool read_year_after(const Document& doc, std::size_t i, std::int64_t& year, std::size_t& next) {
  std::size_t j = i;
  if (doc.is(j, Kind::comma) || (doc.is(j, Kind::hyphen) && doc.glued(j)) ||
      (doc.is(j, Kind::slash) && doc.glued(j)) || doc.is(j, Function::of) ||
      (doc.question && doc.is(j, Kind::dot) && doc.glued(j + 1)))
    ++j;
  else if (doc.is(j, Function::in))
    ++j;  // "on 6 May in 2021"
  if (doc.is(j, Function::the) && doc.is(j + 1, Unit::year)) j += 2;
  if (doc.is(j, Kind::apostrophe) && number_within(doc, j + 1, 2, 0, 99) && doc.glued(j + 1) &&
      doc.at(j + 1).digits == 2) {
    year = 1900 + static_cast<std::int64_t>(doc.at(j + 1).number);
    if (year < 1930) year += 100;
    next = j + 2;
    return true;
  }
  const std::size_t number = doc.is(j, Kind::number) ? j : j + 1;
  if (doc.is(number, Kind::number) && doc.at(number).digits < 4 && doc.is(i, Kind::comma) &&
      number == j) {
    // "May 6, 300 men": only an era makes fewer than four digits a year after a comma.
    std::int64_t with_era = 0;
    std::size_t after = 0;
    if (!read_year_value(doc, j, with_era, after)) return false;
    const bool closed = doc.at(j).digits == 3 && !doc.is(after, Kind::word) &&
                        !doc.is(after, Kind::number);  // "December 8, 899)"
    if (after == j + 1 && !closed &&
        !doc.is_any(after, {Function::to, Function::until, Function::in, Function::at}))
      return false;
    year = with_era;
    next = after;
    return true;
  }
  return read_year_value(doc, j, year, next);
}

bool read_day(const Document& doc, std::size_t i, int& day, std::size_t& next) {
  if (!number_within(doc, i, 2, 1, 31)) return false;
  day = static_cast<int>(doc.at(i).number);
  next = i + 1;
  if (doc.is(next, Class::suffix) && doc.glued(next) &&
      doc.value(next) == static_cast<int>(Suffix::ordinal)) {
    ++next;
    return true;
  }
  // Not "5.2", "5,000", "5:30", "5%", "5km".
  if (doc.question && doc.is(next, Class::month)) return true;  // "10SEP2019"
  if (doc.is(next, Kind::percent) || (doc.glued(next) && doc.is(next, Kind::word))) return false;
  const bool separator = doc.is(next, Kind::dot) || doc.is(next, Kind::comma) ||
                         doc.is(next, Kind::colon) || doc.is(next, Kind::slash);
  return !(doc.glued(next) && separator && doc.is(next + 1, Kind::number) && doc.glued(next + 1));
}

bool connector(const Document& doc, std::size_t i) {
  return doc.dash(i) || doc.is(i, Kind::slash) ||
         doc.is_any(
             i, {Function::to, Function::and_, Function::or_, Function::through, Function::until});
}

// A day of 0 is the whole month, a last_day of 0 no range.
struct DateParts {
  bool has_year;
  std::int64_t year;
  int month, day, last_day;
};

void finish(Expression& expression, const DateParts& parts) {
  const auto [has_year, year, month, day, last_day] = parts;
  expression.month = month;
  expression.day = day;
  expression.last_day = last_day;
  expression.range = last_day > day;
  if (has_year) {
    resolve_year(expression, year);
    expression.confidence = 0.98f;
    return;
  }
  expression.underspecified = true;
  expression.granularity = day > 0 ? Granularity::day : Granularity::month;
  const auto two = [](int value) {
    return std::string{static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
  };
  expression.value = "XXXX-" + two(month);
  if (day > 0) expression.value += '-' + two(day);
  if (last_day > day) expression.value += "/XXXX-" + two(month) + '-' + two(last_day);
  expression.confidence = 0.85f;
}

bool possible(int month, int day, bool has_year, std::int64_t year) {
  return day <= days_in_month(has_year ? year : 2000, month);
}

}  // namespace

bool read_day_month(const Document& doc, std::size_t i, Expression& expression) {
  int day = 0, last_day = 0, month = 0;
  std::size_t next = 0;
  if (doc.is(i, Kind::number)) {
    if (doc.glued(i) && (doc.is(i - 1, Kind::currency) || doc.is(i - 1, Kind::dot) ||
                         doc.is(i - 1, Kind::colon) || doc.is(i - 1, Class::unknown)))
      return false;
    // "COVID-19 Jun 29": the number is the name's.
    if (doc.glued(i) && doc.is(i - 1, Kind::hyphen) && doc.glued(i - 1) &&
        doc.is(i - 2, Kind::word) && doc.is(i - 2, Class::unknown))
      return false;
    if (!read_day(doc, i, day, next)) return false;
  } else {
    if (!read_ordinal(doc, i, day, next) || !doc.is(next, Function::of))
      return false;  // "the first of May"
  }
  std::size_t after = 0;
  const std::size_t first_end = next;
  if (connector(doc, next) && read_day(doc, next + 1, last_day, after) && last_day > day)
    next = after;
  else
    last_day = 0;
  // "10 and 15 October" are two days, "10 and 11 October" one stretch.
  const bool two_days = last_day > day + 1 &&
                        doc.is_any(first_end, {Function::and_, Function::or_}) &&
                        !doc.is(i - 1, Function::between);
  if (doc.is(next, Function::of) || (doc.is(next, Kind::hyphen) && doc.glued(next)) ||
      doc.is(next, Kind::comma) || (doc.is(next, Kind::dot) && doc.glued(next)) ||
      (doc.question && doc.is(next, Kind::slash) && doc.glued(next)))
    ++next;
  const std::size_t name = next;
  if (!read_month(doc, next, month, next)) return false;
  std::int64_t year = 0;
  const bool has_year = read_year_after(doc, next, year, next);
  if (!has_year && (verb_like(doc, name) || doc.is(name - 1, Kind::comma))) return false;
  if (!possible(month, std::max(day, last_day), has_year, year)) return false;
  expression.first = i;
  expression.last = next;
  if (two_days) {
    expression.last = first_end;
    last_day = 0;
  }
  if (last_day > 0) expression.spans = {{i, first_end}, {first_end + 1, next}};
  finish(expression, {has_year, year, month, day, last_day});
  return true;
}

// "1697 September", "1914 August 4": the year stands first.
bool read_year_first(const Document& doc, std::size_t i, Expression& expression) {
  if (!is_year_number(doc, i) || !doc.is(i + 1, Class::month) || doc.glued(i + 1) ||
      !doc.at(i + 1).capital || !is_plain_number(doc, i))
    return false;
  int month = 0, day = 0;
  std::size_t next = 0, after = 0;
  std::int64_t other = 0;
  if (!read_month(doc, i + 1, month, next) || read_year_after(doc, next, other, after))
    return false;
  const bool has_day = read_day(doc, next, day, after) &&
                       day <= days_in_month(doc.at(i).number, month) &&
                       !doc.is(after, Class::thing);
  const Token& follows = doc.at(next);
  const bool ends =
      follows.kind != Kind::word || (follows.lexeme.cls == Class::function && !follows.capital);
  if (!has_day && (!ends || verb_like(doc, i + 1) || month == 5)) return false;
  expression.first = i;
  expression.last = has_day ? after : next;
  finish(expression, {true, doc.at(i).number, month, has_day ? day : 0, 0});
  return true;
}

bool read_month_first(const Document& doc, std::size_t i, Expression& expression) {
  int month = 0, day = 0, last_day = 0;
  std::size_t next = 0, after = 0;
  if (!read_month(doc, i, month, next)) return false;
  expression.first = i;
  std::int64_t year = 0;
  if (read_year_after(doc, next, year, after)) {
    expression.last = after;
    finish(expression, {true, year, month, 0, 0});
    return true;
  }
  const std::size_t bare = next;
  if (doc.is(next, Function::the)) ++next;
  if (doc.is(next, Kind::hyphen) && doc.glued(next)) ++next;
  if (!read_day(doc, next, day, next) || doc.is(next, Class::thing)) {
    if (verb_like(doc, i)) return false;
    expression.last = bare;
    finish(expression, {false, 0, month, 0, 0});
    return true;
  }
  const std::size_t first_end = next;
  if (connector(doc, next) && read_day(doc, next + 1, last_day, after) && last_day > day &&
      !doc.is(after, Class::month) && !doc.is(after, Class::thing))
    next = after;
  else
    last_day = 0;
  const bool has_year = read_year_after(doc, next, year, next);
  if (!has_year && verb_like(doc, i)) return false;
  if (!possible(month, std::max(day, last_day), has_year, year)) return false;
  expression.last = next;
  if (last_day > 0) expression.spans = {{i, first_end}, {first_end + 1, next}};
  finish(expression, {has_year, year, month, day, last_day});
  return true;
}

bool read_weekday(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Class::weekday)) return false;
  std::size_t next = i + 1;
  const std::uint32_t length = doc.at(i).end - doc.at(i).begin;
  if (length <= 5 && doc.is(next, Kind::dot) && doc.glued(next)) ++next;
  const std::size_t bare = next;
  if (doc.is(next, Kind::comma)) ++next;
  if (doc.is(next, Function::the)) ++next;
  if ((read_numeric_date(doc, next, expression) || read_day_month(doc, next, expression) ||
       (doc.is(next, Class::month) && read_month_first(doc, next, expression))) &&
      (expression.granularity == Granularity::day || expression.type == TimexType::time)) {
    expression.first = i;
    if (expression.underspecified) expression.weekday = doc.value(i);
    return true;
  }
  // A weekday alone, the reference's own day included.
  if (!doc.at(i).capital || length < 6) return false;
  expression = Expression();
  expression.first = i;
  expression.last = bare;
  expression.value = std::string("XXXX-WXX-") + static_cast<char>('1' + doc.value(i));
  expression.confidence = 0.7f;
  const bool anchor = doc.narrative() && doc.anchor.known();
  if (anchor && doc.anchor.granularity <= Granularity::week) {
    // The story goes on to the next day of that name.
    const std::int64_t from = static_cast<std::int64_t>(std::floor(doc.anchor.start_ms / day_ms));
    const std::int64_t day = from + (doc.value(i) - weekday_from_days(from) + 7) % 7;
    fill_days(expression, day, day + 1, Granularity::day);
    expression.value = day_text(day);
    expression.relative = true;
  } else if (doc.has_reference() && !anchor) {
    const std::int64_t day = nearest_weekday(doc, i, doc.value(i));
    fill_days(expression, day, day + 1, Granularity::day);
    expression.value = day_text(day);
  }
  return true;
}

}  // namespace asof::timetag
