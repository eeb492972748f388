// Times of day by the clock: "3:30 p.m. EST", "19:00", "0530hrs", "five o'clock", "half past six",
// "noon", alone or joined with a date on either side. A clock face without any sign of being one
// ("5:3", "John 3:16", "2:1") is none.
#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr double minute_ms = 60'000.0;

struct Face {
  int hour = 0;
  int minute = 0;
  int second = -1;
  bool to_the_minute = false;
  bool sure = false;  // a sign that it is a time: "pm", "o'clock", a zone
  int zone = -1;
  std::size_t first = 0;
  std::size_t last = 0;
};

bool is_word(const Scene& scene, std::size_t i, std::u16string_view lower) {
  if (!scene.is(i, Kind::word) || scene.word(i).size() != lower.size()) return false;
  for (std::size_t k = 0; k < lower.size(); ++k) {
    if ((scene.word(i)[k] | 32) != lower[k]) return false;
  }
  return true;
}

bool glued_pair(const Scene& scene, std::size_t i) {
  return (scene.is(i, Kind::colon) || scene.is(i, Kind::dot)) && scene.glued(i) &&
         scene.is(i + 1, Kind::number) && scene.glued(i + 1) && scene.at(i + 1).digits == 2 &&
         scene.at(i + 1).number < 60;
}

// "am", "PM", "a.m.": 0 or 12 hours to add, or -1.
int read_meridiem(const Scene& scene, std::size_t i, std::size_t& next) {
  if (scene.is(i, Class::meridiem)) {
    next = i + 1;
    return scene.value(i) * 12;
  }
  const bool ante = is_word(scene, i, u"a"), post = is_word(scene, i, u"p");
  if ((!ante && !post) || !scene.is(i + 1, Kind::dot) || !scene.glued(i + 1) ||
      !is_word(scene, i + 2, u"m"))
    return -1;
  next = scene.is(i + 3, Kind::dot) && scene.glued(i + 3) ? i + 4 : i + 3;
  return post ? 12 : 0;
}

void set_half_of_day(Face& face, int add) {
  if (face.hour <= 12) face.hour = face.hour % 12 + add;
  face.sure = true;
}

// " EST", " (GMT)", " GMT+2"
void read_zone(const Scene& scene, Face& face) {
  if (face.sure && read_named_zone(scene, face.last, face.zone, face.last)) return;
  const std::size_t open = scene.is(face.last, Kind::open) ? 1 : 0;
  const std::size_t i = face.last + open;
  const bool est =
      scene.is(i, Kind::word) && scene.word(i) == u"EST";  // in small letters a year of foundation
  if ((!scene.is(i, Class::zone) && !est) || !scene.at(i).capital ||
      (scene.word(i).size() > 1 && scene.word(i)[1] > u'Z'))
    return;
  if (open == 1 && !scene.is(i + 1, Kind::close)) return;
  face.zone = est ? 24 - 10 : scene.value(i);
  face.last = i + 1 + open;
  face.sure = true;
  const bool plus = scene.is(i + 1, Kind::symbol) && scene.word(i + 1) == u"+",
             minus = scene.dash(i + 1);
  if (face.zone == 24 && (plus || minus) && scene.glued(i + 1) && scene.is(i + 2, Kind::number) &&
      scene.glued(i + 2) && scene.at(i + 2).number <= 14) {
    face.zone = 24 + (plus ? 2 : -2) * static_cast<int>(scene.at(i + 2).number);
    face.last = i + 3;
  }
}

// "in the afternoon", "in the morning", "at night" after an hour
void read_half_of_day_words(const Scene& scene, Face& face) {
  const std::size_t i = face.last;
  const bool in_the = scene.is(i, Function::in) && scene.is(i + 1, Function::the),
             at = scene.is(i, Function::at);
  const std::size_t part = in_the ? i + 2 : i + 1;
  if ((!in_the && !at) || !scene.is(part, Class::daypart)) return;
  const auto which = static_cast<Daypart>(scene.value(part));
  if (which > Daypart::night || (at && which != Daypart::night)) return;
  set_half_of_day(face,
                  which == Daypart::morning || (which == Daypart::night && face.hour < 5) ? 0 : 12);
  face.last = part + 1;
}

