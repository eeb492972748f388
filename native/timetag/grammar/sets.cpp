// Repeated times: "every Monday", "twice a week", "$5 million a year", "annually", "on Sundays".
// They have no interval. Names ("The Daily Mail") and measures ("miles per hour") are none;
// adjectives
// ("a daily walk") are read in narrative only, where annotators mark them.
#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {

bool fill(Expression& expression, std::size_t first, std::size_t last, std::string value) {
  expression.first = first;
  expression.last = last;
  expression.type = TimexType::set;
  expression.value = std::move(value);
  expression.confidence = 0.8f;
  return true;
}

bool is_recurring(const Document& doc, std::size_t i, Recurring what) {
  return doc.is(i, Class::recurring) && doc.value(i) == static_cast<int>(what);
}

bool lower_word(const Document& doc, std::size_t i, std::u16string_view word) {
  return doc.is(i, Kind::word) && doc.word(i) == word;
}

bool countable(Unit unit) {
  return unit != Unit::half && unit != Unit::season;
}

/// Annotators of narratives write the calendar's pattern, those of reports the length of the
/// period.
std::string period_text(const Document& doc, Unit unit) {
  const bool patterned = unit >= Unit::day && unit <= Unit::year && countable(unit);
  return doc.narrative() && patterned ? unresolved_value(unit) : duration_text("1", unit);
}

// The recurring unit after "every": "Monday", "summer", "May", "morning", "Tuesday evening".
bool read_pattern(const Document& doc, std::size_t i, std::string& value, std::size_t& next) {
  next = i + 1;
  TimeOfDay part;
  const bool followed = read_part_of_day(doc, next, part) && doc.word(next).back() != u's';
  if (doc.is(i, Class::weekday) && doc.at(i).capital) {
    value = std::string("XXXX-WXX-") + static_cast<char>('1' + doc.value(i));
    if (followed) value += part.value, ++next;
    return true;
  }
  Expression day;  // "every Christmas", "every 3 May", "every July 4"
  const bool named = (doc.is(i, Class::holiday) && read_holiday(doc, i, day)) ||
                     (doc.is(i, Kind::number) && read_day_month(doc, i, day)) ||
                     (doc.is(i, Class::month) && doc.at(i).capital &&
                      read_month_first(doc, i, day) && day.day > 0);
  if (named && day.underspecified && !day.range && day.value.starts_with("XXXX-")) {
    value = day.value;
    next = day.last;
    return true;
  }
  if (doc.is(i, Class::month) && doc.at(i).capital) {
    value = std::string("XXXX-") + static_cast<char>('0' + doc.value(i) / 10) +
            static_cast<char>('0' + doc.value(i) % 10);
    return true;
  }
  if (doc.is(i, Class::season)) {
    constexpr const char* seasons[] = {"XXXX-SP", "XXXX-SU", "XXXX-FA", "XXXX-WI"};
    value = seasons[doc.value(i)];
    return true;
  }
  if (read_part_of_day(doc, i, part) && doc.word(i).back() != u's') {
    value = "XXXX-XX-XX" + part.value;
    return true;
  }
  return false;
}

// "every day", "each of" is none, "every other week", "every two years", "every 90 minutes", "every
// Monday"
bool read_every(const Document& doc, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  std::string value;
  std::size_t next = 0;
  if (read_unit(doc, i + 1, false, unit, plural) && !plural && unit != Unit::second &&
      countable(unit)) {
    if (doc.is(i + 2, Kind::hyphen) && doc.glued(i + 2)) return false;
    return fill(expression, i, i + 2,
                unit < Unit::day || unit == Unit::decade ? duration_text("1", unit)
                                                         : period_text(doc, unit));
  }
  if (read_pattern(doc, i + 1, value, next)) return fill(expression, i, next, value);
  // "every other week", "every second year"
  const bool ordinal = doc.is(i + 1, Class::ordinal) && doc.value(i + 1) > 1;
  if ((ordinal || lower_word(doc, i + 1, u"other")) && read_unit(doc, i + 2, false, unit, plural) &&
      !plural && countable(unit)) {
    return fill(expression, i, i + 3,
                duration_text(ordinal ? std::to_string(doc.value(i + 1)) : "2", unit));
  }
  Count count;
  if (!read_count(doc, i + 1, count) || count.article ||
      !read_unit(doc, count.last, false, unit, plural) || !plural || !countable(unit))
    return false;
  return fill(expression, i, count.last + 1, duration_text(count_text(count), unit));
}

