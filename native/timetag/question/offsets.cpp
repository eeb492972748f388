// Times counted from the day of asking or from a date: "the past three months", "the Tuesday before
// last", "the week just gone", "three weeks ago today", "two years before 2010", "the six months to
// 30 June 2013", "the fortnight beginning 9 August".
#include <cmath>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr double longest_count = 9'999;

std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

// A count of a unit: "fortnight" is two weeks, "quarter" three months.
struct Length {
  Unit unit = Unit::day;
  std::int64_t steps = 1;
  bool counted = false;
  std::size_t last = 0;  // the token after it
  bool in_months() const { return unit >= Unit::month; }
};

// "half a century", "a quarter of a century", "half a year"
bool read_part(const Document& doc, std::size_t i, Length& length) {
  if (doc.is(i, Function::a)) ++i;
  const bool half = doc.is(i, Unit::half), quarter = doc.is(i, Unit::quarter);
  const std::size_t at = doc.is(i + 1, Function::of) ? i + 2 : i + 1;
  bool plural = false;
  if ((!half && !(quarter && at == i + 2)) || !doc.is(at, Function::a) ||
      !read_unit(doc, at + 1, false, length.unit, plural) || plural || length.unit < Unit::year ||
      length.unit > Unit::century)
    return false;
  const std::int64_t whole = length.unit == Unit::year     ? 12
                             : length.unit == Unit::decade ? 120
                                                           : 1200;
  const std::int64_t months = whole / (half ? 2 : 4);
  length.unit = months % 12 == 0 ? Unit::year : Unit::month;
  length.steps = months % 12 == 0 ? months / 12 : months;
  length.counted = true;
  length.last = at + 2;
  return true;
}

bool read_length(const Document& doc, std::size_t i, Length& length) {
  if (read_part(doc, i, length)) return true;
  Count count;
  bool plural = false;
  if (doc.is(i, Class::thing)) return false;  // within another count: "a dozen years"
  length.counted = read_count(doc, i, count);
  if (length.counted &&
      (count.vague || count.value != std::floor(count.value) || count.value > longest_count))
    return false;
  const std::size_t at = length.counted ? count.last : i;
  if (length.counted) length.steps = static_cast<std::int64_t>(count.value);
  length.last = at + 1;
  if (fortnight(doc, at)) {
    length.unit = Unit::week;
    length.steps *= 2;
    return true;
  }
  if (!read_unit(doc, at, false, length.unit, plural) || (plural && !length.counted)) return false;
  return length.unit != Unit::weekend && length.unit != Unit::half && length.unit != Unit::season &&
         length.unit != Unit::millennium;
}

// A day moved by a length, back if `steps` is negative.
std::int64_t moved(std::int64_t day, Unit unit, std::int64_t steps) {
  if (unit <= Unit::week) return day + steps * (unit == Unit::week ? 7 : 1);
  const std::int64_t months = steps * (unit == Unit::month     ? 1
                                       : unit == Unit::quarter ? 3
                                       : unit == Unit::year    ? 12
                                       : unit == Unit::decade  ? 120
                                                               : 1200);
  Civil civil = civil_from_days(day);
  add_months(civil.year, civil.month, months);
  return days_from_civil(civil.year, civil.month,
                         std::min(civil.day, days_in_month(civil.year, civil.month)));
}

struct Days {
  std::int64_t from, end;
};

void fill_span(Expression& expression, std::size_t first, std::size_t last, Days days,
               Granularity granularity) {
  expression.first = first;
  expression.last = last;
  expression.relative = true;
  fill_days(expression, days.from, days.end, granularity);
  expression.year = civil_from_days(days.from).year;
  const std::size_t year = year_text(expression.year).size();
  expression.value = day_text(days.from).substr(0, granularity >= Granularity::year    ? year
                                                   : granularity >= Granularity::month ? year + 3
                                                                                       : year + 6);
}

// The granularity of an interval that is as long as the unit.
Granularity granularity_of(Unit unit) {
  constexpr Granularity all[] = {Granularity::day,    Granularity::day,     Granularity::day,
                                 Granularity::day,    Granularity::week,    Granularity::week,
                                 Granularity::month,  Granularity::quarter, Granularity::half,
                                 Granularity::season, Granularity::year,    Granularity::decade,
                                 Granularity::century};
  return all[static_cast<std::size_t>(unit)];
}

