// Deictic expressions, relative to the reference: "yesterday", "last week", "next Friday", "three
// years ago". Without a reference they are mentions without an interval. Weeks are ISO weeks,
// Monday to Sunday; "N years ago" has the granularity of its unit.
#include <cstdlib>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool fill_or_leave_open(const Document& doc, Unit unit, std::int64_t steps,
                        Expression& expression) {
  expression.relative = true;
  expression.anaphoric_shift =
      steps < 0 || doc.narrative();  // the reader's time is not part of the narrative
  expression.confidence = 0.9f;
  if (doc.has_reference()) return fill_shifted(doc.reference_day(), unit, steps, expression);
  expression.value = unresolved_value(unit);
  return true;
}

bool read_deictic_word(const Document& doc, std::size_t i, Expression& expression) {
  const auto word = static_cast<Deictic>(doc.value(i));
  // "Legends of Tomorrow", "USA Today": names.
  const bool as_of = (doc.question && !doc.at(i).capital) ||
                     ((word == Deictic::yesterday || word == Deictic::tomorrow) &&
                      doc.is(i - 1, Function::of) && doc.is(i - 2, Function::as));
  if (!as_of && (doc.is(i - 1, Function::of) || (doc.at(i).capital && doc.is(i - 1, Kind::word))))
    return false;
  expression.last = i + 1;
  // In a narrative "today" is the time of its readers.
  if (word == Deictic::now || (word == Deictic::today && doc.narrative())) {
    expression.value = "PRESENT_REF";
    expression.confidence = 0.5f;
    return true;
  }
  if (doc.narrative() && doc.anchor.known()) {  // in direct speech at an unknown time
    expression.value = unresolved_value(Unit::day);
    expression.confidence = 0.5f;
    return true;
  }
  return fill_or_leave_open(doc, Unit::day,
                            word == Deictic::yesterday  ? -1
                            : word == Deictic::tomorrow ? 1
                                                        : 0,
                            expression);
}

// "coming", and not "next"
bool coming(const Document& doc, std::size_t i) {
  return doc.word(i) == u"coming" || doc.word(i) == u"Coming";
}

bool read_shifted(const Document& doc, std::size_t i, Expression& expression) {
  const int direction = doc.is(i, Class::shift)          ? doc.value(i) - 1
                        : doc.is(i, Function::following) ? 1
                                                         : -1;
  const std::size_t j = i + 1;
  expression.last = j + 1;
  if (doc.is(j, Class::unit)) {
    const auto unit = static_cast<Unit>(doc.value(j));
    const char16_t last_letter = doc.word(j).back();
    if (unit < Unit::day || unit == Unit::season || unit == Unit::millennium ||
        (last_letter == u's' || last_letter == u'S'))
      return false;
    if (doc.mode == Mode::news && doc.at(j).capital && !doc.is(i - 1, Kind::end))
      return false;  // "This Week With Hale"
    if (unit == Unit::day || (unit == Unit::half) ||
        (unit == Unit::quarter && doc.is(j + 1, Function::of)))
      return false;
    if (doc.narrative() && doc.anchor.known())
      return fill_from_anchor(doc, unit, direction, expression);
    return fill_or_leave_open(doc, unit, direction, expression);
  }
  if (doc.is(j, Class::weekday) && doc.at(j).capital) {
    expression.relative = true;
    expression.anaphoric_shift = direction < 0;
    expression.value = std::string("XXXX-WXX-") + static_cast<char>('1' + doc.value(j));
    if (!doc.has_reference()) return true;
    const std::int64_t today = doc.reference_day();
    const int ahead = (doc.value(j) - weekday_from_days(today) + 7) % 7;
    // "next Wednesday" said on a Tuesday is not tomorrow; "this coming Wednesday" is.
    const int nearest = coming(doc, i) ? 1 : 2;
    std::int64_t day = direction > 0   ? today + (ahead < nearest ? ahead + 7 : ahead)
                       : direction < 0 ? today + ahead - 7
                                       : today - weekday_from_days(today) + doc.value(j);
    // "I'll be there this Thursday", said on a Sunday, is none of the week that ends.
    if (direction == 0 && day < today && doc.mode == Mode::news &&
        direction_at(doc, i, j + 1) == Direction::ahead)
      day += 7;
    fill_days(expression, day, day + 1, Granularity::day);
    expression.value = day_text(day);
    return true;
  }
  if ((doc.is(j, Class::month) && doc.at(j).capital) || doc.is(j, Class::season)) {
    Expression dated;
    if (doc.is(j, Class::month) && read_month_first(doc, j, dated) &&
        (!dated.underspecified || dated.day > 0))
      return false;  // "last May 6"
    expression.relative = true;
    expression.anaphoric_shift = direction < 0;
    const bool season = doc.is(j, Class::season);
    expression.value = season ? "XXXX" : "XXXX-XX";
    if (!doc.has_reference()) return true;
    const std::int64_t year = civil_from_days(doc.reference_day()).year;
    // The nearest whole one that ended before, or begins after, the reference; "this" is the one of
    // this year.
    for (std::int64_t candidate = direction < 0   ? year
                                  : direction > 0 ? year - 1
                                                  : year;
         ; candidate += direction) {
      season ? fill_season(expression, candidate, doc.value(j))
             : fill_month(expression, candidate, doc.value(j));
      if (direction == 0 || (direction < 0 ? expression.end_ms <= doc.reference_ms
                                           : expression.start_ms > doc.reference_ms))
        return true;
    }
  }
  return false;
}

