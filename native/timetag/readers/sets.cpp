// Repeated times: "every Monday", "twice a week", "$5 million a year", "annually", "on Sundays".
// They have no interval. Names
// ("The Daily Mail") and measures ("miles per hour") are none; adjectives ("a daily walk") are read
// in narrative only, where annotators mark them.
#include "timetag/readers/readers.hpp"

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

bool is_recurring(const Scene& scene, std::size_t i, Recurring what) {
  return scene.is(i, Class::recurring) && scene.value(i) == static_cast<int>(what);
}

bool lower_word(const Scene& scene, std::size_t i, std::u16string_view word) {
  return scene.is(i, Kind::word) && scene.word(i) == word;
}

bool countable(Unit unit) {
  return unit != Unit::half && unit != Unit::season;
}

/// Stories' annotators write the calendar's pattern, reports' the length of the period.
std::string period_text(const Scene& scene, Unit unit) {
  const bool patterned = unit >= Unit::day && unit <= Unit::year && countable(unit);
  return scene.story() && patterned ? unresolved_value(unit) : duration_text("1", unit);
}

// What recurs after "every": "Monday", "summer", "May", "morning", "Tuesday evening".
bool read_pattern(const Scene& scene, std::size_t i, std::string& value, std::size_t& next) {
  next = i + 1;
  Clock part;
  const bool followed = read_part_of_day(scene, next, part) && scene.word(next).back() != u's';
  if (scene.is(i, Class::weekday) && scene.at(i).capital) {
    value = std::string("XXXX-WXX-") + static_cast<char>('1' + scene.value(i));
    if (followed) value += part.value, ++next;
    return true;
  }
  Expression day;  // "every Christmas", "every 3 May", "every July 4"
  const bool named = (scene.is(i, Class::holiday) && read_holiday(scene, i, day)) ||
                     (scene.is(i, Kind::number) && read_day_month(scene, i, day)) ||
                     (scene.is(i, Class::month) && scene.at(i).capital &&
                      read_month_first(scene, i, day) && day.day > 0);
  if (named && day.lacks_year && !day.range && day.value.starts_with("XXXX-")) {
    value = day.value;
    next = day.last;
    return true;
  }
  if (scene.is(i, Class::month) && scene.at(i).capital) {
    value = std::string("XXXX-") + static_cast<char>('0' + scene.value(i) / 10) +
            static_cast<char>('0' + scene.value(i) % 10);
    return true;
  }
  if (scene.is(i, Class::season)) {
    constexpr const char* seasons[] = {"XXXX-SP", "XXXX-SU", "XXXX-FA", "XXXX-WI"};
    value = seasons[scene.value(i)];
    return true;
  }
  if (read_part_of_day(scene, i, part) && scene.word(i).back() != u's') {
    value = "XXXX-XX-XX" + part.value;
    return true;
  }
  return false;
}

// "every day", "each of" is none, "every other week", "every two years", "every 90 minutes", "every
// Monday"
bool read_every(const Scene& scene, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  std::string value;
  std::size_t next = 0;
  if (read_unit(scene, i + 1, false, unit, plural) && !plural && unit != Unit::second &&
      countable(unit)) {
    if (scene.is(i + 2, Kind::hyphen) && scene.glued(i + 2)) return false;
    return fill(expression, i, i + 2,
                unit < Unit::day || unit == Unit::decade ? duration_text("1", unit)
                                                         : period_text(scene, unit));
  }
  if (read_pattern(scene, i + 1, value, next)) return fill(expression, i, next, value);
  // "every other week", "every second year"
  const bool ordinal = scene.is(i + 1, Class::ordinal) && scene.value(i + 1) > 1;
  if ((ordinal || lower_word(scene, i + 1, u"other")) &&
      read_unit(scene, i + 2, false, unit, plural) && !plural && countable(unit)) {
    return fill(expression, i, i + 3,
                duration_text(ordinal ? std::to_string(scene.value(i + 1)) : "2", unit));
  }
  Count count;
  if (!read_count(scene, i + 1, count) || count.article ||
      !read_unit(scene, count.last, false, unit, plural) || !plural || !countable(unit))
    return false;
  return fill(expression, i, count.last + 1, duration_text(count_text(count), unit));
}

// The period of "twice a week", "three times per year", "once every two weeks": at the word after
// the count.
bool read_period(const Scene& scene, std::size_t i, std::string& value, std::size_t& next) {
  if (is_recurring(scene, i, Recurring::every)) {
    Expression every;
    if (!read_every(scene, i, every)) return false;
    value = every.value;
    next = every.last;
    return true;
  }
  if (scene.is(i, Class::periodic)) {
    value = duration_text("1", static_cast<Unit>(scene.value(i)));
    next = i + 1;
    return true;
  }
  Unit unit{};
  bool plural = false;
  if (!(scene.is(i, Function::a) || is_recurring(scene, i, Recurring::per)) ||
      !read_unit(scene, i + 1, false, unit, plural) || plural || !countable(unit))
    return false;
  value = duration_text("1", unit);
  next = i + 2;
  return true;
}

bool times_word(const Scene& scene, std::size_t i) {
  return lower_word(scene, i, u"times");
}

// "twice a week", "three times a year", "several times daily"
bool read_frequency(const Scene& scene, std::size_t i, Expression& expression) {
  std::size_t period = i + 1;
  if (!is_recurring(scene, i, Recurring::once) && !is_recurring(scene, i, Recurring::twice)) {
    Count count;
    if (!read_count(scene, i, count) || count.article) return false;
    if (scene.dash(count.last) ||
        scene.is_any(count.last, {Function::or_, Function::to})) {  // "two or three times"
      Count second;
      if (!read_count(scene, count.last + 1, second) || second.article) return false;
      count = second;
    }
    if (!times_word(scene, count.last)) return false;
    period = count.last + 1;
  }
  std::string value;
  std::size_t next = 0;
  return read_period(scene, period, value, next) && fill(expression, i, next, value);
}