// "the past three months", "last ten days", "over the next two weeks", "in the past year": up to
// the day of asking, or after it. "Last year" is a calendar year, and so is "the last calendar
// year".
bool read_stretch(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Class::shift)) return false;
  const bool the = doc.is(i - 1, Function::the);
  const std::size_t first = the ? i - 1 : i;
  const bool back = doc.value(i) == 0;
  Length length;
  if (word_is(doc, i + 1, {u"calendar"})) {
    if (!read_length(doc, i + 2, length) || length.counted ||
        !fill_shifted(doc.reference_day(), length.unit, doc.value(i) - 1, expression))
      return false;
    expression.first = first;
    expression.last = length.last;
    expression.relative = true;
    return true;
  }
  if (doc.value(i) == 1 || !read_length(doc, i + 1, length) || doc.is(length.last, Function::of) ||
      doc.is(length.last, Kind::number))
    return false;
  if (!the && i > 0 && !word_is(doc, i, {u"past"}) && !doc.is(i - 1, Function::in) &&
      !doc.is(i - 1, Function::over))
    return false;  // "does the tour last four hours"
  const bool led =
      the && doc.is_any(i - 2, {Function::in, Function::over, Function::during, Function::within,
                                Function::for_, Function::throughout});
  if (!length.counted && !fortnight(doc, i + 1) && !led) return false;
  const std::int64_t today = doc.reference_day(), tomorrow = today + 1;
  const std::string value = duration_text(std::to_string(length.steps), length.unit);
  std::int64_t far = 0;
  if (length.unit < Unit::day) {
    const double ms = length.unit == Unit::hour ? 3'600'000 : 60'000;
    far = day_of(doc.reference_ms + static_cast<double>(back ? -length.steps : length.steps) * ms);
    fill_span(expression, first, length.last, {std::min(far, today), std::max(far, today) + 1},
              Granularity::day);
    expression.value = value;
    return true;
  }
  far = moved(tomorrow, length.unit, back ? -length.steps : length.steps);
  fill_span(expression, first, length.last, {std::min(far, tomorrow), std::max(far, tomorrow)},
            granularity_of(length.unit));
  expression.value = value;
  return true;
}

// "the Tuesday before last", "the summer before last", "the week just gone", "the present month"
bool read_beyond(const Document& doc, std::size_t i, Expression& expression) {
  const std::int64_t today = doc.reference_day();
  const bool beyond = doc.is(i + 1, Function::before) && doc.is(i + 2, Class::shift) &&
                      doc.value(i + 2) == 0 && !doc.is(i + 3, Class::unit);
  const bool gone = word_is(doc, i + 1, {u"just"}) &&
                    word_is(doc, i + 2, {u"gone", u"ended", u"past", u"passed", u"finished"});
  const bool present = doc.is(i, Function::present) && doc.is(i + 1, Class::unit);
  Unit unit{};
  bool plural = false;
  if (present) {
    if (!read_unit(doc, i + 1, false, unit, plural) || plural ||
        !fill_shifted(today, unit, 0, expression))
      return false;
  } else if (!beyond && !gone) {
    return false;
  } else if (doc.is(i, Class::weekday)) {
    const int ahead = (doc.value(i) - weekday_from_days(today) + 7) % 7;
    const std::int64_t day = today + ahead - (beyond ? 14 : 7);
    fill_days(expression, day, day + 1, Granularity::day);
    expression.value = day_text(day);
  } else if (doc.is(i, Class::season)) {
    std::int64_t year = civil_from_days(today).year - (beyond ? 1 : 0);
    fill_season(expression, year, doc.value(i));
    if (expression.end_ms > doc.reference_ms - (beyond ? 365 * day_ms : 0))
      fill_season(expression, year - 1, doc.value(i));
  } else if (beyond && doc.is(i, Class::daypart)) {
    fill_shifted(today, Unit::day, -2, expression);
  } else if (!read_unit(doc, i, false, unit, plural) || plural ||
             !fill_shifted(today, unit, beyond ? -2 : -1, expression)) {
    return false;
  }
  expression.first = doc.is(i - 1, Function::the) ? i - 1 : i;
  expression.last = present ? i + 2 : i + 3;
  expression.relative = true;
  return true;
}

// A date on the calendar that does not itself need this file's rules.
bool read_base(const Document& doc, std::size_t i, Expression& date) {
  Document inner = doc;
  inner.nested = true;
  if (doc.is(i, Function::the)) ++i;
  if (!read_expression(inner, i, date)) return false;
  extend_by_shifted_year(inner, date);
  if (date.underspecified) resolve_in_news(inner, date);
  apply_time_of_day(date);
  return !std::isnan(date.start_ms);
}

// "before", "prior to", "ahead of", "earlier than", "back from", "after", "later than", "to the day
// before": sets the token after it.
int read_side(const Document& doc, std::size_t i, bool back, std::size_t& next) {
  if (doc.is(i, Function::to) && doc.is(i + 1, Function::the) && doc.is(i + 2, Unit::day)) i += 3;
  next = i + 1;
  if (back && doc.is(i, Function::from)) return -1;
  if (doc.is_any(i, {Function::before, Function::preceding})) return -1;
  if (doc.is_any(i, {Function::after, Function::following})) return 1;
  next = i + 2;
  if (((doc.is(i, Function::prior) || word_is(doc, i, {u"previous"})) &&
       doc.is(i + 1, Function::to)) ||
      (doc.is(i, Function::back) && doc.is(i + 1, Function::from)) ||
      (doc.is(i, Function::ahead) && doc.is(i + 1, Function::of)) ||
      (doc.is(i, Function::earlier) && doc.is(i + 1, Function::than)))
    return -1;
  return doc.is(i, Function::later) && doc.is(i + 1, Function::than) ? 1 : 0;
}

