// Parts of the day: "Tuesday morning", "the night of April 18, 1775", "this afternoon", "last
// night", "at dawn". The TIMEX3 value names the part; the interval is the whole day
// (TIME_CONVENTIONS: the time of day is dropped).
#include <cstdlib>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr double hour_ms = 3'600'000.0;

std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

bool is_word(const Document& doc, std::size_t i, std::u16string_view lower) {
  if (!doc.is(i, Kind::word) || doc.word(i).size() != lower.size()) return false;
  const std::u16string_view word = doc.word(i);
  return (word[0] | 32) == lower[0] && word.substr(1) == lower.substr(1);
}

bool day_told(const Document& doc) {
  return doc.anchor.known() && doc.anchor.granularity <= Granularity::day;
}

bool plural(const Document& doc, std::size_t i) {
  return doc.word(i).back() == u's';
}

// American summer time since 2007: from the second Sunday of March to the first of November.
bool summer_time(std::int64_t day) {
  const std::int64_t year = civil_from_days(day).year;
  const std::int64_t march = days_from_civil(year, 3, 8), november = days_from_civil(year, 11, 1);
  return day >= march + 6 - weekday_from_days(march) &&
         day < november + 6 - weekday_from_days(november);
}

double zone_ms(int zone, std::int64_t day) {
  if (zone < 0) return 0;
  const bool may_save = zone >= daylight;
  const double offset = (zone - (may_save ? daylight : 0) - 24) * hour_ms / 2;
  return may_save && summer_time(day) ? offset + hour_ms : offset;
}

// "dawn", "nightfall": a turn of the day, where "night" may be any.
bool names_moment(const Document& doc, std::size_t i) {
  return !is_word(doc, i, u"night") && !is_word(doc, i, u"daytime") &&
         static_cast<Daypart>(doc.value(i)) < Daypart::noon;
}

bool quoted_between(const Document& doc, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (doc.is(i, Kind::symbol) &&
        (doc.word(i) == u"\"" || doc.word(i) == u"“" || doc.word(i) == u"”"))
      return true;
  }
  return false;
}

bool fill_part(const Document& doc, std::size_t part, std::int64_t day, Expression& expression) {
  const Civil civil = civil_from_days(day);
  fill_day(expression, civil.year, civil.month, civil.day);
  expression.relative = true;
  expression.confidence = 0.8f;
  read_part_of_day(doc, part, expression.time_of_day);
  apply_time_of_day(expression);
  return true;
}

// "at dawn" of "at dawn on 7 February": its value has the day, its interval is that of the date
// after it.
bool fill_before_date(const Document& doc, std::size_t part, std::int64_t day,
                      Expression& expression) {
  fill_part(doc, part, day, expression);
  expression.start_ms = expression.end_ms = no_time;
  return true;
}

// "the morning of 19 April", "the evening of the 20th"
bool read_part_of(const Document& doc, std::size_t i, Expression& expression) {
  if (plural(doc, i) || !doc.is(i + 1, Function::of)) return false;
  std::size_t date = i + 2;
  if (doc.is(date, Function::the)) ++date;
  // a row of nights must not nest
  if (doc.is(date, Class::daypart) || !read_expression(doc, date, expression) ||
      !names_day(expression) || expression.type != TimexType::date || expression.range)
    return false;
  read_part_of_day(doc, i, expression.time_of_day);
  expression.first = doc.is(i - 1, Class::part) ? i - 1 : i;
  return true;
}

// "the early hours of Thursday", "the early morning hours of 6 April"
bool read_early_hours(const Document& doc, std::size_t i, Expression& expression) {
  const std::size_t hours =
      doc.is(i + 1, Class::daypart) && static_cast<Daypart>(doc.value(i + 1)) == Daypart::morning
          ? i + 2
          : i + 1;
  if (doc.value(i) != static_cast<int>(Part::early) || !is_word(doc, hours, u"hours") ||
      !doc.is(hours + 1, Function::of))
    return false;
  const std::size_t date = doc.is(hours + 2, Function::the) ? hours + 3 : hours + 2;
  if (!(doc.is(date, Class::weekday) || doc.is(date, Kind::number) || doc.is(date, Class::month)) ||
      !read_expression(doc, date, expression) || !names_day(expression) ||
      expression.type != TimexType::date || expression.range)
    return false;
  expression.time_of_day = TimeOfDay();
  expression.time_of_day.value = "TMO";
  expression.first = i;
  if (!expression.underspecified) apply_time_of_day(expression);
  return true;
}