constexpr double longest_count = 9'999;  // more years ago are no year of the calendar

// "three years ago", "a week ago", "two and a half years ago", "60,000 years ago", "two years
// back,"; "10 days earlier" is not one: it counts from something else.
bool read_ago(const Document& doc, std::size_t i, Expression& expression) {
  Count count;
  if (doc.is(i, Class::vague) || !read_count(doc, i, count) || count.vague) return false;
  std::size_t at = count.last;
  const bool weeks = fortnight(doc, at);
  const std::size_t noun = at;
  std::size_t half = 0;
  if (and_a_half(doc, at, count, half)) count.value += 0.5, at = half - 1;
  if (!(weeks || doc.is(noun, Class::unit)) ||
      !(doc.is(at + 1, Function::ago) || ago_by_back(doc, at + 1)))
    return false;
  if (weeks) count.value *= 2;
  const auto unit = weeks ? Unit::week : static_cast<Unit>(doc.value(noun));
  if (unit < Unit::day || unit == Unit::season || unit == Unit::half || unit == Unit::millennium)
    return false;
  expression.first = with_modifiers(doc, i);
  if (doc.is(expression.first, Function::over))
    ++expression.first;  // "who took over two years ago"
  expression.last = at + 2;
  const bool whole = count.value == std::floor(count.value);
  if (doc.question && unit >= Unit::decade)  // "a decade ago": that year
    return fill_or_leave_open(
        doc, Unit::year,
        -static_cast<std::int64_t>(count.value * (unit == Unit::decade ? 10 : 100)), expression);
  if (count.value > longest_count) {
    expression.value = "PAST_REF";
    expression.confidence = 0.5f;
    return unit == Unit::year;
  }
  if (!whole && unit == Unit::year)
    return fill_or_leave_open(doc, Unit::month, -static_cast<std::int64_t>(count.value * 12),
                              expression);
  return whole &&
         fill_or_leave_open(doc, unit, -static_cast<std::int64_t>(count.value), expression);
}

bool is_previous(const Document& doc, std::size_t i) {
  return doc.word(i) == u"previous" || doc.word(i) == u"Previous";
}

}  // namespace

void add_months(std::int64_t& year, int& month, std::int64_t months) {
  const std::int64_t index = year * 12 + (month - 1) + months;
  year = index >= 0 ? index / 12 : (index - 11) / 12;
  month = static_cast<int>(index - year * 12) + 1;
}

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

bool read_deictic(const Document& doc, std::size_t i, Expression& expression) {
  expression.first = i;
  if (doc.is(i, Class::deictic)) return read_deictic_word(doc, i, expression);
  const bool shift = doc.is(i, Class::shift);
  if (is_length_of_interval(doc, i)) return false;
  if (!shift && !doc.is_any(i, {Function::following, Function::preceding}))
    return read_ago(doc, i, expression);
  if (!doc.is(i - 1, Function::the)) return shift && read_shifted(doc, i, expression);
  // "the last year of the war", "the last winter Olympics": an order, not a date.
  if (shift && doc.value(i) == 0 && !is_previous(doc, i)) return false;
  // "the current quarter", in news: the reference's.
  if (shift && doc.mode == Mode::news &&
      (doc.question || doc.word(i) == u"current" || doc.word(i) == u"coming"))
    return read_shifted(doc, i, expression);
  Unit unit{};
  bool plural = false;
  if (read_unit(doc, i + 1, false, unit, plural) && !plural && unit >= Unit::day &&
      unit != Unit::season && unit != Unit::half &&
      !(unit == Unit::quarter && doc.is(i + 2, Function::of))) {
    expression.last = i + 2;
    return fill_from_anchor(doc, unit,
                            doc.is(i, Function::following) || (shift && doc.value(i) == 2) ? 1
                            : doc.is(i, Function::preceding) || is_previous(doc, i)        ? -1
                                                                                           : 0,
                            expression);
  }
  // "the following month", "the next day": counted from the last date mentioned, not from the
  // reference.
  Document anaphoric = doc;
  anaphoric.reference_ms = doc.anchor.start_ms;
  return read_shifted(anaphoric, i, expression);
}

}  // namespace asof::timetag
