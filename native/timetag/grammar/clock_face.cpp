// See clock_face.hpp.
#include "timetag/grammar/clock_face.hpp"
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool glued_pair(const Document& doc, std::size_t i) {
  return (doc.is(i, Kind::colon) || doc.is(i, Kind::dot)) && doc.glued(i) &&
         doc.is(i + 1, Kind::number) && doc.glued(i + 1) && doc.at(i + 1).digits == 2 &&
         doc.at(i + 1).number < 60;
}

// "am", "PM", "a.m.": 0 or 12 hours to add, or -1.
int read_meridiem(const Document& doc, std::size_t i, std::size_t& next) {
  if (doc.is(i, Class::meridiem)) {
    next = i + 1;
    return doc.value(i) * 12;
  }
  const bool ante = is_word(doc, i, u"a"), post = is_word(doc, i, u"p");
  if ((!ante && !post) || !doc.is(i + 1, Kind::dot) || !doc.glued(i + 1) ||
      !is_word(doc, i + 2, u"m"))
    return -1;
  next = doc.is(i + 3, Kind::dot) && doc.glued(i + 3) ? i + 4 : i + 3;
  return post ? 12 : 0;
}

void set_half_of_day(ClockFace& face, int add) {
  if (face.hour <= 12) face.hour = face.hour % 12 + add;
  face.sure = true;
}

// " EST", " (GMT)", " GMT+2"
void read_zone(const Document& doc, ClockFace& face) {
  if (face.sure && read_named_zone(doc, face.last, face.zone, face.last)) return;
  const std::size_t open = doc.is(face.last, Kind::open) ? 1 : 0;
  const std::size_t i = face.last + open;
  const bool est =
      doc.is(i, Kind::word) && doc.word(i) == u"EST";  // in small letters a year of foundation
  if ((!doc.is(i, Class::zone) && !est) || !doc.at(i).capital ||
      (doc.word(i).size() > 1 && doc.word(i)[1] > u'Z'))
    return;
  if (open == 1 && !doc.is(i + 1, Kind::close)) return;
  face.zone = est ? 24 - 10 : doc.value(i);
  face.last = i + 1 + open;
  face.sure = true;
  const bool plus = doc.is(i + 1, Kind::symbol) && doc.word(i + 1) == u"+", minus = doc.dash(i + 1);
  if (face.zone == 24 && (plus || minus) && doc.glued(i + 1) && doc.is(i + 2, Kind::number) &&
      doc.glued(i + 2) && doc.at(i + 2).number <= 14) {
    face.zone = 24 + (plus ? 2 : -2) * static_cast<int>(doc.at(i + 2).number);
    face.last = i + 3;
  }
}

// "in the afternoon", "in the morning", "at night" after an hour
void read_half_of_day_words(const Document& doc, ClockFace& face) {
  const std::size_t i = face.last;
  const bool in_the = doc.is(i, Function::in) && doc.is(i + 1, Function::the),
             at = doc.is(i, Function::at);
  const std::size_t part = in_the ? i + 2 : i + 1;
  if ((!in_the && !at) || !doc.is(part, Class::daypart)) return;
  const auto which = static_cast<Daypart>(doc.value(part));
  if (which > Daypart::night || (at && which != Daypart::night)) return;
  set_half_of_day(face,
                  which == Daypart::morning || (which == Daypart::night && face.hour < 5) ? 0 : 12);
  face.last = part + 1;
}

bool hour_word(const Document& doc, std::size_t i, int& hour) {
  hour = 0;
  if (doc.is(i, Class::cardinal))
    hour = doc.value(i);
  else if (doc.is(i, Kind::number) && doc.at(i).digits <= 2)
    hour = static_cast<int>(doc.at(i).number);
  else
    return false;
  return hour >= 1 && hour <= 12;
}