// Words that make a count before a date a length or a limit: "within two years after 1969".
bool limits(const Document& doc, std::size_t i) {
  if (word_is(doc, i, {u"exactly", u"precisely", u"just"})) return false;
  const bool shifted = doc.is(i, Class::shift) && doc.value(i) != 1;  // not "was current"
  return shifted || doc.is(i, Class::ordinal) || doc.is(i, Class::quantifier) ||
         doc.is_any(i, {Function::within, Function::in, Function::for_, Function::over,
                        Function::during, Function::the, Function::to, Function::or_,
                        Function::than, Function::least, Function::around, Function::of});
}

// "two years before 2010", "three weeks after 1 May", "the year after 2003", "a year ago today",
// "the eve of 22 December"
bool read_shift(const Document& doc, std::size_t i, Expression& expression) {
  Length length;
  std::size_t next = 0;
  int side = 0;
  const bool eve = doc.is(i, Function::eve) && doc.is(i + 1, Function::of);
  if (eve) {
    side = -1;
    next = i + 2;
  } else {
    if (!read_length(doc, i, length) || length.unit < Unit::day) return false;
    if (length.counted ? limits(doc, i - 1) : !doc.is(i - 1, Function::the)) return false;
    side = doc.is(length.last, Function::ago)
               ? -1
               : read_side(doc, length.last, doc.is(i - 1, Function::back), next);
    if (side == 0) return false;
    if (doc.is(length.last, Function::ago)) {
      next = length.last + 1;
      if (!doc.is(next, Class::deictic) || doc.value(next) != static_cast<int>(Deictic::today))
        return false;
    }
  }
  Expression date;
  if (!read_base(doc, next, date)) return false;
  const bool day = date.granularity <= Granularity::day;
  const bool same = granularity_of(length.unit) == date.granularity || (day && eve);
  if (length.counted
          ? !(day || (length.in_months() && granularity_of(length.unit) >= date.granularity))
          : !same)
    return false;
  const std::int64_t steps = side * length.steps;
  const std::int64_t from = moved(day_of(date.start_ms), length.unit, steps);
  const std::int64_t end = day ? from + 1 : moved(day_of(date.end_ms - 1) + 1, length.unit, steps);
  fill_span(expression, doc.is(i - 1, Function::the) ? i - 1 : i, date.last, {from, end},
            date.granularity);
  return true;
}

// "the fortnight beginning 9 August", "the twelve months ending 30 November 2015", "the six months
// to 30 June 2013", "FY ending 30 June 2018"
bool read_period(const Document& doc, std::size_t i, Expression& expression) {
  Length length;
  const bool fiscal = doc.is(i, Function::fiscal);
  if (fiscal) {
    length.unit = Unit::year;
    length.last = doc.is(i + 1, Unit::year) ? i + 2 : i + 1;
  } else if (word_is(doc, i, {u"w", u"W"}) && doc.is(i + 1, Kind::slash) &&
             doc.is(i + 2, Function::circa_letter)) {
    length.unit = Unit::week;  // "w/c 8 May"
    length.last = i + 2;
  } else if (!read_length(doc, i, length) || length.unit < Unit::day) {
    return false;
  }
  const std::size_t verb = length.last;
  const bool begins = doc.is_any(verb, {Function::starting, Function::circa_letter}) ||
                      word_is(doc, verb, {u"beginning"});
  const bool to = doc.is(verb, Function::to) && doc.is(i - 1, Function::the);
  const bool ends = to || word_is(doc, verb, {u"ending", u"ended"});
  if (!begins && !ends) return false;
  Expression date;
  if (!read_base(doc, doc.is(verb + 1, Function::on) ? verb + 2 : verb + 1, date) ||
      date.granularity > (to && !length.counted ? Granularity::day : Granularity::month))
    return false;
  const std::int64_t from = day_of(date.start_ms), end = day_of(date.end_ms - 1) + 1;
  fill_span(expression, i, date.last,
            begins ? Days{from, moved(from, length.unit, length.steps)}
                   : Days{moved(end, length.unit, -length.steps), end},
            granularity_of(length.unit));
  expression.relative = false;
  return true;
}

}  // namespace

bool read_offset(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.nested || !doc.has_reference()) return false;
  return read_stretch(doc, i, expression) || read_beyond(doc, i, expression) ||
         read_shift(doc, i, expression) || read_period(doc, i, expression);
}

}  // namespace asof::timetag
