// Days and months: ISO dates and date-times, numeric dates, "6 May 2021", "May 6th, 2021", "Sep
// 1697", weekdays before a date, and dates without their year. A numeric date is read month first
// unless only day first makes sense.
#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool number_of(const Scene& scene, std::size_t i, std::uint32_t digits, std::uint32_t low,
               std::uint32_t high) {
  const Token& token = scene.at(i);
  return token.kind == Kind::number && token.digits <= digits && token.number >= low &&
         token.number <= high;
}

bool glued_digits(const Scene& scene, std::size_t i, std::uint32_t digits) {
  return scene.is(i, Kind::number) && scene.glued(i) && scene.at(i).digits == digits;
}

// A numeric date must not be part of a longer chain: "1-2-3-4", "10.1.2.2001".
bool chained(const Scene& scene, std::size_t i, Kind separator) {
  return (scene.is(i, separator) && scene.glued(i) && scene.is(i + 1, Kind::number) &&
          scene.glued(i + 1)) ||
         (scene.is(i, Kind::word) && scene.glued(i) && scene.is(i, Class::unknown) &&
          scene.word(i) != u"T" && scene.word(i) != u"t");
}

// "T13:50Z", " 13:50:07.25+02:00" after an ISO date: sets the instant and its fineness.
bool read_iso_time(const Scene& scene, std::size_t i, Expression& expression) {
  std::size_t j = i;
  if (scene.is(j, Kind::word) && scene.glued(j) && (scene.word(j) == u"T" || scene.word(j) == u"t"))
    ++j;
  if (!number_of(scene, j, 2, 0, 23) || scene.at(j).digits != 2 || !scene.is(j + 1, Kind::colon) ||
      !glued_digits(scene, j + 2, 2) || scene.at(j + 2).number > 59)
    return false;
  double time = scene.at(j).number * 3'600'000.0 + scene.at(j + 2).number * 60'000.0;
  double length = 60'000.0;
  std::string clock(1, 'T');
  const auto digits = [&](std::size_t k) {
    for (char16_t c : scene.word(k)) clock += static_cast<char>(c);
  };
  digits(j);
  clock += ':';
  digits(j + 2);
  expression.granularity = Granularity::minute;
  j += 3;
  if (scene.is(j, Kind::colon) && glued_digits(scene, j + 1, 2) && scene.at(j + 1).number < 60) {
    time += scene.at(j + 1).number * 1000.0;
    length = 1000.0;
    clock += ':';
    digits(j + 1);
    expression.granularity = Granularity::second;
    j += 2;
    if (scene.is(j, Kind::dot) && scene.glued(j) && scene.is(j + 1, Kind::number) &&
        scene.glued(j + 1))
      j += 2;
  }
  if (scene.is(j, Kind::word) && scene.glued(j) &&
      (scene.word(j) == u"Z" || scene.word(j) == u"z")) {
    clock += 'Z';
    ++j;
  } else if ((scene.is(j, Kind::hyphen) || (scene.is(j, Kind::symbol) && scene.word(j) == u"+")) &&
             scene.glued(j) && glued_digits(scene, j + 1, 2) && scene.is(j + 2, Kind::colon) &&
             glued_digits(scene, j + 3, 2)) {
    const double offset = scene.at(j + 1).number * 3'600'000.0 + scene.at(j + 3).number * 60'000.0;
    time += scene.is(j, Kind::hyphen) ? offset : -offset;
    j += 4;
  }
  expression.start_ms += time;
  expression.end_ms = expression.start_ms + length;
  expression.type = TimexType::time;
  expression.value += clock;
  expression.last = j;
  return true;
}

bool read_iso(const Scene& scene, std::size_t i, Expression& expression) {
  const Token& year = scene.at(i);
  if (year.digits != 4 || !(scene.is(i + 1, Kind::hyphen) || scene.is(i + 1, Kind::slash)) ||
      !scene.glued(i + 1))
    return false;
  if (!glued_digits(scene, i + 2, 2)) return false;
  const Kind separator = scene.at(i + 1).kind;
  const auto month = static_cast<int>(scene.at(i + 2).number);
  if (month < 1 || month > 12) return false;
  if (scene.is(i + 3, separator) && glued_digits(scene, i + 4, 2)) {
    const auto day = static_cast<int>(scene.at(i + 4).number);
    if (day < 1 || day > days_in_month(year.number, month) || chained(scene, i + 5, separator))
      return false;
    fill_day(expression, year.number, month, day);
    expression.last = i + 5;
    read_iso_time(scene, i + 5, expression);
    return true;
  }
  // YYYY-MM. "2004-05" is the season, "1904-08" the years; "2021-05" can only be the month.
  const int two = static_cast<int>(year.number % 100);
  if (separator == Kind::slash || !year_number(scene, i) || month > two ||
      !clean_number(scene, i + 2))
    return false;
  fill_month(expression, year.number, month);
  expression.last = i + 3;
  expression.confidence = 0.8f;
  return true;
}

}  // namespace

