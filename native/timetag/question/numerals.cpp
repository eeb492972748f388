// Numbers in words as digits, where a date has one: years ("nineteen eighty-four", "two thousand
// and eight", "oh-nine"), days ("the thirty-first of May") and weeks ("week eighteen").
#include <cmath>
#include <string>

#include "timetag/civil.hpp"
#include "timetag/document.hpp"
#include "timetag/question/wording.hpp"

namespace asof::timetag {
namespace {

struct Number {
  int value = 0;
  std::size_t last = 0;  // the token after it
};

std::size_t after_hyphen(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::hyphen) && doc.glued(i) && doc.glued(i + 1) ? i + 1 : i;
}

bool scale(const Document& doc, std::size_t i, Scale scale) {
  return doc.is(i, Class::thing) && doc.value(i) == static_cast<int>(scale) &&
         doc.word(i).back() != u's';
}

bool zero(const Document& doc, std::size_t i) {
  return word_is(doc, i, {u"oh", u"o", u"nought", u"zero", u"Oh"});
}

bool read_digit(const Document& doc, std::size_t i, Number& number) {
  number = {doc.value(i), i + 1};
  return doc.is(i, Class::cardinal) && number.value < 10;
}

// "eighty-four", "eighty", "twelve", "oh nine": the years of a century.
bool read_rest(const Document& doc, std::size_t i, Number& number) {
  if (zero(doc, i)) return read_digit(doc, after_hyphen(doc, i + 1), number);
  number = {doc.value(i), i + 1};
  if (!doc.is(i, Class::cardinal) || number.value < 10) return false;
  Number digit;
  if (number.value < 20 || !read_digit(doc, after_hyphen(doc, i + 1), digit)) return true;
  number = {number.value + digit.value, digit.last};
  return true;
}

// " and eight", " eight", " eighty-four" after "two thousand" or "eighteen hundred".
void add_rest(const Document& doc, Number& number) {
  const std::size_t i = after_hyphen(doc, number.last);
  const std::size_t next = doc.is(i, Function::and_) ? after_hyphen(doc, i + 1) : i;
  Number rest;
  if ((!read_rest(doc, next, rest) && !read_digit(doc, next, rest)) ||
      doc.is(rest.last, Class::thing))
    return;
  // "between two thousand and two thousand and five"
  if (after_hyphen(doc, rest.last) < doc.tokens.size() && next > i &&
      scale(doc, after_hyphen(doc, rest.last), Scale::thousand))
    return;
  number = {number.value + rest.value, rest.last};
}

constexpr int first_clock_free = 13;  // "ten fifteen" is a time of day, "ten sixty-six" a year

bool read_year(const Document& doc, std::size_t i, Number& number) {
  if (!doc.is(i, Class::cardinal) || doc.is(i - 1, Class::thing)) return false;
  const bool title = i > 0 && doc.at(i).capital && doc.word(i)[1] >= u'a';
  if (title && !doc.is(i - 1, Kind::dot)) return false;  // "Nineteen Eighty-Four"
  const int first = doc.value(i);
  const std::size_t next = after_hyphen(doc, i + 1);
  if (first <= 2 && scale(doc, next, Scale::thousand)) {
    number = {1000 * first, next + 1};
    add_rest(doc, number);
    return !doc.is(number.last, Class::thing);
  }
  if (first < 10 || first > 20) return false;
  if (scale(doc, next, Scale::hundred)) {
    number = {100 * first, next + 1};
    add_rest(doc, number);
    return !doc.is(number.last, Class::thing);
  }
  Number rest;
  if (!read_rest(doc, next, rest) || (first < first_clock_free && rest.value < 60)) return false;
  number = {100 * first + rest.value, rest.last};
  return true;
}

bool leads_to_year(const Document& doc, std::size_t i) {
  return doc.is(i, Class::month) || doc.is(i, Class::season) ||
         (doc.is(i, Kind::comma) &&  // "nineteen sixty, no, sixty-one"
          (doc.is_any(i - 1, {Function::in, Function::no}) ||
           word_is(doc, i - 1, {u"sorry", u"mean", u"wait", u"pardon", u"rather"}))) ||
         doc.is_any(i, {Function::in, Function::since, Function::from, Function::of, Function::to,
                        Function::until, Function::by, Function::before, Function::after,
                        Function::between, Function::and_, Function::around, Function::through});
}

// "oh-nine", "in ninety-five": the latest year of those digits that has begun.
bool read_short_year(const Document& doc, std::size_t i, double reference_ms, Number& number) {
  const bool spoken = zero(doc, i);
  if (!leads_to_year(doc, i - 1) || !read_rest(doc, i, number)) return false;
  if (!spoken && (number.value < 32 || number.value % 10 == 0 ||
                  (doc.is(i - 1, Function::and_) && doc.is(i - 2, Class::thing)) ||
                  doc.is(number.last, Class::thing) || doc.is(number.last, Class::unit) ||
                  (doc.is(number.last, Class::unknown) && doc.word(number.last).back() == u's')))
    return false;
  const std::int64_t year =
      std::isnan(reference_ms)
          ? 2030
          : civil_from_days(static_cast<std::int64_t>(std::floor(reference_ms / day_ms))).year;
  number.value += static_cast<int>((year - number.value) / 100 * 100);
  return true;
}

// "thirty-first", "ninth": a day of the month.
bool read_day(const Document& doc, std::size_t i, Number& number) {
  number = {doc.value(i), i + 1};
  if (doc.is(i, Class::ordinal)) return true;
  if (word_is(doc, i, {u"thirtieth", u"Thirtieth"})) {
    number.value = 30;
    return true;
  }
  const std::size_t next = after_hyphen(doc, i + 1);
  if (!doc.is(i, Class::cardinal) || (number.value != 20 && number.value != 30) ||
      !doc.is(next, Class::ordinal) || doc.value(next) > 9)
    return false;
  number = {number.value + doc.value(next), next + 1};
  return true;
}

bool joins_days(const Document& doc, std::size_t i) {
  return doc.dash(i) || doc.is(i, Kind::comma) ||
         doc.is_any(
             i, {Function::to, Function::and_, Function::or_, Function::until, Function::through});
}

std::size_t skip_day_of(const Document& doc, std::size_t i) {
  if (doc.is(i, Unit::day)) ++i;
  return doc.is(i, Function::of) ? i + 1 : i;
}

// Whether a month belongs to the day before `i`: "of May", "day of May", "to the tenth of May".
bool dates(const Document& doc, std::size_t first, std::size_t i) {
  if (doc.is(first - 1, Class::month) ||
      (doc.is(first - 1, Function::the) && doc.is(first - 2, Class::month)))
    return true;
  for (int days = 0; days < 4; ++days) {
    const std::size_t of = skip_day_of(doc, i);
    if (doc.is(of, Class::month)) return true;
    if (!joins_days(doc, i)) return false;
    const std::size_t next = doc.is(i + 1, Function::the) ? i + 2 : i + 1;
    Number other;
    if (!read_day(doc, next, other)) return false;
    i = other.last;
  }
  return false;
}

const char* suffix_of(int day) {
  return day / 10 == 1   ? "th"
         : day % 10 == 1 ? "st"
         : day % 10 == 2 ? "nd"
         : day % 10 == 3 ? "rd"
                         : "th";
}

}  // namespace

Wording with_digits(const Wording& wording, const std::vector<Token>& tokens, double reference_ms) {
  const Document doc{.text = wording.text, .tokens = tokens, .anchor = {}, .last = {}};
  Rewriting rewriting(wording);
  for (std::size_t i = 0; i < tokens.size();) {
    Number number;
    std::string digits;
    if (read_year(doc, i, number) || read_short_year(doc, i, reference_ms, number)) {
      digits = std::to_string(number.value);
    } else if (read_day(doc, i, number) && dates(doc, i, number.last)) {
      digits = std::to_string(number.value) + suffix_of(number.value);
      if (doc.is(number.last, Unit::day) && doc.is(number.last + 1, Function::of)) ++number.last;
    } else if (doc.is(i, Class::cardinal) &&
               (doc.is(i - 1, Unit::week) || doc.is(i + 1, Class::month))) {
      number = {doc.value(i), i + 1};
      digits = std::to_string(number.value);
    } else {
      ++i;
      continue;
    }
    rewriting.replace(tokens[i].begin, tokens[number.last - 1].end, digits);
    i = number.last;
  }
  return rewriting.finish();
}

}  // namespace asof::timetag
