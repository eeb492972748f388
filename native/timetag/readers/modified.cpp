// Dates of the publication's own days, weeks and years, with the words that belong to them: "early
// Monday", "later this week", "late yesterday", "the end of the year", "the weekend", "all week",
// "two weeks from now", "fiscal 1991", "June of last year". News with a reference only; what a
// story tells is anaphora.cpp's.
#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool word_is(const Scene& scene, std::size_t i, std::u16string_view word) {
  return scene.is(i, Kind::word) && scene.word(i) == word;
}

bool counts_from_today(const Scene& scene, std::size_t i) {
  if (scene.is(i, Class::shift))
    return scene.is(i + 1, Class::unit) || scene.is(i + 1, Class::weekday) ||
           scene.is(i + 1, Class::season) || scene.is(i + 1, Class::daypart);
  if (scene.is(i, Class::deictic)) return scene.value(i) != static_cast<int>(Deictic::now);
  return scene.is(i, Class::weekday) && scene.at(i).capital;
}

// "early Monday", "late last week", "earlier this year"
bool read_early(const Scene& scene, std::size_t i, Expression& expression) {
  const bool part = scene.is(i, Class::part) && scene.value(i) <= static_cast<int>(Part::late);
  const std::size_t next =
      scene.is(i + 1, Function::on) || (part && scene.is(i + 1, Kind::hyphen)) ? i + 2 : i + 1;
  if (!part && !scene.is_any(i, {Function::earlier, Function::later})) return false;
  if (!counts_from_today(scene, next) || !read_expression(scene, next, expression)) return false;
  if (std::isnan(expression.start_ms) || expression.range || undated(expression)) return false;
  expression.first = i;
  expression.relative = true;
  if (part) narrow_to_part(expression, static_cast<Part>(scene.value(i)));
  return true;
}

bool singular(const Scene& scene, std::size_t i, Unit& unit) {
  bool plural = false;
  return read_unit(scene, i, false, unit, plural) && !plural && unit >= Unit::weekend &&
         unit <= Unit::century && unit != Unit::season && unit != Unit::half;
}

// "the end of the year", "the beginning of the month": of the one that holds the reference.
bool read_end_of(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Class::part) || scene.value(i) < static_cast<int>(Part::middle) ||
      scene.value(i) == static_cast<int>(Part::turn) ||
      scene.value(i) == static_cast<int>(Part::late))
    return false;
  if (!scene.is(i + 1, Function::of)) return false;
  const Part part = static_cast<Part>(scene.value(i));
  Unit unit{};
  if (scene.is(i + 2, Class::shift)) {
    if (!read_relative(scene, i + 2, expression) || std::isnan(expression.start_ms)) return false;
  } else {
    if (!scene.is(i + 2, Function::the) || !singular(scene, i + 3, unit) ||
        scene.is(i + 4, Function::of) || scene.is(i + 4, Kind::number))
      return false;
    if (!fill_shifted(scene.reference_day(), unit, 0, expression)) return false;
    expression.last = i + 4;
  }
  expression.first = i;
  expression.relative = true;
  expression.ends_unit = part == Part::end;
  narrow_to_part(expression, part);
  return true;
}

// "the weekend": the last one, or the coming one where the sentence points ahead. "all week", "for
// the week".
bool read_the_week(const Scene& scene, std::size_t i, Expression& expression) {
  Unit unit{};
  if (!singular(scene, i, unit) || unit > Unit::year || scene.at(i).capital ||
      (scene.is(i + 1, Kind::hyphen) && scene.glued(i + 1)))
    return false;
  const bool all = word_is(scene, i - 1, u"all") || word_is(scene, i - 1, u"All");
  const bool the = scene.is(i - 1, Function::the),
             full = word_is(scene, i - 1, u"full") && scene.is(i - 2, Function::the);
  const bool led = scene.is(i - 2, Function::for_) || (full && scene.is(i - 3, Function::for_));
  const bool closed =
      !scene.is(i + 1, Kind::word) &&
      !scene.is(i + 1, Kind::number);  // "for the week that ended in May" is not this one
  int steps = 0;
  if (the && unit == Unit::weekend) {
    if (!scene.is_any(i - 2, {Function::over, Function::by, Function::during, Function::for_,
                              Function::throughout, Function::until, Function::on, Function::at,
                              Function::since, Function::through, Function::into, Function::before,
                              Function::after}))
      return false;
    const bool begun = weekday_from_days(scene.reference_day()) >= 5;
    if (!begun && direction_at(scene, i - 1, i + 1) != Direction::ahead) steps = -1;
  } else if (all) {
    if (unit != Unit::week && unit != Unit::year && unit != Unit::weekend) return false;
    const bool over = unit == Unit::weekend && weekday_from_days(scene.reference_day()) < 5;
    if (over && direction_at(scene, i - 1, i + 1) != Direction::ahead) steps = -1;
  } else if (!(the || full) || !led || !closed || unit == Unit::month) {
    return false;
  }
  if (the && unit == Unit::week && weekday_from_days(scene.reference_day()) == 0)
    steps = -1;  // on a Monday the week is over
  // A year is reported when it is over: "for the year, sales grew" in March.
  if (unit == Unit::year && !all && civil_from_days(scene.reference_day()).month <= 3) {
    const Direction direction = direction_at(scene, i - 1, i + 1);
    if (direction == Direction::back || (full && direction == Direction::unknown)) steps = -1;
  }
  if (!fill_shifted(scene.reference_day(), unit, steps, expression)) return false;
  expression.first = all || full ? i - 1 : i;
  expression.last = i + 1;
  expression.relative = true;
  expression.confidence = 0.7f;
  return true;
}