// "per day", "a year" as a rate; never of speed. In news only "per": TimeBank's annotators leave
// "$500 million a year" alone.
bool read_rate(const Scene& scene, std::size_t i, Expression& expression) {
  const bool per = is_recurring(scene, i, Recurring::per);
  Unit unit{};
  bool plural = false;
  if (per && lower_word(scene, i + 1, u"annum")) return fill(expression, i, i + 2, "P1Y");
  if (!read_unit(scene, i + 1, false, unit, plural) || plural || unit < Unit::day ||
      !countable(unit) || unit == Unit::weekend)
    return false;
  if (!per && (!scene.takes_generic() ||
               scene.is_any(i + 2, {Function::ago, Function::later, Function::earlier,
                                    Function::before, Function::after}) ||
               !counted_before(scene, i)))
    return false;
  return fill(expression, i, i + 2, duration_text("1", unit));
}

// "most mornings", "most Fridays", "most weekends"; "most days of the trial" are a share of them.
bool read_most(const Scene& scene, std::size_t i, Expression& expression) {
  if (!(lower_word(scene, i, u"most") || lower_word(scene, i, u"Most")) ||
      scene.is(i + 2, Function::of) || scene.is(i - 1, Function::the))
    return false;
  Unit unit{};
  bool plural = false;
  Clock part;
  if (scene.is(i + 1, Class::weekdays) && scene.at(i + 1).capital) {
    return fill(expression, i, i + 2,
                std::string("XXXX-WXX-") + static_cast<char>('1' + scene.value(i + 1)));
  }
  if (scene.is(i + 1, Unit::weekend) && scene.word(i + 1).back() == u's')
    return fill(expression, i, i + 2, "XXXX-WXX-WE");
  if (read_part_of_day(scene, i + 1, part) && scene.word(i + 1).back() == u's')
    return fill(expression, i, i + 2, "XXXX-XX-XX" + part.value);
  if (!read_unit(scene, i + 1, false, unit, plural) || !plural || unit < Unit::day ||
      unit > Unit::year || !countable(unit))
    return false;
  return fill(expression, i, i + 2, period_text(scene, unit));
}

// "on weekends", "at weekends"
bool read_weekends(const Scene& scene, std::size_t i, Expression& expression) {
  const bool led = scene.is_any(
      i - 1, {Function::on, Function::at, Function::during, Function::and_, Function::or_});
  if (!scene.is(i, Unit::weekend) || scene.word(i).back() != u's' || !led ||
      scene.is(i + 1, Function::of))
    return false;
  return fill(expression, i, i + 1, "XXXX-WXX-WE");
}

// "daily", "annually"; a capital among words is a name's.
bool read_periodic(const Scene& scene, std::size_t i, Expression& expression) {
  const auto unit = static_cast<Unit>(scene.value(i));
  const Token& next = scene.at(i + 1);
  if (scene.at(i).capital &&
      (scene.is(i - 1, Kind::word) || (next.kind == Kind::word && next.capital)))
    return false;
  if (next.kind == Kind::word && next.capital && next.lexeme.cls == Class::unknown)
    return false;  // "the daily Telegraph"
  const bool adverb = scene.word(i) == u"annually" ||
                      !(scene.is(i + 1, Class::unknown) || scene.is(i + 1, Class::thing) ||
                        scene.is(i + 1, Kind::hyphen));
  const bool night = scene.word(i) == u"nightly" || scene.word(i) == u"Nightly";
  if (!adverb && scene.mode != Mode::narrative) return false;
  return fill(expression, i, i + 1, night ? "XXXX-XX-XXTNI" : period_text(scene, unit));
}

}  // namespace

bool counted_before(const Scene& scene, std::size_t i) {
  const bool hours =
      scene.is(i - 1, Class::unit) && scene.word(i - 1).back() == u's';  // "24 hours a day"
  if (hours || scene.is(i - 1, Kind::percent) || scene.is(i - 1, Class::thing) ||
      scene.is(i - 1, Kind::number) || scene.is(i - 1, Kind::close))
    return true;
  const std::size_t quote =
      scene.is(i - 1, Kind::symbol) || scene.is(i - 1, Kind::apostrophe) ? i - 2 : i - 1;
  if (!scene.is(quote, Class::unknown) || scene.word(quote).back() != u's') return false;
  const auto number = [&](std::size_t j) {
    return scene.is(j, Kind::number) || scene.is(j, Class::cardinal) || scene.is(j, Class::thing);
  };
  return number(quote - 1) || number(quote - 2) || scene.is(quote - 1, Kind::symbol);
}

bool read_set(const Scene& scene, std::size_t i, Expression& expression) {
  if (is_recurring(scene, i, Recurring::every)) return read_every(scene, i, expression);
  if (scene.is(i, Function::share)) return read_most(scene, i, expression);
  if (scene.is(i, Class::unit)) return read_weekends(scene, i, expression);
  if (scene.is(i, Class::periodic)) return read_periodic(scene, i, expression);
  if (scene.is(i, Class::weekdays)) {
    if (!scene.at(i).capital) return false;
    std::string value = std::string("XXXX-WXX-") + static_cast<char>('1' + scene.value(i));
    return fill(expression, i, i + 1, value);
  }
  if (is_recurring(scene, i, Recurring::per) || scene.is(i, Function::a)) {
    if (read_rate(scene, i, expression)) return true;
    return scene.is(i, Function::a) &&
           read_frequency(scene, i, expression);  // "a few times a year"
  }
  return read_frequency(scene, i, expression);
}

}  // namespace asof::timetag
