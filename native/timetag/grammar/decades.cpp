// Decades ("the 1980s", "the eighties", "'99"), centuries and millennia.
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

// "highs in the 80s", "in his early 60s", "the upper 50s": degrees, speeds and ages, not decades.
bool counts_degrees(const Document& doc, std::size_t i) {
  std::size_t before = i - 1;
  if (doc.dash(before)) --before;
  if (doc.is(before, Class::part)) --before;
  if (doc.is(before, Kind::word) && !doc.is(before, Function::the) &&
      has_determiner(doc, before + 1))
    return true;
  for (std::size_t j = before; j + 9 > i && doc.is(j, Kind::word); --j) {
    const std::u16string_view word = doc.word(j);
    for (std::u16string_view each :
         {u"high",        u"highs",        u"High",        u"Highs",        u"low",
          u"lows",        u"Low",          u"Lows",        u"upper",        u"lower",
          u"temperature", u"temperatures", u"Temperature", u"Temperatures", u"temps",
          u"degrees",     u"speeds",       u"gusts",       u"aged",         u"scores"}) {
      if (word == each) return true;
    }
  }
  return false;
}

}  // namespace

bool read_decade(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.is(i, Class::tens)) {  // "the nineties", but "in his late thirties" is an age
    std::size_t before = doc.is(i - 1, Kind::hyphen) ? i - 2 : i - 1;
    // "nineteen-sixties"
    const bool century =
        doc.is(before, Class::cardinal) && doc.value(before) >= 15 && doc.value(before) <= 19;
    const std::size_t first = century ? before : i;
    if (century) --before;
    if (doc.is(before, Class::part)) --before;
    if (!doc.is(before, Function::the)) return false;
    fill_decade(expression, (century ? 100 * doc.value(first) : 1900) + 10 * doc.value(i));
    expression.first = first;
    expression.last = i + 1;
    expression.confidence = 0.8f;
    return true;
  }
  std::size_t number = i;
  const bool short_form =
      doc.is(i, Kind::apostrophe) && doc.is(i + 1, Kind::number) && doc.glued(i + 1);
  if (short_form) ++number;
  const Token& token = doc.at(number);
  if (token.kind != Kind::number || token.number % 10 != 0) return false;
  std::size_t suffix = number + 1;
  if (doc.is(suffix, Kind::apostrophe) && doc.glued(suffix)) ++suffix;
  if (!doc.glued(suffix) || !doc.is(suffix, Class::suffix) ||
      doc.value(suffix) != static_cast<int>(Suffix::plural))
    return false;
  std::int64_t year = token.number;
  if (token.digits == 2) {
    const bool supported = short_form || doc.is(i - 1, Function::the) ||
                           doc.is(i - 1, Class::part) ||
                           (doc.dash(i - 1) && doc.is(i - 2, Class::part));
    if (!supported || token.number < 20 || (!short_form && counts_degrees(doc, i))) return false;
    year += 1900;
  } else if (token.digits != 4 || short_form || year < min_bare_year || year > max_bare_year ||
             !is_plain_before(doc, i)) {
    return false;
  }
  const bool century = doc.question && year % 100 == 0 && year < 1900;  // "the 1700s"
  century ? fill_century(expression, static_cast<int>(year / 100) + 1, false)
          : fill_decade(expression, year);
  expression.first = i;
  expression.last = suffix + 1;
  return true;
}

// "in '99", after a preposition only: 1930 to 2029.
bool read_short_year(const Document& doc, std::size_t i, Expression& expression) {
  const bool apostrophe = doc.is(i, Kind::apostrophe) && (!doc.glued(i) || doc.question) &&
                          doc.is(i + 1, Kind::number) && doc.glued(i + 1) &&
                          doc.at(i + 1).digits == 2;
  if (!apostrophe || !is_plain_after(doc, i + 1)) return false;
  if (!doc.question && !doc.is_any(i - 1, {Function::in, Function::since, Function::until,
                                           Function::of, Function::by, Function::from,
                                           Function::before, Function::after, Function::to}))
    return false;
  std::int64_t year = doc.at(i + 1).number;
  year += year < 30 ? 2000 : 1900;
  // A story's '89 is the last one that it can have come to.
  if (doc.narrative() && doc.anchor.known())
    year = doc.last_year - ((doc.last_year - year) % 100 + 100) % 100;
  fill_year(expression, year);
  expression.first = i;
  expression.last = i + 2;
  expression.confidence = 0.8f;
  return true;
}

bool read_ordinal(const Document& doc, std::size_t i, int& ordinal, std::size_t& next) {
  if (doc.is(i, Kind::number) && doc.at(i).digits <= 2 && doc.glued(i + 1) &&
      doc.is(i + 1, Class::suffix) && doc.value(i + 1) == 0) {
    ordinal = static_cast<int>(doc.at(i).number);
    next = i + 2;
    return ordinal > 0;
  }
  if (doc.is(i, Class::ordinal)) {
    ordinal = doc.value(i);
    next = i + 1;
    return true;
  }
  const std::size_t units = doc.is(i + 1, Kind::hyphen) ? i + 2 : i + 1;  // "twenty-first"
  if (doc.is(i, Class::cardinal) && doc.value(i) == 20 && doc.is(units, Class::ordinal) &&
      doc.value(units) < 10) {
    ordinal = 20 + doc.value(units);
    next = units + 1;
    return true;
  }
  return false;
}

bool read_century(const Document& doc, std::size_t i, Expression& expression) {
  int ordinal = 0, second = 0;
  std::size_t next = 0, after = 0;
  if (!read_ordinal(doc, i, ordinal, next)) return false;
  if (doc.is(next, Kind::hyphen) && doc.glued(next) &&
      doc.is_any(next + 1, {Function::and_, Function::or_, Function::to}))
    ++next;  // "17th- and 18th-century"
  // "19th and 20th centuries", "13th to the 16th century"
  const std::size_t connector = next;
  const bool connected = doc.dash(next) || doc.is_any(next, {Function::and_, Function::to,
                                                             Function::or_, Function::until});
  const std::size_t other = doc.is(next + 1, Function::the) ? next + 2 : next + 1;
  if (connected && read_ordinal(doc, other, second, after) && second != ordinal)
    next = after;
  else
    second = 0;
  if (doc.is(next, Kind::hyphen) && doc.glued(next)) ++next;
  const bool century = doc.is(next, Unit::century), millennium = doc.is(next, Unit::millennium);
  if (!century && !millennium) return false;
  ++next;
  bool before_common = false;
  era_at(doc, next, before_common, next);
  const auto fill = century ? fill_century : fill_millennium;
  fill(expression, ordinal, before_common);
  expression.first = i;
  expression.last = next;
  if (second == 0) return true;
  const bool listed =
      !doc.dash(connector) && doc.is_any(connector, {Function::and_, Function::or_});
  if ((second < ordinal) != before_common) return false;
  expression.last = connector;
  if (listed && second != ordinal + (before_common ? -1 : 1) &&
      !doc.is_any(doc.is(i - 1, Function::the) ? i - 2 : i - 1, {Function::between}))
    return true;  // "the 12th and 18th centuries" are two
  Expression end;
  fill(end, second, before_common);
  end.first = other;
  end.last = next;
  join(expression, end);
  expression.single_interval = listed;
  return true;
}

}  // namespace asof::timetag
