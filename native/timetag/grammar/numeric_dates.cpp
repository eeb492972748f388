// Numeric dates: ISO 8601 dates and date-times, "6/5/2021", "6.5.2021". Month first unless only day
// first is valid.
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool glued_digits(const Document& doc, std::size_t i, std::uint32_t digits) {
  return doc.is(i, Kind::number) && doc.glued(i) && doc.at(i).digits == digits;
}

// A numeric date must not be part of a longer chain: "1-2-3-4", "10.1.2.2001".
bool chained(const Document& doc, std::size_t i, Kind separator) {
  return (doc.is(i, separator) && doc.glued(i) && doc.is(i + 1, Kind::number) &&
          doc.glued(i + 1)) ||
         (doc.is(i, Kind::word) && doc.glued(i) && doc.is(i, Class::unknown) &&
          doc.word(i) != u"T" && doc.word(i) != u"t");
}

// "T13:50Z", " 13:50:07.25+02:00" after an ISO date: sets the instant and its fineness.
bool read_iso_time(const Document& doc, std::size_t i, Expression& expression) {
  std::size_t j = i;
  if (doc.is(j, Kind::word) && doc.glued(j) && (doc.word(j) == u"T" || doc.word(j) == u"t")) ++j;
  if (!number_within(doc, j, 2, 0, 23) || doc.at(j).digits != 2 || !doc.is(j + 1, Kind::colon) ||
      !glued_digits(doc, j + 2, 2) || doc.at(j + 2).number > 59)
    return false;
  double time = doc.at(j).number * 3'600'000.0 + doc.at(j + 2).number * 60'000.0;
  double length = 60'000.0;
  std::string clock(1, 'T');
  const auto digits = [&](std::size_t k) {
    for (char16_t c : doc.word(k)) clock += static_cast<char>(c);
  };
  digits(j);
  clock += ':';
  digits(j + 2);
  expression.granularity = Granularity::minute;
  j += 3;
  if (doc.is(j, Kind::colon) && glued_digits(doc, j + 1, 2) && doc.at(j + 1).number < 60) {
    time += doc.at(j + 1).number * 1000.0;
    length = 1000.0;
    clock += ':';
    digits(j + 1);
    expression.granularity = Granularity::second;
    j += 2;
    if (doc.is(j, Kind::dot) && doc.glued(j) && doc.is(j + 1, Kind::number) && doc.glued(j + 1))
      j += 2;
  }
  if (doc.is(j, Kind::word) && doc.glued(j) && (doc.word(j) == u"Z" || doc.word(j) == u"z")) {
    clock += 'Z';
    ++j;
  } else if ((doc.is(j, Kind::hyphen) || (doc.is(j, Kind::symbol) && doc.word(j) == u"+")) &&
             doc.glued(j) && glued_digits(doc, j + 1, 2) && doc.is(j + 2, Kind::colon) &&
             glued_digits(doc, j + 3, 2)) {
    const double offset = doc.at(j + 1).number * 3'600'000.0 + doc.at(j + 3).number * 60'000.0;
    time += doc.is(j, Kind::hyphen) ? offset : -offset;
    j += 4;
  }
  expression.start_ms += time;
  expression.end_ms = expression.start_ms + length;
  expression.type = TimexType::time;
  expression.value += clock;
  expression.last = j;
  return true;
}

bool read_iso(const Document& doc, std::size_t i, Expression& expression) {
  const Token& year = doc.at(i);
  if (year.digits != 4 || !(doc.is(i + 1, Kind::hyphen) || doc.is(i + 1, Kind::slash)) ||
      !doc.glued(i + 1))
    return false;
  if (!glued_digits(doc, i + 2, 2)) return false;
  const Kind separator = doc.at(i + 1).kind;
  const auto month = static_cast<int>(doc.at(i + 2).number);
  if (month < 1 || month > 12) return false;
  if (doc.is(i + 3, separator) && glued_digits(doc, i + 4, 2)) {
    const auto day = static_cast<int>(doc.at(i + 4).number);
    if (day < 1 || day > days_in_month(year.number, month) || chained(doc, i + 5, separator))
      return false;
    fill_day(expression, year.number, month, day);
    expression.last = i + 5;
    read_iso_time(doc, i + 5, expression);
    return true;
  }
  // YYYY-MM. "2004-05" is the season, "1904-08" the years; "2021-05" can only be the month.
  const int two = static_cast<int>(year.number % 100);
  if (separator == Kind::slash || !is_year_number(doc, i) || month > two ||
      !is_plain_number(doc, i + 2))
    return false;
  fill_month(expression, year.number, month);
  expression.last = i + 3;
  expression.confidence = 0.8f;
  return true;
}

}  // namespace

bool read_numeric_date(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Kind::number)) return false;
  const bool interval = (doc.is(i - 1, Kind::slash) || doc.is(i - 1, Kind::dash)) &&
                        doc.is(i - 2, Kind::number);  // "2020-01-01/2020-12-31"
  if (doc.glued(i) && !interval && !doc.is(i - 1, Kind::open) && !doc.is(i - 1, Kind::symbol) &&
      !doc.is(i - 1, Kind::apostrophe) &&
      !(doc.question && doc.is_any(i - 1, {Function::of, Function::in, Function::since})))
    return false;
  expression.first = i;
  if (read_iso(doc, i, expression) || read_year_first(doc, i, expression)) return true;
  const Kind separator = doc.at(i + 1).kind;
  if (separator != Kind::slash && separator != Kind::dot && separator != Kind::hyphen) return false;
  if (separator == Kind::dot && doc.is(i - 1, Class::label)) return false;  // "version 1.12.2004"
  if (!number_within(doc, i, 2, 1, 31) || !doc.glued(i + 1) || !doc.glued(i + 2) ||
      !number_within(doc, i + 2, 2, 1, 31))
    return false;
  if (!doc.is(i + 3, separator) || !doc.glued(i + 3) || !doc.is(i + 4, Kind::number) ||
      !doc.glued(i + 4) || chained(doc, i + 5, separator))
    return false;
  std::int64_t year = doc.at(i + 4).number;
  if (doc.at(i + 4).digits == 2 &&
      (separator == Kind::slash || (doc.question && doc.at(i).digits == 2 &&
                                    (separator == Kind::hyphen || doc.at(i + 2).digits == 2)))) {
    year += year < 50 ? 2000 : 1900;
    expression.confidence = 0.7f;
  } else if (!is_year_number(doc, i + 4)) {
    return false;
  }
  int month = static_cast<int>(doc.at(i).number), day = static_cast<int>(doc.at(i + 2).number);
  const bool short_form = doc.question && separator != Kind::slash;  // "25-5-22"
  if (separator == Kind::dot || month > 12 ||
      (short_form && doc.at(i + 4).digits == 2 && day <= 12))
    std::swap(month, day);
  if (month > 12 || day > days_in_month(year, month)) return false;
  fill_day(expression, year, month, day);
  expression.last = i + 5;
  return true;
}

bool number_within(const Document& doc, std::size_t i, std::uint32_t digits, std::uint32_t low,
                   std::uint32_t high) {
  const Token& token = doc.at(i);
  return token.kind == Kind::number && token.digits <= digits && token.number >= low &&
         token.number <= high;
}

}  // namespace asof::timetag