// "five o'clock", "half past six", "quarter to nine", "ten minutes past four"
bool read_spoken(const Document& doc, std::size_t i, ClockFace& face) {
  if (hour_word(doc, i, face.hour) && is_word(doc, i + 1, u"o") &&
      doc.is(i + 2, Kind::apostrophe) && is_word(doc, i + 3, u"clock")) {
    face.sure = true;
    face.last = i + 4;
    return true;
  }
  if (face.hour > 0 && is_introduced(doc, i)) {  // "at six in the evening"
    face.last = i + 1;
    read_half_of_day_words(doc, face);
    if (face.sure) return true;
  }
  std::size_t j = i;
  int minutes = 0;
  const bool named = doc.is(i, Unit::half) || doc.is(i, Unit::quarter);
  if (named)
    minutes = doc.is(i, Unit::half) ? 30 : 15;
  else if (doc.is(i, Class::cardinal))
    minutes = doc.value(i);
  else if (doc.is(i, Kind::number) && doc.at(i).digits <= 2)
    minutes = static_cast<int>(doc.at(i).number);
  else
    return false;
  ++j;
  const bool counted = doc.is(j, Unit::minute);
  if (counted) ++j;
  const bool past = is_word(doc, j, u"past") || (counted && doc.is(j, Function::after));
  const bool to =
      (named || counted) && minutes != 30 && doc.is_any(j, {Function::to, Function::before});
  if ((!past && !to) || minutes < 1 || minutes >= 60) return false;
  if (!hour_word(doc, j + 1, face.hour)) {
    if (!doc.is(j + 1, Class::daypart) || static_cast<Daypart>(doc.value(j + 1)) < Daypart::noon)
      return false;
    face.hour = static_cast<Daypart>(doc.value(j + 1)) == Daypart::noon ? 12 : to ? 24 : 0;
  } else if (doc.is(j + 2, Class::unit) || doc.is(j + 2, Class::thing) ||
             (!named && !counted && doc.is(j + 2, Class::unknown))) {
    return false;
  }
  face.minute = past ? minutes : 60 - minutes;
  if (to) --face.hour;
  face.to_the_minute = true;
  face.sure = true;
  face.last = j + 2;
  if (is_word(doc, face.last, u"o") && doc.is(face.last + 1, Kind::apostrophe)) face.last += 3;
  return true;
}

// "0530hrs", "1900 hours", "1430 GMT"
bool read_military(const Document& doc, std::size_t i, ClockFace& face) {
  const Token& token = doc.at(i);
  if (token.digits != 4 || token.number >= 2400 || token.number % 100 >= 60) return false;
  face.hour = static_cast<int>(token.number / 100);
  face.minute = static_cast<int>(token.number % 100);
  face.to_the_minute = true;
  face.last = i + 1;
  const bool zero = token.number < 1000;
  if (doc.is(i + 1, Unit::hour) && (zero || is_introduced(doc, i))) {
    face.last = i + 2;
    face.sure = true;
  }
  read_zone(doc, face);
  return face.sure &&
         (face.zone < 0 || face.zone == 24 || zero || is_introduced(doc, i));  // "1900 GMT"
}

bool read_digits(const Document& doc, std::size_t i, ClockFace& face) {
  const Token& token = doc.at(i);
  if (token.kind != Kind::number || token.digits > 4) return false;
  if (doc.glued(i) && !doc.is(i - 1, Kind::open) && !doc.dash(i - 1) &&
      !doc.is(i - 1, Kind::comma) && !doc.is(i - 1, Kind::symbol))
    return false;
  if (token.digits > 2) return read_military(doc, i, face);
  if (token.number > 24) return false;
  face.hour = static_cast<int>(token.number);
  face.last = i + 1;
  const bool colon = doc.is(i + 1, Kind::colon);
  if (glued_pair(doc, i + 1)) {
    face.minute = static_cast<int>(doc.at(i + 2).number);
    face.to_the_minute = true;
    face.last = i + 3;
    if (colon && doc.is(i + 3, Kind::colon) && glued_pair(doc, i + 3)) {
      face.second = static_cast<int>(doc.at(i + 4).number);
      face.last = i + 5;
    }
    if (doc.glued(face.last) && (doc.is(face.last, Kind::colon) || doc.is(face.last, Kind::dot)) &&
        doc.is(face.last + 1, Kind::number) && doc.glued(face.last + 1))
      return false;
  } else if (colon && doc.glued(i + 1) && doc.is(i + 2, Kind::number) && doc.glued(i + 2)) {
    return false;
  }
  std::size_t next = 0;
  int add = face.hour >= 1 && face.hour <= 23 ? read_meridiem(doc, face.last, next) : -1;
  if (add >= 0) {
    face.last = next;
  } else if (!face.to_the_minute &&
             (doc.is_any(face.last, {Function::to, Function::and_}) || doc.dash(face.last))) {
    // "2-4 p.m.": the second hour's meridiem holds for the first
    if (!doc.is(face.last + 1, Kind::number) || doc.at(face.last + 1).number > 12 ||
        doc.is(face.last + 2, Kind::colon))
      return false;
    std::size_t after = 0;
    add = read_meridiem(doc, face.last + 2, after);
    if (add < 0 || !(doc.dash(face.last) || doc.is_any(i - 1, {Function::from, Function::between})))
      return false;
    if (add == 12 && face.hour > static_cast<int>(doc.at(face.last + 1).number) && face.hour < 12)
      add = 0;  // "11-2 p.m."
  }
  if (add >= 0)
    set_half_of_day(face, add);
  else if (face.to_the_minute && colon &&
           (is_word(doc, face.last, u"hrs") || is_word(doc, face.last, u"h") ||
            is_word(doc, face.last, u"hr") || is_word(doc, face.last, u"hours"))) {
    face.sure = true;
    ++face.last;
  }
  if (face.to_the_minute && colon)
    read_zone(doc, face);
  else if (face.sure)
    read_zone(doc, face);
  if (!face.sure && !colon) return false;
  if (!face.sure && doc.is(face.last, Class::unit)) return false;  // "2:30 minutes"
  return face.to_the_minute || face.sure;
}

}  // namespace

