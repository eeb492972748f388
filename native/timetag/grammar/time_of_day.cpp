// Times of day, alone or joined with a date on either side.
#include "timetag/grammar/clock_face.hpp"
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

// The readers of days, without those of times of day: a row of clock times must not nest.
bool read_date(const Document& doc, std::size_t i, Expression& expression) {
  expression = Expression();
  const bool read = doc.is(i, Class::weekday)   ? read_weekday(doc, i, expression)
                    : doc.is(i, Class::month)   ? read_month_first(doc, i, expression)
                    : doc.is(i, Class::deictic) ? read_deictic(doc, i, expression)
                                                : read_numeric_date(doc, i, expression) ||
                                                      read_day_month(doc, i, expression);
  return read && expression.type == TimexType::date && names_day(expression);
}

// "6 PM this evening", "11 pm last night", "3 p.m. next Sunday": the day or part of one that
// follows is the hour's.
bool read_part_for_date(const Document& doc, std::size_t i, Expression& expression) {
  expression = Expression();
  const bool weekday = doc.is(i, Class::shift) && doc.is(i + 1, Class::weekday) && !doc.narrative();
  if (weekday)
    return read_deictic(doc, i, expression) && !std::isnan(expression.start_ms) &&
           names_day(expression);
  const bool pointed =
      doc.is(i, Class::deictic) && doc.value(i) == static_cast<int>(Deictic::tonight);
  const bool shifted = doc.is(i, Class::shift) && doc.is(i + 1, Class::daypart);
  if (!(pointed || shifted) || !read_daypart(doc, i, expression) ||
      !expression.time_of_day.value.empty() || std::isnan(expression.start_ms))
    return false;
  const std::size_t cut = expression.value.find('T');
  if (cut == std::string::npos) return false;
  expression.value.resize(cut);
  expression.type = TimexType::date;
  return names_day(expression);
}

// "at 3:04 p.m. (0704 GMT) on Saturday", "between 2 a.m. and 5 a.m. Sunday": the weekday that ends
// a phrase of clock times.
bool weekday_after(const Document& doc, std::size_t i, std::int64_t& day) {
  if (doc.mode != Mode::news || !doc.has_reference()) return false;
  for (std::size_t j = i; j < i + 12; ++j) {
    if (doc.is(j, Class::weekday) && doc.at(j).capital) {
      day = nearest_weekday(doc, j, doc.value(j));
      return true;
    }
    const Kind kind = doc.at(j).kind;
    const bool sign = kind == Kind::number || kind == Kind::colon || kind == Kind::dot ||
                      kind == Kind::open || kind == Kind::close || kind == Kind::comma ||
                      doc.dash(j);
    const bool letter = kind == Kind::word && doc.word(j).size() == 1;
    const bool linked = doc.is_any(j, {Function::on, Function::and_, Function::to, Function::or_,
                                       Function::time}) ||
                        is_word(doc, j, u"local");
    if (!sign && !letter && !linked && !doc.is(j, Class::meridiem) && !doc.is(j, Class::zone))
      return false;
  }
  return false;
}

}  // namespace