bool introduced(const Scene& scene, std::size_t i) {
  if (scene.is_any(i - 1, {Function::at, Function::by, Function::until, Function::from,
                           Function::around, Function::before, Function::after, Function::since,
                           Function::between, Function::as})) {
    return true;
  }
  if (scene.is(i - 1, Kind::open)) return !scene.is(i - 2, Kind::word) || !scene.at(i - 2).capital;
  // the second end of "from 10:30 to 12:00"
  return (scene.dash(i - 1) || scene.is_any(i - 1, {Function::to, Function::and_})) &&
         scene.is(i - 2, Kind::number) && scene.is(i - 3, Kind::colon);
}

bool hour_word(const Scene& scene, std::size_t i, int& hour) {
  hour = 0;
  if (scene.is(i, Class::cardinal))
    hour = scene.value(i);
  else if (scene.is(i, Kind::number) && scene.at(i).digits <= 2)
    hour = static_cast<int>(scene.at(i).number);
  else
    return false;
  return hour >= 1 && hour <= 12;
}

// "five o'clock", "half past six", "quarter to nine", "ten minutes past four"
bool read_spoken(const Scene& scene, std::size_t i, Face& face) {
  if (hour_word(scene, i, face.hour) && is_word(scene, i + 1, u"o") &&
      scene.is(i + 2, Kind::apostrophe) && is_word(scene, i + 3, u"clock")) {
    face.sure = true;
    face.last = i + 4;
    return true;
  }
  if (face.hour > 0 && introduced(scene, i)) {  // "at six in the evening"
    face.last = i + 1;
    read_half_of_day_words(scene, face);
    if (face.sure) return true;
  }
  std::size_t j = i;
  int minutes = 0;
  const bool named = scene.is(i, Unit::half) || scene.is(i, Unit::quarter);
  if (named)
    minutes = scene.is(i, Unit::half) ? 30 : 15;
  else if (scene.is(i, Class::cardinal))
    minutes = scene.value(i);
  else if (scene.is(i, Kind::number) && scene.at(i).digits <= 2)
    minutes = static_cast<int>(scene.at(i).number);
  else
    return false;
  ++j;
  const bool counted = scene.is(j, Unit::minute);
  if (counted) ++j;
  const bool past = is_word(scene, j, u"past") || (counted && scene.is(j, Function::after));
  const bool to =
      (named || counted) && minutes != 30 && scene.is_any(j, {Function::to, Function::before});
  if ((!past && !to) || minutes < 1 || minutes >= 60) return false;
  if (!hour_word(scene, j + 1, face.hour)) {
    if (!scene.is(j + 1, Class::daypart) ||
        static_cast<Daypart>(scene.value(j + 1)) < Daypart::noon)
      return false;
    face.hour = static_cast<Daypart>(scene.value(j + 1)) == Daypart::noon ? 12 : to ? 24 : 0;
  } else if (scene.is(j + 2, Class::unit) || scene.is(j + 2, Class::thing) ||
             (!named && !counted && scene.is(j + 2, Class::unknown))) {
    return false;
  }
  face.minute = past ? minutes : 60 - minutes;
  if (to) --face.hour;
  face.to_the_minute = true;
  face.sure = true;
  face.last = j + 2;
  if (is_word(scene, face.last, u"o") && scene.is(face.last + 1, Kind::apostrophe)) face.last += 3;
  return true;
}

// "0530hrs", "1900 hours", "1430 GMT"
bool read_military(const Scene& scene, std::size_t i, Face& face) {
  const Token& token = scene.at(i);
  if (token.digits != 4 || token.number >= 2400 || token.number % 100 >= 60) return false;
  face.hour = static_cast<int>(token.number / 100);
  face.minute = static_cast<int>(token.number % 100);
  face.to_the_minute = true;
  face.last = i + 1;
  const bool zero = token.number < 1000;
  if (scene.is(i + 1, Unit::hour) && (zero || introduced(scene, i))) {
    face.last = i + 2;
    face.sure = true;
  }
  read_zone(scene, face);
  return face.sure &&
         (face.zone < 0 || face.zone == 24 || zero || introduced(scene, i));  // "1900 GMT"
}

