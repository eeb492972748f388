// Units counted from the temporal anchor of the text: their interval, or an underspecified value
// with an X if the anchor is unknown or too coarse.
#include <cstdlib>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

// The value of a unit `steps` away from a date that is too coarse: only the year is known.
std::string coarse_value(const Anchor& anchor, Unit unit) {
  const std::int64_t year = civil_from_days(day_of(anchor.start_ms)).year;
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

// "two hours later" after "at 10:30 p.m.": a time of day again, of the next day where it passes
// midnight.
bool fill_time_from_anchor(const Document& doc, Unit unit, std::int64_t steps,
                           Expression& expression) {
  // In news a bare "10 p.m." moves no day, but hours are counted from it.
  const bool from_mention =
      doc.mode == Mode::news && doc.last.known() && doc.last.granularity <= Granularity::hour;
  const Anchor& anchor = from_mention ? doc.last : doc.anchor;
  if ((unit != Unit::hour && unit != Unit::minute) || anchor.granularity > Granularity::hour ||
      std::llabs(steps) > 100'000)
    return false;
  const double minute_ms = 60'000;
  const double start =
      anchor.start_ms + static_cast<double>(steps) * (unit == Unit::hour ? 60 : 1) * minute_ms;
  const std::int64_t day = day_of(start);
  const int minutes = static_cast<int>((start - static_cast<double>(day) * day_ms) / minute_ms);
  const auto two = [](int value) {
    return std::string{static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
  };
  expression.start_ms = start;
  expression.end_ms = start + (anchor.end_ms - anchor.start_ms);
  expression.granularity = anchor.granularity;
  expression.type = TimexType::time;
  expression.value = day_text(day) + 'T' + two(minutes / 60) + ':' + two(minutes % 60);
  return true;
}

}  // namespace

bool fill_from_anchor(const Document& doc, Unit unit, std::int64_t steps, Expression& expression) {
  expression.relative = true;
  expression.anaphoric_shift = steps < 0;
  expression.confidence = 0.85f;
  const Anchor anchor = doc.mode == Mode::news ? anchor_in_news(doc, unit) : doc.anchor_or_last();
  if (!anchor.known()) {
    expression.value = unresolved_value(unit);
    return true;
  }
  const std::int64_t day = day_of(anchor.start_ms);
  if (unit < Unit::day) {
    if (fill_time_from_anchor(doc, unit, steps, expression)) return true;
    fill_near_anchor(doc, unit, expression);
    return true;
  }
  if (anchor.granularity <= granularity_of(unit)) return fill_shifted(day, unit, steps, expression);
  // "that day" in a month: the month is known.
  const bool within = steps == 0 && unit == Unit::day && anchor.granularity <= Granularity::month;
  const Civil civil = civil_from_days(day);
  expression.value = within ? day_text(day).substr(0, year_text(civil.year).size() + 4) + "XX"
                            : coarse_value(anchor, unit);
  return true;
}

void fill_near_anchor(const Document& doc, Unit unit, Expression& expression) {
  expression.confidence = 0.5f;
  const bool day_known = doc.anchor.known() && doc.anchor.granularity <= Granularity::day;
  if (unit < Unit::day)
    expression.value = (day_known ? day_text(day_of(doc.anchor.start_ms)) : "XXXX-XX-XX") + "TXX";
  else
    expression.value = doc.anchor.known() && unit != Unit::day && unit < Unit::month
                           ? coarse_value(doc.anchor, unit)
                           : unresolved_value(unit);
}

}  // namespace asof::timetag