// The period of "twice a week", "three times per year", "once every two weeks": at the word after
// the count.
bool read_period(const Document& doc, std::size_t i, std::string& value, std::size_t& next) {
  if (is_recurring(doc, i, Recurring::every)) {
    Expression every;
    if (!read_every(doc, i, every)) return false;
    value = every.value;
    next = every.last;
    return true;
  }
  if (doc.is(i, Class::periodic)) {
    value = duration_text("1", static_cast<Unit>(doc.value(i)));
    next = i + 1;
    return true;
  }
  Unit unit{};
  bool plural = false;
  if (!(doc.is(i, Function::a) || is_recurring(doc, i, Recurring::per)) ||
      !read_unit(doc, i + 1, false, unit, plural) || plural || !countable(unit))
    return false;
  value = duration_text("1", unit);
  next = i + 2;
  return true;
}

bool times_word(const Document& doc, std::size_t i) {
  return lower_word(doc, i, u"times");
}

// "twice a week", "three times a year", "several times daily"
bool read_frequency(const Document& doc, std::size_t i, Expression& expression) {
  std::size_t period = i + 1;
  if (!is_recurring(doc, i, Recurring::once) && !is_recurring(doc, i, Recurring::twice)) {
    Count count;
    if (!read_count(doc, i, count) || count.article) return false;
    if (doc.dash(count.last) ||
        doc.is_any(count.last, {Function::or_, Function::to})) {  // "two or three times"
      Count second;
      if (!read_count(doc, count.last + 1, second) || second.article) return false;
      count = second;
    }
    if (!times_word(doc, count.last)) return false;
    period = count.last + 1;
  }
  std::string value;
  std::size_t next = 0;
  return read_period(doc, period, value, next) && fill(expression, i, next, value);
}

// "per day", "a year" as a rate; never of speed. In news only "per": TimeBank's annotators leave
// "$500 million a year" alone.
bool read_rate(const Document& doc, std::size_t i, Expression& expression) {
  const bool per = is_recurring(doc, i, Recurring::per);
  Unit unit{};
  bool plural = false;
  if (per && lower_word(doc, i + 1, u"annum")) return fill(expression, i, i + 2, "P1Y");
  if (!read_unit(doc, i + 1, false, unit, plural) || plural || unit < Unit::day ||
      !countable(unit) || unit == Unit::weekend)
    return false;
  if (!per && (!doc.tags_generic() ||
               doc.is_any(i + 2, {Function::ago, Function::later, Function::earlier,
                                  Function::before, Function::after}) ||
               !has_quantity_before(doc, i)))
    return false;
  return fill(expression, i, i + 2, duration_text("1", unit));
}

// "most mornings", "most Fridays", "most weekends"; "most days of the trial" are a share of them.
bool read_most(const Document& doc, std::size_t i, Expression& expression) {
  if (!(lower_word(doc, i, u"most") || lower_word(doc, i, u"Most")) ||
      doc.is(i + 2, Function::of) || doc.is(i - 1, Function::the))
    return false;
  Unit unit{};
  bool plural = false;
  TimeOfDay part;
  if (doc.is(i + 1, Class::weekdays) && doc.at(i + 1).capital) {
    return fill(expression, i, i + 2,
                std::string("XXXX-WXX-") + static_cast<char>('1' + doc.value(i + 1)));
  }
  if (doc.is(i + 1, Unit::weekend) && doc.word(i + 1).back() == u's')
    return fill(expression, i, i + 2, "XXXX-WXX-WE");
  if (read_part_of_day(doc, i + 1, part) && doc.word(i + 1).back() == u's')
    return fill(expression, i, i + 2, "XXXX-XX-XX" + part.value);
  if (!read_unit(doc, i + 1, false, unit, plural) || !plural || unit < Unit::day ||
      unit > Unit::year || !countable(unit))
    return false;
  return fill(expression, i, i + 2, period_text(doc, unit));
}