bool read_digits(const Scene& scene, std::size_t i, Face& face) {
  const Token& token = scene.at(i);
  if (token.kind != Kind::number || token.digits > 4) return false;
  if (scene.glued(i) && !scene.is(i - 1, Kind::open) && !scene.dash(i - 1) &&
      !scene.is(i - 1, Kind::comma) && !scene.is(i - 1, Kind::symbol))
    return false;
  if (token.digits > 2) return read_military(scene, i, face);
  if (token.number > 24) return false;
  face.hour = static_cast<int>(token.number);
  face.last = i + 1;
  const bool colon = scene.is(i + 1, Kind::colon);
  if (glued_pair(scene, i + 1)) {
    face.minute = static_cast<int>(scene.at(i + 2).number);
    face.to_the_minute = true;
    face.last = i + 3;
    if (colon && scene.is(i + 3, Kind::colon) && glued_pair(scene, i + 3)) {
      face.second = static_cast<int>(scene.at(i + 4).number);
      face.last = i + 5;
    }
    if (scene.glued(face.last) &&
        (scene.is(face.last, Kind::colon) || scene.is(face.last, Kind::dot)) &&
        scene.is(face.last + 1, Kind::number) && scene.glued(face.last + 1))
      return false;
  } else if (colon && scene.glued(i + 1) && scene.is(i + 2, Kind::number) && scene.glued(i + 2)) {
    return false;
  }
  std::size_t next = 0;
  int add = face.hour >= 1 && face.hour <= 23 ? read_meridiem(scene, face.last, next) : -1;
  if (add >= 0) {
    face.last = next;
  } else if (!face.to_the_minute &&
             scene.is_any(face.last, {Function::to, Function::and_}) | scene.dash(face.last)) {
    // "2-4 p.m.": the first hour shares what the second says
    Face second;
    if (!scene.is(face.last + 1, Kind::number) || scene.at(face.last + 1).number > 12 ||
        scene.is(face.last + 2, Kind::colon))
      return false;
    std::size_t after = 0;
    add = read_meridiem(scene, face.last + 2, after);
    if (add < 0 ||
        !(scene.dash(face.last) || scene.is_any(i - 1, {Function::from, Function::between})))
      return false;
    if (add == 12 && face.hour > static_cast<int>(scene.at(face.last + 1).number) && face.hour < 12)
      add = 0;  // "11-2 p.m."
  }
  if (add >= 0)
    set_half_of_day(face, add);
  else if (face.to_the_minute && colon &&
           (is_word(scene, face.last, u"hrs") || is_word(scene, face.last, u"h") ||
            is_word(scene, face.last, u"hr") || is_word(scene, face.last, u"hours"))) {
    face.sure = true;
    ++face.last;
  }
  if (face.to_the_minute && colon)
    read_zone(scene, face);
  else if (face.sure)
    read_zone(scene, face);
  if (!face.sure && !colon) return false;
  if (!face.sure && scene.is(face.last, Class::unit)) return false;  // "2:30 minutes"
  return face.to_the_minute || face.sure;
}

bool read_face(const Scene& scene, std::size_t i, Face& face) {
  face.first = i;
  if (scene.is(i, Class::daypart)) {
    const auto part = static_cast<Daypart>(scene.value(i));
    if (part != Daypart::noon && part != Daypart::midnight) return false;
    face.hour = part == Daypart::noon ? 12 : 24;
    face.to_the_minute = true;
    face.last = i + 1;
    read_zone(scene, face);
    return true;
  }
  const bool spoken = read_spoken(scene, i, face);
  if (!spoken) {
    face = Face();
    face.first = i;
    if (!read_digits(scene, i, face)) return false;
  } else {
    std::size_t next = 0;
    const int add = read_meridiem(scene, face.last, next);
    if (add >= 0) {
      set_half_of_day(face, add);
      face.last = next;
    }
    read_zone(scene, face);
  }
  if (face.hour <= 12 && face.last > i + 1) read_half_of_day_words(scene, face);
  return face.hour < 24;
}