// "before dawn", "by evening", "until daybreak on Friday" in a report: of the day named after it,
// else of the current one.
bool read_moment(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.mode != Mode::news || !doc.has_reference() || !names_moment(doc, i)) return false;
  if (!doc.is_any(i - 1, {Function::at, Function::by, Function::until, Function::before,
                          Function::after, Function::since}))
    return false;
  if (doc.is(i + 1, Kind::hyphen) && doc.glued(i + 1)) return false;
  const std::size_t date = doc.is(i + 1, Function::on) ? i + 2 : i + 1;
  if (doc.is(date, Class::weekday) && read_weekday(doc, date, expression) &&
      !expression.underspecified && names_day(expression)) {
    read_part_of_day(doc, i, expression.time_of_day);
    expression.first = i;
    apply_time_of_day(expression);
    return true;
  }
  const bool alone = has_no_head_noun(doc, date) || doc.at(date).lexeme.verb != Verb::none;
  if (date != i + 1 || !alone || doc.is(i - 1, Function::at))
    return false;  // "at dawn on 7 February", "before dawn raids"
  std::int64_t day = 0;
  expression = Expression();
  if (!anchor_day(doc, i, day)) return false;
  if (is_word(doc, i, u"morning") && direction_at(doc, i, i + 1) == Direction::ahead) ++day;
  expression.first = i;
  expression.last = i + 1;
  return fill_part(doc, i, day, expression);
}

// "this morning", "last night", "the next evening"
bool read_shifted_part(const Document& doc, std::size_t i, Expression& expression) {
  const std::size_t part = doc.is(i + 1, Class::part) ? i + 2 : i + 1;
  if (!doc.is(part, Class::daypart) || plural(doc, part) || doc.at(part).capital ||
      static_cast<Daypart>(doc.value(part)) > Daypart::night)
    return false;
  const bool the = doc.is(i - 1, Function::the);
  const int direction = doc.is(i, Class::shift)          ? doc.value(i) - 1
                        : doc.is(i, Function::following) ? 1
                                                         : -1;
  std::int64_t day = 0;
  // "last night" is the reference's, "the next morning" the story's.
  const bool anchor = the || doc.mode == Mode::narrative;
  if (anchor && day_told(doc))
    day = day_of(doc.anchor.end_ms - 1);
  else if (doc.has_reference() && doc.mode == Mode::news)
    day = doc.reference_day();
  else
    return false;
  fill_part(doc, part, day + direction, expression);
  expression.last = part + 1;
  return true;
}

}  // namespace

bool names_day(const Expression& expression) {
  const std::string& value = expression.value;
  return expression.granularity == Granularity::day && !expression.range && value.size() >= 10 &&
         value[value.size() - 3] != 'W' &&
         (value[value.size() - 3] == '-' || value[value.size() - 2] == '-');
}

bool anchor_day(const Document& doc, std::size_t i, std::int64_t& day) {
  const bool carried = day_told(doc);
  if (carried) day = day_of(doc.anchor.end_ms - 1);
  if (doc.mode == Mode::narrative && carried) return true;
  if (!doc.has_reference()) return carried;
  // A report is about its own day: another day holds for a sentence or two, and a distant one until
  // a quotation.
  const bool near = carried && std::llabs(day - doc.reference_day()) <= 7;
  if (carried && i - doc.anchor.at <= 30 &&
      (near || (day < doc.reference_day() && !quoted_between(doc, doc.anchor.at, i))))
    return true;
  if (doc.mode == Mode::narrative) return false;
  day = doc.reference_day();
  return true;
}

bool read_part_of_day(const Document& doc, std::size_t i, TimeOfDay& time) {
  if (!doc.is(i, Class::daypart)) return false;
  constexpr const char* values[] = {"TMO", "TMI", "TAF", "TEV", "TNI", "TDT", "T12:00", "T24:00"};
  time = TimeOfDay();
  time.value = values[doc.value(i)];
  const auto part = static_cast<Daypart>(doc.value(i));
  if (part == Daypart::noon || part == Daypart::midnight) {
    time.start_ms = part == Daypart::noon ? 12 * hour_ms : 24 * hour_ms;
    time.length_ms = 60'000;
  }
  return true;
}