// "on weekends", "at weekends"
bool read_weekends(const Document& doc, std::size_t i, Expression& expression) {
  const bool led = doc.is_any(
      i - 1, {Function::on, Function::at, Function::during, Function::and_, Function::or_});
  if (!doc.is(i, Unit::weekend) || doc.word(i).back() != u's' || !led ||
      doc.is(i + 1, Function::of))
    return false;
  return fill(expression, i, i + 1, "XXXX-WXX-WE");
}

// "daily", "annually"; a capital among words is a name's.
bool read_periodic(const Document& doc, std::size_t i, Expression& expression) {
  const auto unit = static_cast<Unit>(doc.value(i));
  const Token& next = doc.at(i + 1);
  if (doc.at(i).capital && (doc.is(i - 1, Kind::word) || (next.kind == Kind::word && next.capital)))
    return false;
  if (next.kind == Kind::word && next.capital && next.lexeme.cls == Class::unknown)
    return false;  // "the daily Telegraph"
  const bool adverb =
      doc.word(i) == u"annually" || !(doc.is(i + 1, Class::unknown) ||
                                      doc.is(i + 1, Class::thing) || doc.is(i + 1, Kind::hyphen));
  const bool night = doc.word(i) == u"nightly" || doc.word(i) == u"Nightly";
  if (!adverb && doc.mode != Mode::narrative) return false;
  return fill(expression, i, i + 1, night ? "XXXX-XX-XXTNI" : period_text(doc, unit));
}

}  // namespace

bool has_quantity_before(const Document& doc, std::size_t i) {
  const bool hours =
      doc.is(i - 1, Class::unit) && doc.word(i - 1).back() == u's';  // "24 hours a day"
  if (hours || doc.is(i - 1, Kind::percent) || doc.is(i - 1, Class::thing) ||
      doc.is(i - 1, Kind::number) || doc.is(i - 1, Kind::close))
    return true;
  const std::size_t quote =
      doc.is(i - 1, Kind::symbol) || doc.is(i - 1, Kind::apostrophe) ? i - 2 : i - 1;
  if (!doc.is(quote, Class::unknown) || doc.word(quote).back() != u's') return false;
  const auto number = [&](std::size_t j) {
    return doc.is(j, Kind::number) || doc.is(j, Class::cardinal) || doc.is(j, Class::thing);
  };
  return number(quote - 1) || number(quote - 2) || doc.is(quote - 1, Kind::symbol);
}

bool read_set(const Document& doc, std::size_t i, Expression& expression) {
  if (is_recurring(doc, i, Recurring::every)) return read_every(doc, i, expression);
  if (doc.is(i, Function::share)) return read_most(doc, i, expression);
  if (doc.is(i, Class::unit)) return read_weekends(doc, i, expression);
  if (doc.is(i, Class::periodic)) return read_periodic(doc, i, expression);
  if (doc.is(i, Class::weekdays)) {
    if (!doc.at(i).capital) return false;
    std::string value = std::string("XXXX-WXX-") + static_cast<char>('1' + doc.value(i));
    return fill(expression, i, i + 1, value);
  }
  if (is_recurring(doc, i, Recurring::per) || doc.is(i, Function::a)) {
    if (read_rate(doc, i, expression)) return true;
    return doc.is(i, Function::a) && read_frequency(doc, i, expression);  // "a few times a year"
  }
  return read_frequency(doc, i, expression);
}

}  // namespace asof::timetag