void set_clock(const Face& face, Clock& clock) {
  clock = Clock();
  const auto two = [](int value) {
    return std::string{static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
  };
  clock.value = 'T';
  clock.value += two(face.hour) + ':' + two(face.minute);
  clock.start_ms = (face.hour * 60 + face.minute) * minute_ms;
  clock.granularity = face.to_the_minute ? Granularity::minute : Granularity::hour;
  clock.length_ms = face.to_the_minute ? minute_ms : 60 * minute_ms;
  if (face.second >= 0) {
    clock.value += ':' + two(face.second);
    clock.start_ms += face.second * 1000.0;
    clock.length_ms = 1000;
    clock.granularity = Granularity::second;
  }
  clock.zone = face.zone;
}

// The readers of days, without those of times of day: a row of clock times must not nest.
bool read_date(const Scene& scene, std::size_t i, Expression& expression) {
  expression = Expression();
  const bool read = scene.is(i, Class::weekday)   ? read_weekday(scene, i, expression)
                    : scene.is(i, Class::month)   ? read_month_first(scene, i, expression)
                    : scene.is(i, Class::deictic) ? read_relative(scene, i, expression)
                                                  : read_numeric_date(scene, i, expression) ||
                                                        read_day_month(scene, i, expression);
  return read && expression.type == TimexType::date && names_day(expression);
}

// "6 PM this evening", "11 pm last night", "3 p.m. next Sunday": the day or part of one that
// follows is the hour's.
bool read_part_for_date(const Scene& scene, std::size_t i, Expression& expression) {
  expression = Expression();
  const bool weekday =
      scene.is(i, Class::shift) && scene.is(i + 1, Class::weekday) && !scene.story();
  if (weekday)
    return read_relative(scene, i, expression) && !std::isnan(expression.start_ms) &&
           names_day(expression);
  const bool pointed =
      scene.is(i, Class::deictic) && scene.value(i) == static_cast<int>(Deictic::tonight);
  const bool shifted = scene.is(i, Class::shift) && scene.is(i + 1, Class::daypart);
  if (!(pointed || shifted) || !read_daypart(scene, i, expression) ||
      expression.clock.value.size() > 0 || std::isnan(expression.start_ms))
    return false;
  const std::size_t cut = expression.value.find('T');
  if (cut == std::string::npos) return false;
  expression.value.resize(cut);
  expression.type = TimexType::date;
  return names_day(expression);
}

// "at 3:04 p.m. (0704 GMT) on Saturday", "between 2 a.m. and 5 a.m. Sunday": the weekday that ends
// a phrase of clock times.
bool weekday_after(const Scene& scene, std::size_t i, std::int64_t& day) {
  if (scene.mode != Mode::news || !scene.has_reference()) return false;
  for (std::size_t j = i; j < i + 12; ++j) {
    if (scene.is(j, Class::weekday) && scene.at(j).capital) {
      day = news_weekday(scene, j, scene.value(j));
      return true;
    }
    const Kind kind = scene.at(j).kind;
    const bool sign = kind == Kind::number || kind == Kind::colon || kind == Kind::dot ||
                      kind == Kind::open || kind == Kind::close || kind == Kind::comma ||
                      scene.dash(j);
    const bool letter = kind == Kind::word && scene.word(j).size() == 1;
    const bool linked = scene.is_any(j, {Function::on, Function::and_, Function::to, Function::or_,
                                         Function::time}) ||
                        is_word(scene, j, u"local");
    if (!sign && !letter && !linked && !scene.is(j, Class::meridiem) && !scene.is(j, Class::zone))
      return false;
  }
  return false;
}

}  // namespace