bool is_word(const Document& doc, std::size_t i, std::u16string_view lower) {
  if (!doc.is(i, Kind::word) || doc.word(i).size() != lower.size()) return false;
  for (std::size_t k = 0; k < lower.size(); ++k) {
    if ((doc.word(i)[k] | 32) != lower[k]) return false;
  }
  return true;
}

bool is_introduced(const Document& doc, std::size_t i) {
  if (doc.is_any(i - 1, {Function::at, Function::by, Function::until, Function::from,
                         Function::around, Function::before, Function::after, Function::since,
                         Function::between, Function::as})) {
    return true;
  }
  if (doc.is(i - 1, Kind::open)) return !doc.is(i - 2, Kind::word) || !doc.at(i - 2).capital;
  // the second end of "from 10:30 to 12:00"
  return (doc.dash(i - 1) || doc.is_any(i - 1, {Function::to, Function::and_})) &&
         doc.is(i - 2, Kind::number) && doc.is(i - 3, Kind::colon);
}

bool read_face(const Document& doc, std::size_t i, ClockFace& face) {
  face.first = i;
  if (doc.is(i, Class::daypart)) {
    const auto part = static_cast<Daypart>(doc.value(i));
    if (part != Daypart::noon && part != Daypart::midnight) return false;
    face.hour = part == Daypart::noon ? 12 : 24;
    face.to_the_minute = true;
    face.last = i + 1;
    read_zone(doc, face);
    return true;
  }
  const bool spoken = read_spoken(doc, i, face);
  if (!spoken) {
    face = ClockFace();
    face.first = i;
    if (!read_digits(doc, i, face)) return false;
  } else {
    std::size_t next = 0;
    const int add = read_meridiem(doc, face.last, next);
    if (add >= 0) {
      set_half_of_day(face, add);
      face.last = next;
    }
    read_zone(doc, face);
  }
  if (face.hour <= 12 && face.last > i + 1) read_half_of_day_words(doc, face);
  return face.hour < 24;
}

void set_time_of_day(const ClockFace& face, TimeOfDay& time) {
  time = TimeOfDay();
  const auto two = [](int value) {
    return std::string{static_cast<char>('0' + value / 10), static_cast<char>('0' + value % 10)};
  };
  time.value = 'T';
  time.value += two(face.hour) + ':' + two(face.minute);
  time.start_ms = (face.hour * 60 + face.minute) * minute_ms;
  time.granularity = face.to_the_minute ? Granularity::minute : Granularity::hour;
  time.length_ms = face.to_the_minute ? minute_ms : 60 * minute_ms;
  if (face.second >= 0) {
    time.value += ':' + two(face.second);
    time.start_ms += face.second * 1000.0;
    time.length_ms = 1000;
    time.granularity = Granularity::second;
  }
  time.zone = face.zone;
}

}  // namespace asof::timetag