bool read_year_first(const Scene& scene, std::size_t i, Expression& expression);

bool read_numeric_date(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Kind::number)) return false;
  const bool interval = (scene.is(i - 1, Kind::slash) || scene.is(i - 1, Kind::dash)) &&
                        scene.is(i - 2, Kind::number);  // "2020-01-01/2020-12-31"
  if (scene.glued(i) && !interval && !scene.is(i - 1, Kind::open) &&
      !scene.is(i - 1, Kind::symbol) && !scene.is(i - 1, Kind::apostrophe))
    return false;
  expression.first = i;
  if (read_iso(scene, i, expression) || read_year_first(scene, i, expression)) return true;
  const Kind separator = scene.at(i + 1).kind;
  if (separator != Kind::slash && separator != Kind::dot && separator != Kind::hyphen) return false;
  if (separator == Kind::dot && scene.is(i - 1, Class::label)) return false;  // "version 1.12.2004"
  if (!number_of(scene, i, 2, 1, 31) || !scene.glued(i + 1) || !scene.glued(i + 2) ||
      !number_of(scene, i + 2, 2, 1, 31))
    return false;
  if (!scene.is(i + 3, separator) || !scene.glued(i + 3) || !scene.is(i + 4, Kind::number) ||
      !scene.glued(i + 4) || chained(scene, i + 5, separator))
    return false;
  std::int64_t year = scene.at(i + 4).number;
  if (scene.at(i + 4).digits == 2 && separator == Kind::slash) {
    year += year < 50 ? 2000 : 1900;
    expression.confidence = 0.7f;
  } else if (!year_number(scene, i + 4)) {
    return false;
  }
  int month = static_cast<int>(scene.at(i).number), day = static_cast<int>(scene.at(i + 2).number);
  if (separator == Kind::dot || month > 12) std::swap(month, day);
  if (month > 12 || day > days_in_month(year, month)) return false;
  fill_day(expression, year, month, day);
  expression.last = i + 5;
  return true;
}