// "two weeks from now", "a year from today"
bool read_from_now(const Scene& scene, std::size_t i, Expression& expression) {
  Count count;
  if (!read_count(scene, i, count) || count.vague || count.value != std::floor(count.value))
    return false;
  Unit unit{};
  bool plural = false;
  const std::size_t at = count.last;
  if (!read_unit(scene, at, false, unit, plural) || unit < Unit::day || unit == Unit::season ||
      unit == Unit::half || !scene.is(at + 1, Function::from))
    return false;
  if (!scene.is(at + 2, Class::deictic) ||
      !fill_shifted(scene.reference_day(), unit, static_cast<std::int64_t>(count.value),
                    expression))
    return false;
  expression.first = i;
  expression.last = at + 3;
  expression.relative = true;
  return true;
}

// "the coming weeks", "coming months", "future quarters", "past years": ahead or back, but nobody
// can say how far.
bool read_coming(const Scene& scene, std::size_t i, Expression& expression) {
  const bool coming = word_is(scene, i, u"coming") || word_is(scene, i, u"future");
  Unit unit{};
  bool plural = false;
  if ((!coming && !word_is(scene, i, u"past")) || !read_unit(scene, i + 1, false, unit, plural) ||
      !plural || unit < Unit::hour)
    return false;
  const bool the = scene.is(i - 1, Function::the);
  if (!coming && the) return false;  // "the past years" is a length
  expression.first = the ? i - 1 : i;
  expression.last = i + 2;
  expression.value = coming ? "FUTURE_REF" : "PAST_REF";
  expression.confidence = 0.5f;
  return true;
}

// "one day he will", "One day, it says, they hope to"
bool read_one_day(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Class::cardinal) || scene.value(i) != 1 || !word_is(scene, i + 1, u"day") ||
      scene.is(i - 1, Class::function) || scene.is(i - 1, Class::quantifier))
    return false;
  if (scene.is(i + 2, Function::of) || scene.is(i + 2, Kind::hyphen) ||
      scene.is(i + 2, Kind::dot) || scene.is(i + 2, Kind::end))
    return false;
  if (scene.is_any(i + 2, {Function::ago, Function::later, Function::earlier, Function::before,
                           Function::after, Function::in}))
    return false;
  if (direction_at(scene, i, i + 2) != Direction::ahead) return false;
  expression.first = i;
  expression.last = i + 2;
  expression.value = "FUTURE_REF";
  expression.confidence = 0.5f;
  return true;
}

// "later in the day", "early in the week": the day or week that the report is of. "over the years":
// many of them.
bool read_within(const Scene& scene, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  if (!scene.is(i - 1, Function::the) || !read_unit(scene, i, false, unit, plural) ||
      scene.is(i + 1, Function::of) || (scene.is(i + 1, Kind::hyphen) && scene.glued(i + 1)))
    return false;
  expression.last = i + 1;
  if (plural) {
    if (unit < Unit::day || !scene.is(i - 2, Function::over) || scene.is(i + 1, Kind::number))
      return false;
    expression.first = i - 1;
    expression.type = TimexType::duration;
    expression.value = duration_text("X", unit);
    expression.confidence = 0.7f;
    return true;
  }
  const bool part =
      scene.is_any(i - 3, {Function::later, Function::earlier}) ||
      (scene.is(i - 3, Class::part) && scene.value(i - 3) <= static_cast<int>(Part::late));
  std::int64_t day = 0;
  if (!part || !scene.is(i - 2, Function::in) || unit < Unit::day || unit > Unit::year ||
      unit == Unit::season || unit == Unit::half || unit == Unit::quarter)
    return false;
  if (!anchor_day(scene, i, day) ||
      !fill_shifted(unit == Unit::day ? day : scene.reference_day(), unit, 0, expression))
    return false;
  expression.first = i;
  expression.relative = true;
  return true;
}