bool read_clock(const Scene& scene, std::size_t i, Expression& expression) {
  Face face;
  if (!read_face(scene, i, face)) return false;
  std::size_t date = face.last;
  if (scene.is(date, Kind::comma)) ++date;
  const bool on = scene.is_any(date, {Function::on, Function::of});
  if (on) ++date;
  if (on && scene.is(date, Function::the) &&
      (scene.is(date + 1, Class::ordinal) || scene.is(date + 1, Kind::number)))
    ++date;
  const bool word = scene.is(i, Class::daypart);
  const bool part =
      face.sure && !on && date == face.last && read_part_for_date(scene, date, expression);
  if (part || ((face.sure || on || word || scene.is(date, Class::weekday)) &&
               read_date(scene, date, expression))) {
    if (!part && scene.is(expression.last, Class::daypart) && !scene.glued(expression.last) &&
        static_cast<Daypart>(scene.value(expression.last)) <= Daypart::night) {
      const bool deictic = scene.is(expression.last - 1, Class::deictic) ||
                           scene.is(expression.last - 1, Class::weekday);
      if (deictic && scene.word(expression.last).back() != u's') ++expression.last;
    }
    if (scene.is(date, Class::weekday) && expression.month == 0 && scene.has_reference()) {
      // The sentence points from before the hour: its "a.m." would end the look back.
      const std::int64_t day = news_weekday(scene, i, scene.value(date));
      fill_days(expression, day, day + 1, Granularity::day);
      expression.value = day_text(day);
    }
    set_clock(face, expression.clock);
    if (on && scene.mode == Mode::narrative) {
      expression.clock.span = {face.first, face.last};
      expression.clock.date = {expression.first, expression.last};
    }
    expression.first = i;
    if (!expression.lacks_year) apply_clock(expression);
    return true;
  }
  if (word ? scene.at(i).capital || !introduced(scene, i) : !face.sure && !introduced(scene, i))
    return false;
  expression = Expression();
  expression.first = scene.is(i, Unit::quarter) && scene.is(i - 1, Function::a)
                         ? i - 1
                         : i;  // "a quarter past nine"
  expression.last = face.last;
  expression.confidence = 0.8f;
  std::int64_t day = 0;
  if (weekday_after(scene, face.last, day) || anchor_day(scene, i, day)) {
    const Civil civil = civil_from_days(day);
    fill_day(expression, civil.year, civil.month, civil.day);
    expression.relative = true;
  } else {
    expression.value = scene.mode == Mode::narrative ? "XXXX-XX-XX" : "";
  }
  set_clock(face, expression.clock);
  apply_clock(expression);
  return true;
}

void extend_by_clock(const Scene& scene, Expression& expression) {
  if (expression.type != TimexType::date || !expression.clock.value.empty() ||
      !names_day(expression))
    return;
  const std::size_t next = expression.last;
  // "tomorrow noon", "Friday midnight"
  const bool turn =
      scene.is(next, Class::daypart) && static_cast<Daypart>(scene.value(next)) > Daypart::daytime;
  const bool pointed = next == expression.first + 1 &&
                       (scene.is(next - 1, Class::deictic) || scene.is(next - 1, Class::weekday));
  if (scene.is(next, Class::daypart) && !scene.glued(next) && !scene.at(next).capital &&
      (static_cast<Daypart>(scene.value(next)) <= Daypart::night || (turn && pointed))) {
    if (scene.word(next) == u"overnight") return;
    if (scene.word(next).back() == u's') {  // "on Sunday mornings": every one of them
      if (!scene.is(expression.first, Class::weekday) || next != expression.first + 1) return;
      Clock part;
      read_part_of_day(scene, next, part);
      const std::size_t day = expression.first;
      expression = Expression();
      expression.first = day;
      expression.last = next + 1;
      expression.type = TimexType::set;
      expression.value =
          std::string("XXXX-WXX-") + static_cast<char>('1' + scene.value(day)) + part.value;
      expression.confidence = 0.8f;
      return;
    }
    read_part_of_day(scene, next, expression.clock);
    expression.last = next + 1;
  } else {
    std::size_t at = scene.is(next, Kind::comma) ? next + 1 : next;
    const bool apart = scene.is(at, Function::at);
    if (apart) ++at;
    Face face;
    if (!scene.is(at, Kind::number) && !scene.is(at, Class::daypart) &&
        !scene.is(at, Class::cardinal))
      return;
    if (!read_face(scene, at, face) ||
        (!face.sure && !apart && !(scene.is(at, Kind::number) && face.to_the_minute)))
      return;
    if (scene.is(at, Class::daypart) && !apart) return;
    set_clock(face, expression.clock);
    if (apart) {
      expression.clock.date = {expression.first, expression.last};
      expression.clock.span = {face.first, face.last};
    }
    expression.last = face.last;
  }
  if (!expression.lacks_year) apply_clock(expression);
}

}  // namespace asof::timetag