void apply_time_of_day(Expression& expression) {
  if (expression.time_of_day.value.empty()) return;
  const TimeOfDay time = std::move(expression.time_of_day);
  expression.time_of_day = TimeOfDay();
  const std::string date = expression.value;
  expression.value += time.value;
  expression.type = TimexType::time;
  if (std::isfinite(expression.start_ms) && std::isfinite(time.start_ms)) {
    expression.start_ms += time.start_ms - zone_ms(time.zone, day_of(expression.start_ms));
    expression.end_ms = expression.start_ms + time.length_ms;
  }
  if (std::isfinite(time.start_ms)) expression.granularity = time.granularity;
  if (time.span.last == time.span.first) return;
  const bool before = time.span.first < time.date.first;
  expression.spans = {before ? time.span : time.date, before ? time.date : time.span};
  expression.value = before ? expression.value + '/' + date : date + '/' + expression.value;
}

bool read_daypart(const Document& doc, std::size_t i, Expression& expression) {
  expression.first = i;
  if (doc.is(i, Class::part)) return read_early_hours(doc, i, expression);
  if (doc.is(i, Class::deictic)) {  // "tonight"
    if (static_cast<Deictic>(doc.value(i)) != Deictic::tonight || !doc.has_reference())
      return false;
    fill_part(doc, i, doc.reference_day(), expression);
    expression.time_of_day.value = "TNI";
    apply_time_of_day(expression);
    expression.last = i + 1;
    return true;
  }
  if (doc.is(i, Class::shift) || doc.is_any(i, {Function::following, Function::preceding}))
    return read_shifted_part(doc, i, expression);
  if (!doc.is(i, Class::daypart) || static_cast<Daypart>(doc.value(i)) >= Daypart::noon)
    return false;
  if (read_part_of(doc, i, expression)) return true;
  if (!plural(doc, i) && !doc.at(i).capital && read_moment(doc, i, expression)) return true;
  if (plural(doc, i) || doc.at(i).capital) return false;
  expression = Expression();
  expression.first = i;
  expression.last = i + 1;
  std::int64_t day = 0;
  if (is_word(doc, i, u"overnight")) {  // the night before, unless the sentence points ahead
    const bool ahead = direction_at(doc, i, i + 1) == Direction::ahead;
    return doc.mode == Mode::news && doc.has_reference() &&
           fill_part(doc, i, doc.reference_day() - (ahead ? 0 : 1), expression);
  }
  const std::size_t before = doc.is(i - 1, Class::part) ? i - 2 : i - 1;
  if (is_word(doc, before, u"that")) {
    expression.first = before;
    return anchor_day(doc, i, day) && fill_part(doc, i, day, expression);
  }
  const bool the = doc.is(before, Function::the) &&
                   doc.is_any(before - 1, {Function::in, Function::during, Function::by});
  const bool hyphen = doc.is(i + 1, Kind::hyphen) && doc.glued(i + 1);
  const bool at = before == i - 1 &&
                  doc.is_any(i - 1, {Function::at, Function::by, Function::until}) && !hyphen;
  if (the && !doc.is(i + 1, Function::of)) {
    if (before != i - 1) expression.first = i - 1;
    return anchor_day(doc, i, day) && fill_part(doc, i, day, expression);
  }
  // "night attacks", "in daytime": any night or day, as annotated in narratives.
  const bool bare = is_word(doc, i, u"night") || is_word(doc, i, u"daytime");
  const bool free =
      before == i - 1 && !doc.is_any(before, {Function::the, Function::a, Function::of}) &&
      !doc.is(before, Class::cardinal) && !doc.is(before, Class::recurring) &&
      !doc.is(before, Class::shift) && !doc.is(before, Class::ordinal) &&
      !doc.is(before, Kind::hyphen) && !has_determiner(doc, i) && !doc.is(before, Class::weekday);
  if (!(at || (bare && free)) || !doc.tags_generic()) return false;
  if (at && names_moment(doc, i)) {
    // "at dawn on 7 February"; "by nightfall" is the story's day.
    const std::size_t on = doc.is_any(i + 1, {Function::on, Function::of}) ? i + 2 : i + 1;
    const std::size_t date = doc.is(on, Function::the) ? on + 1 : on;
    Expression other;
    const bool dated = on == i + 2 && doc.is(date, Kind::number) &&
                       read_expression(doc, date, other) && names_day(other) && !other.range;
    if (dated && other.underspecified) resolve_in_narrative(doc, Signal{}, other);
    if (dated && !std::isnan(other.start_ms))
      return fill_before_date(doc, i, day_of(other.start_ms), expression);
    if (!dated && day_told(doc))
      return fill_part(doc, i, day_of(doc.anchor.end_ms - 1), expression);
  }
  // "at night", "at dawn": of any day.
  expression.value = "XXXX-XX-XX";
  expression.confidence = 0.5f;
  read_part_of_day(doc, i, expression.time_of_day);
  apply_time_of_day(expression);
  return true;
}

}  // namespace asof::timetag