// "by mid-week", "mid-year", "mid-century": the middle of the one that holds the reference.
bool read_middle_of_unit(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Class::part) || scene.value(i) != static_cast<int>(Part::middle) ||
      scene.word(i).size() != 3)
    return false;
  Unit unit{};
  if (!scene.is(i + 1, Kind::hyphen) || !scene.glued(i + 1) || !scene.glued(i + 2) ||
      !singular(scene, i + 2, unit))
    return false;
  if (unit < Unit::week || scene.is(i + 3, Kind::hyphen) ||
      !fill_shifted(scene.reference_day(), unit, 0, expression))
    return false;
  expression.first = i;
  expression.last = i + 3;
  expression.relative = true;
  narrow_to_part(expression, Part::middle);
  return true;
}

// "half a century ago", "a quarter-century ago", "two summers ago"
bool read_far_ago(const Scene& scene, std::size_t i, Expression& expression) {
  const std::int64_t year = civil_from_days(scene.reference_day()).year;
  if (scene.is(i, Class::cardinal)) {
    constexpr std::u16string_view seasons[] = {u"springs", u"summers", u"autumns", u"winters"};
    for (int season = 0; season < 4; ++season) {
      if (!word_is(scene, i + 1, seasons[season]) || !scene.is(i + 2, Function::ago)) continue;
      fill_season(expression, year - scene.value(i), season);
      expression.first = i;
      expression.last = i + 3;
      expression.relative = true;
      return true;
    }
    return false;
  }
  const std::size_t part = scene.is(i, Function::a) ? i + 1 : i;
  const bool half = scene.is(part, Unit::half);
  if (!half && !scene.is(part, Unit::quarter)) return false;
  const std::size_t century =
      scene.is(part + 1, Kind::hyphen) || (half && scene.is(part + 1, Function::a)) ? part + 2
                                                                                    : part + 1;
  if (!scene.is(century, Unit::century) || !scene.is(century + 1, Function::ago)) return false;
  fill_year(expression, year - (half ? 50 : 25));
  expression.first = with_modifiers(scene, i);
  expression.last = century + 2;
  expression.relative = true;
  expression.confidence = 0.7f;
  return true;
}

// "fiscal 1991", "fiscal year 1991", "the fiscal year"
bool read_fiscal(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Function::fiscal)) return false;
  const std::size_t year = scene.is(i + 1, Unit::year) ? i + 2 : i + 1;
  expression.first = i;
  if (scene.is(year, Kind::number) && year_number(scene, year)) {
    fill_year(expression, scene.at(year).number);
    expression.last = year + 1;
    return true;
  }
  if (year == i + 1 || !scene.is(i - 1, Function::the) || word_is(scene, year - 1, u"years"))
    return false;
  fill_year(expression, civil_from_days(scene.reference_day()).year);
  expression.last = year;
  expression.relative = true;
  return true;
}

}  // namespace

bool read_modified(const Scene& scene, std::size_t i, Expression& expression) {
  if (scene.mode != Mode::news || !scene.has_reference()) return false;
  return read_early(scene, i, expression) || read_end_of(scene, i, expression) ||
         read_the_week(scene, i, expression) || read_from_now(scene, i, expression) ||
         read_coming(scene, i, expression) || read_one_day(scene, i, expression) ||
         read_within(scene, i, expression) || read_far_ago(scene, i, expression) ||
         read_middle_of_unit(scene, i, expression) || read_fiscal(scene, i, expression);
}

void extend_by_shifted_year(const Scene& scene, Expression& expression) {
  if (!expression.lacks_year || expression.range || scene.mode != Mode::news ||
      !scene.has_reference())
    return;
  const std::size_t shift =
      scene.is(expression.last, Function::of) ? expression.last + 1 : expression.last;
  if (!scene.is(shift, Class::shift) || !scene.is(shift + 1, Unit::year) ||
      scene.word(shift + 1).back() == u's')
    return;
  resolve_year(expression, civil_from_days(scene.reference_day()).year + scene.value(shift) - 1);
  expression.last = shift + 2;
}

}  // namespace asof::timetag