bool read_time_of_day(const Document& doc, std::size_t i, Expression& expression) {
  ClockFace face;
  if (!read_face(doc, i, face)) return false;
  std::size_t date = face.last;
  if (doc.is(date, Kind::comma)) ++date;
  const bool on = doc.is_any(date, {Function::on, Function::of});
  if (on) ++date;
  if (on && doc.is(date, Function::the) &&
      (doc.is(date + 1, Class::ordinal) || doc.is(date + 1, Kind::number)))
    ++date;
  const bool word = doc.is(i, Class::daypart);
  const bool part =
      face.sure && !on && date == face.last && read_part_for_date(doc, date, expression);
  if (part || ((face.sure || on || word || doc.is(date, Class::weekday)) &&
               read_date(doc, date, expression))) {
    if (!part && doc.is(expression.last, Class::daypart) && !doc.glued(expression.last) &&
        static_cast<Daypart>(doc.value(expression.last)) <= Daypart::night) {
      const bool deictic = doc.is(expression.last - 1, Class::deictic) ||
                           doc.is(expression.last - 1, Class::weekday);
      if (deictic && doc.word(expression.last).back() != u's') ++expression.last;
    }
    if (doc.is(date, Class::weekday) && expression.month == 0 && doc.has_reference()) {
      // The sentence points from before the hour: its "a.m." would end the look back.
      const std::int64_t day = nearest_weekday(doc, i, doc.value(date));
      fill_days(expression, day, day + 1, Granularity::day);
      expression.value = day_text(day);
    }
    set_time_of_day(face, expression.time_of_day);
    if (on && doc.mode == Mode::narrative) {
      expression.time_of_day.span = {face.first, face.last};
      expression.time_of_day.date = {expression.first, expression.last};
    }
    expression.first = i;
    if (!expression.underspecified) apply_time_of_day(expression);
    return true;
  }
  if (word ? doc.at(i).capital || !is_introduced(doc, i) : !face.sure && !is_introduced(doc, i))
    return false;
  expression = Expression();
  expression.first =
      doc.is(i, Unit::quarter) && doc.is(i - 1, Function::a) ? i - 1 : i;  // "a quarter past nine"
  expression.last = face.last;
  expression.confidence = 0.8f;
  std::int64_t day = 0;
  if (weekday_after(doc, face.last, day) || anchor_day(doc, i, day)) {
    const Civil civil = civil_from_days(day);
    fill_day(expression, civil.year, civil.month, civil.day);
    expression.relative = true;
  } else {
    expression.value = doc.mode == Mode::narrative ? "XXXX-XX-XX" : "";
  }
  set_time_of_day(face, expression.time_of_day);
  apply_time_of_day(expression);
  return true;
}

void extend_by_time_of_day(const Document& doc, Expression& expression) {
  if (expression.type != TimexType::date || !expression.time_of_day.value.empty() ||
      !names_day(expression))
    return;
  const std::size_t next = expression.last;
  // "tomorrow noon", "Friday midnight"
  const bool turn =
      doc.is(next, Class::daypart) && static_cast<Daypart>(doc.value(next)) > Daypart::daytime;
  const bool pointed = next == expression.first + 1 &&
                       (doc.is(next - 1, Class::deictic) || doc.is(next - 1, Class::weekday));
  if (doc.is(next, Class::daypart) && !doc.glued(next) && !doc.at(next).capital &&
      (static_cast<Daypart>(doc.value(next)) <= Daypart::night || (turn && pointed))) {
    if (doc.word(next) == u"overnight") return;
    if (doc.word(next).back() == u's') {  // "on Sunday mornings": every one of them
      if (!doc.is(expression.first, Class::weekday) || next != expression.first + 1) return;
      TimeOfDay part;
      read_part_of_day(doc, next, part);
      const std::size_t day = expression.first;
      expression = Expression();
      expression.first = day;
      expression.last = next + 1;
      expression.type = TimexType::set;
      expression.value =
          std::string("XXXX-WXX-") + static_cast<char>('1' + doc.value(day)) + part.value;
      expression.confidence = 0.8f;
      return;
    }
    read_part_of_day(doc, next, expression.time_of_day);
    expression.last = next + 1;
  } else {
    std::size_t at = doc.is(next, Kind::comma) ? next + 1 : next;
    const bool apart = doc.is(at, Function::at);
    if (apart) ++at;
    ClockFace face;
    if (!doc.is(at, Kind::number) && !doc.is(at, Class::daypart) && !doc.is(at, Class::cardinal))
      return;
    if (!read_face(doc, at, face) ||
        (!face.sure && !apart && !(doc.is(at, Kind::number) && face.to_the_minute)))
      return;
    if (doc.is(at, Class::daypart) && !apart) return;
    set_time_of_day(face, expression.time_of_day);
    if (apart) {
      expression.time_of_day.date = {expression.first, expression.last};
      expression.time_of_day.span = {face.first, face.last};
    }
    expression.last = face.last;
  }
  if (!expression.underspecified) apply_time_of_day(expression);
}

}  // namespace asof::timetag