namespace {

bool read_month(const Scene& scene, std::size_t i, int& month, std::size_t& next) {
  if (!scene.is(i, Class::month)) return false;
  month = scene.value(i);
  next = i + 1;
  const std::uint32_t length = scene.at(i).end - scene.at(i).begin;
  const bool whole_name =
      month == 5 ||
      (length == 4 && (month == 6 || month == 7));  // "May", "June" and "July" are not cut short
  if (length <= 4 && !whole_name && scene.is(next, Kind::dot) && scene.glued(next)) {
    // The dot of "Nov.", unless it ends the sentence.
    if (!scene.is(next + 1, Kind::end)) ++next;
  }
  return true;
}

// Lower-case "may" and "march" are verbs far more often than months: they need a year.
bool verb_like(const Scene& scene, std::size_t i) {
  return !scene.at(i).capital && (scene.value(i) == 5 || scene.value(i) == 3);
}

// The year after a month or day: ", 2021", " of 2019", "-1900", " '68", " 44 BC".
bool read_year_after(const Scene& scene, std::size_t i, std::int64_t& year, std::size_t& next) {
  std::size_t j = i;
  if (scene.is(j, Kind::comma) || (scene.is(j, Kind::hyphen) && scene.glued(j)) ||
      (scene.is(j, Kind::slash) && scene.glued(j)) || scene.is(j, Function::of))
    ++j;
  else if (scene.is(j, Function::in))
    ++j;  // "on 6 May in 2021"
  if (scene.is(j, Function::the) && scene.is(j + 1, Unit::year)) j += 2;
  if (scene.is(j, Kind::apostrophe) && number_of(scene, j + 1, 2, 0, 99) && scene.glued(j + 1) &&
      scene.at(j + 1).digits == 2) {
    year = 1900 + static_cast<std::int64_t>(scene.at(j + 1).number);
    if (year < 1930) year += 100;
    next = j + 2;
    return true;
  }
  const std::size_t number = scene.is(j, Kind::number) ? j : j + 1;
  if (scene.is(number, Kind::number) && scene.at(number).digits < 4 && scene.is(i, Kind::comma) &&
      number == j) {
    // "May 6, 300 men": only an era makes fewer than four digits a year after a comma.
    std::int64_t with_era = 0;
    std::size_t after = 0;
    if (!read_year_value(scene, j, with_era, after)) return false;
    const bool closed = scene.at(j).digits == 3 && !scene.is(after, Kind::word) &&
                        !scene.is(after, Kind::number);  // "December 8, 899)"
    if (after == j + 1 && !closed &&
        !scene.is_any(after, {Function::to, Function::until, Function::in, Function::at}))
      return false;
    year = with_era;
    next = after;
    return true;
  }
  return read_year_value(scene, j, year, next);
}

bool read_day(const Scene& scene, std::size_t i, int& day, std::size_t& next) {
  if (!number_of(scene, i, 2, 1, 31)) return false;
  day = static_cast<int>(scene.at(i).number);
  next = i + 1;
  if (scene.is(next, Class::suffix) && scene.glued(next) &&
      scene.value(next) == static_cast<int>(Suffix::ordinal)) {
    ++next;
    return true;
  }
  // Not "5.2", "5,000", "5:30", "5%", "5km".
  if (scene.is(next, Kind::percent) || (scene.glued(next) && scene.is(next, Kind::word)))
    return false;
  const bool separator = scene.is(next, Kind::dot) || scene.is(next, Kind::comma) ||
                         scene.is(next, Kind::colon) || scene.is(next, Kind::slash);
  return !(scene.glued(next) && separator && scene.is(next + 1, Kind::number) &&
           scene.glued(next + 1));
}

bool connector(const Scene& scene, std::size_t i) {
  return scene.dash(i) || scene.is(i, Kind::slash) ||
         scene.is_any(
             i, {Function::to, Function::and_, Function::or_, Function::through, Function::until});
}

void finish(Expression& expression, bool has_year, std::int64_t year, int month, int day,
            int last_day) {
  expression.month = month;
  expression.day = day;
  expression.last_day = last_day;
  expression.range = last_day > day;
  if (has_year) {
    resolve_year(expression, year);
    expression.confidence = 0.98f;
    return;
  }
  expression.lacks_year = true;
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

bool read_day_month(const Scene& scene, std::size_t i, Expression& expression) {
  int day = 0, last_day = 0, month = 0;
  std::size_t next = 0;
  if (scene.is(i, Kind::number)) {
    if (scene.glued(i) && (scene.is(i - 1, Kind::currency) || scene.is(i - 1, Kind::dot) ||
                           scene.is(i - 1, Kind::colon) || scene.is(i - 1, Class::unknown)))
      return false;
    // "COVID-19 Jun 29": the number is the name's.
    if (scene.glued(i) && scene.is(i - 1, Kind::hyphen) && scene.glued(i - 1) &&
        scene.is(i - 2, Kind::word) && scene.is(i - 2, Class::unknown))
      return false;
    if (!read_day(scene, i, day, next)) return false;
  } else {
    if (!read_ordinal(scene, i, day, next) || !scene.is(next, Function::of))
      return false;  // "the first of May"
  }
  std::size_t after = 0;
  const std::size_t first_end = next;
  if (connector(scene, next) && read_day(scene, next + 1, last_day, after) && last_day > day)
    next = after;
  else
    last_day = 0;
  // "10 and 15 October" are two days, "10 and 11 October" one stretch.
  const bool two_days = last_day > day + 1 &&
                        scene.is_any(first_end, {Function::and_, Function::or_}) &&
                        !scene.is(i - 1, Function::between);
  if (scene.is(next, Function::of) || (scene.is(next, Kind::hyphen) && scene.glued(next)) ||
      scene.is(next, Kind::comma) || (scene.is(next, Kind::dot) && scene.glued(next)))
    ++next;
  const std::size_t name = next;
  if (!read_month(scene, next, month, next)) return false;
  std::int64_t year = 0;
  const bool has_year = read_year_after(scene, next, year, next);
  if (!has_year && (verb_like(scene, name) || (scene.is(name - 1, Kind::comma)))) return false;
  if (!possible(month, std::max(day, last_day), has_year, year)) return false;
  expression.first = i;
  expression.last = next;
  if (two_days) {
    expression.last = first_end;
    last_day = 0;
  }
  if (last_day > 0) expression.spans = {{i, first_end}, {first_end + 1, next}};
  finish(expression, has_year, year, month, day, last_day);
  return true;
}

// "1697 September", "1914 August 4": the year stands first.
bool read_year_first(const Scene& scene, std::size_t i, Expression& expression) {
  if (!year_number(scene, i) || !scene.is(i + 1, Class::month) || scene.glued(i + 1) ||
      !scene.at(i + 1).capital || !clean_number(scene, i))
    return false;
  int month = 0, day = 0;
  std::size_t next = 0, after = 0;
  std::int64_t other = 0;
  if (!read_month(scene, i + 1, month, next) || read_year_after(scene, next, other, after))
    return false;
  const bool has_day = read_day(scene, next, day, after) &&
                       day <= days_in_month(scene.at(i).number, month) &&
                       !scene.is(after, Class::thing);
  const Token& follows = scene.at(next);
  const bool ends =
      follows.kind != Kind::word || (follows.lexeme.cls == Class::function && !follows.capital);
  if (!has_day && (!ends || verb_like(scene, i + 1) || month == 5)) return false;
  expression.first = i;
  expression.last = has_day ? after : next;
  finish(expression, true, scene.at(i).number, month, has_day ? day : 0, 0);
  return true;
}

bool read_month_first(const Scene& scene, std::size_t i, Expression& expression) {
  int month = 0, day = 0, last_day = 0;
  std::size_t next = 0, after = 0;
  if (!read_month(scene, i, month, next)) return false;
  expression.first = i;
  std::int64_t year = 0;
  if (read_year_after(scene, next, year, after)) {
    expression.last = after;
    finish(expression, true, year, month, 0, 0);
    return true;
  }
  const std::size_t bare = next;
  if (scene.is(next, Function::the)) ++next;
  if (scene.is(next, Kind::hyphen) && scene.glued(next)) ++next;
  if (!read_day(scene, next, day, next) || scene.is(next, Class::thing)) {
    if (verb_like(scene, i)) return false;
    expression.last = bare;
    finish(expression, false, 0, month, 0, 0);
    return true;
  }
  const std::size_t first_end = next;
  if (connector(scene, next) && read_day(scene, next + 1, last_day, after) && last_day > day &&
      !scene.is(after, Class::month) && !scene.is(after, Class::thing))
    next = after;
  else
    last_day = 0;
  const bool has_year = read_year_after(scene, next, year, next);
  if (!has_year && verb_like(scene, i)) return false;
  if (!possible(month, std::max(day, last_day), has_year, year)) return false;
  expression.last = next;
  if (last_day > 0) expression.spans = {{i, first_end}, {first_end + 1, next}};
  finish(expression, has_year, year, month, day, last_day);
  return true;
}

bool read_weekday(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Class::weekday)) return false;
  std::size_t next = i + 1;
  const std::uint32_t length = scene.at(i).end - scene.at(i).begin;
  if (length <= 5 && scene.is(next, Kind::dot) && scene.glued(next)) ++next;
  const std::size_t bare = next;
  if (scene.is(next, Kind::comma)) ++next;
  if (scene.is(next, Function::the)) ++next;
  if ((read_numeric_date(scene, next, expression) || read_day_month(scene, next, expression) ||
       (scene.is(next, Class::month) && read_month_first(scene, next, expression))) &&
      (expression.granularity == Granularity::day || expression.type == TimexType::time)) {
    expression.first = i;
    if (expression.lacks_year) expression.weekday = scene.value(i);
    return true;
  }
  // A weekday alone, the reference's own day included.
  if (!scene.at(i).capital || length < 6) return false;
  expression = Expression();
  expression.first = i;
  expression.last = bare;
  expression.value = std::string("XXXX-WXX-") + static_cast<char>('1' + scene.value(i));
  expression.confidence = 0.7f;
  const bool told = scene.story() && scene.told.known();
  if (told && scene.told.granularity <= Granularity::week) {
    // The story goes on to the next day of that name.
    const std::int64_t from = static_cast<std::int64_t>(std::floor(scene.told.start_ms / day_ms));
    const std::int64_t day = from + (scene.value(i) - weekday_from_days(from) + 7) % 7;
    fill_days(expression, day, day + 1, Granularity::day);
    expression.value = day_text(day);
    expression.relative = true;
  } else if (scene.has_reference() && !told) {
    const std::int64_t day = news_weekday(scene, i, scene.value(i));
    fill_days(expression, day, day + 1, Granularity::day);
    expression.value = day_text(day);
  }
  return true;
}

}  // namespace asof::timetag
