// Modified dates relative to the publication's day, week or year: "early
// Monday", "later this week", "late yesterday", "the end of the year", "the weekend", "all week",
// "two weeks from now", "fiscal 1991", "June of last year". News with a reference only; for
// narrative see anaphora.cpp.
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

bool counts_from_today(const Document& doc, std::size_t i) {
  if (doc.is(i, Class::shift))
    return doc.is(i + 1, Class::unit) || doc.is(i + 1, Class::weekday) ||
           doc.is(i + 1, Class::season) || doc.is(i + 1, Class::daypart);
  if (doc.is(i, Class::deictic)) return doc.value(i) != static_cast<int>(Deictic::now);
  return doc.is(i, Class::weekday) && doc.at(i).capital;
}

// "early Monday", "late last week", "earlier this year"
bool read_early(const Document& doc, std::size_t i, Expression& expression) {
  const bool part = doc.is(i, Class::part) && doc.value(i) <= static_cast<int>(Part::late);
  const std::size_t next =
      doc.is(i + 1, Function::on) || (part && doc.is(i + 1, Kind::hyphen)) ? i + 2 : i + 1;
  if (!part && !doc.is_any(i, {Function::earlier, Function::later})) return false;
  if (!counts_from_today(doc, next) || !read_expression(doc, next, expression)) return false;
  if (std::isnan(expression.start_ms) || expression.range || has_no_interval(expression))
    return false;
  expression.first = i;
  expression.relative = true;
  if (part) narrow_to_part(expression, static_cast<Part>(doc.value(i)));
  return true;
}

bool singular(const Document& doc, std::size_t i, Unit& unit) {
  bool plural = false;
  return read_unit(doc, i, false, unit, plural) && !plural && unit >= Unit::weekend &&
         unit <= Unit::century && unit != Unit::season && unit != Unit::half;
}

// "the end of the year", "the beginning of the month": of the one that holds the reference.
bool read_end_of(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Class::part) || doc.value(i) < static_cast<int>(Part::middle) ||
      doc.value(i) == static_cast<int>(Part::turn) || doc.value(i) == static_cast<int>(Part::late))
    return false;
  if (!doc.is(i + 1, Function::of)) return false;
  const Part part = static_cast<Part>(doc.value(i));
  Unit unit{};
  if (doc.is(i + 2, Class::shift)) {
    if (!read_deictic(doc, i + 2, expression) || std::isnan(expression.start_ms)) return false;
  } else {
    if (!doc.is(i + 2, Function::the) || !singular(doc, i + 3, unit) ||
        doc.is(i + 4, Function::of) || doc.is(i + 4, Kind::number))
      return false;
    if (!fill_shifted(doc.reference_day(), unit, 0, expression)) return false;
    expression.last = i + 4;
  }
  expression.first = i;
  expression.relative = true;
  expression.at_unit_end = part == Part::end;
  narrow_to_part(expression, part);
  return true;
}

// "the weekend": the last one, or the coming one where the sentence points ahead. "all week", "for
// the week".
bool read_the_week(const Document& doc, std::size_t i, Expression& expression) {
  Unit unit{};
  if (!singular(doc, i, unit) || unit > Unit::year || doc.at(i).capital ||
      (doc.is(i + 1, Kind::hyphen) && doc.glued(i + 1)))
    return false;
  const bool all = word_is(doc, i - 1, {u"all"}) || word_is(doc, i - 1, {u"All"});
  const bool the = doc.is(i - 1, Function::the),
             full = word_is(doc, i - 1, {u"full"}) && doc.is(i - 2, Function::the);
  const bool led = doc.is(i - 2, Function::for_) || (full && doc.is(i - 3, Function::for_));
  const bool closed =
      !doc.is(i + 1, Kind::word) &&
      !doc.is(i + 1, Kind::number);  // "for the week that ended in May" is not this one
  int steps = 0;
  if (the && unit == Unit::weekend) {
    if (!doc.is_any(i - 2, {Function::over, Function::by, Function::during, Function::for_,
                            Function::throughout, Function::until, Function::on, Function::at,
                            Function::since, Function::through, Function::into, Function::before,
                            Function::after}))
      return false;
    const bool begun = weekday_from_days(doc.reference_day()) >= 5;
    if (!begun && direction_at(doc, i - 1, i + 1) != Direction::ahead) steps = -1;
  } else if (all) {
    if (unit != Unit::week && unit != Unit::year && unit != Unit::weekend) return false;
    const bool over = unit == Unit::weekend && weekday_from_days(doc.reference_day()) < 5;
    if (over && direction_at(doc, i - 1, i + 1) != Direction::ahead) steps = -1;
  } else if (!(the || full) || !led || !closed || unit == Unit::month) {
    return false;
  }
  if (the && unit == Unit::week && weekday_from_days(doc.reference_day()) == 0)
    steps = -1;  // on a Monday the week is over
  // A year is reported when it is over: "for the year, sales grew" in March.
  if (unit == Unit::year && !all && civil_from_days(doc.reference_day()).month <= 3) {
    const Direction direction = direction_at(doc, i - 1, i + 1);
    if (direction == Direction::back || (full && direction == Direction::unknown)) steps = -1;
  }
  if (!fill_shifted(doc.reference_day(), unit, steps, expression)) return false;
  expression.first = all || full ? i - 1 : i;
  expression.last = i + 1;
  expression.relative = true;
  expression.confidence = 0.7f;
  return true;
}

// "two weeks from now", "a year from today"
bool read_from_now(const Document& doc, std::size_t i, Expression& expression) {
  Count count;
  if (!read_count(doc, i, count) || count.vague || count.value != std::floor(count.value))
    return false;
  Unit unit{};
  bool plural = false;
  const std::size_t at = count.last;
  if (!read_unit(doc, at, false, unit, plural) || unit < Unit::day || unit == Unit::season ||
      unit == Unit::half || !doc.is(at + 1, Function::from))
    return false;
  if (!doc.is(at + 2, Class::deictic) ||
      !fill_shifted(doc.reference_day(), unit, static_cast<std::int64_t>(count.value), expression))
    return false;
  expression.first = i;
  expression.last = at + 3;
  expression.relative = true;
  return true;
}

// "the coming weeks", "coming months", "future quarters", "past years": ahead or back, but nobody
// can say how far.
bool read_coming(const Document& doc, std::size_t i, Expression& expression) {
  const bool coming = word_is(doc, i, {u"coming"}) || word_is(doc, i, {u"future"});
  Unit unit{};
  bool plural = false;
  if ((!coming && !word_is(doc, i, {u"past"})) || !read_unit(doc, i + 1, false, unit, plural) ||
      !plural || unit < Unit::hour)
    return false;
  const bool the = doc.is(i - 1, Function::the);
  if (!coming && the) return false;  // "the past years" is a length
  expression.first = the ? i - 1 : i;
  expression.last = i + 2;
  expression.value = coming ? "FUTURE_REF" : "PAST_REF";
  expression.confidence = 0.5f;
  return true;
}

// "one day he will", "One day, it says, they hope to"
bool read_one_day(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Class::cardinal) || doc.value(i) != 1 || !word_is(doc, i + 1, {u"day"}) ||
      doc.is(i - 1, Class::function) || doc.is(i - 1, Class::quantifier))
    return false;
  if (doc.is(i + 2, Function::of) || doc.is(i + 2, Kind::hyphen) || doc.is(i + 2, Kind::dot) ||
      doc.is(i + 2, Kind::end))
    return false;
  if (doc.is_any(i + 2, {Function::ago, Function::later, Function::earlier, Function::before,
                         Function::after, Function::in}))
    return false;
  if (direction_at(doc, i, i + 2) != Direction::ahead) return false;
  expression.first = i;
  expression.last = i + 2;
  expression.value = "FUTURE_REF";
  expression.confidence = 0.5f;
  return true;
}

// "later in the day", "early in the week": the day or week that the report is of. "over the years":
// many of them.
bool read_within(const Document& doc, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  if (!doc.is(i - 1, Function::the) || !read_unit(doc, i, false, unit, plural) ||
      doc.is(i + 1, Function::of) || (doc.is(i + 1, Kind::hyphen) && doc.glued(i + 1)))
    return false;
  expression.last = i + 1;
  if (plural) {
    if (unit < Unit::day || !doc.is(i - 2, Function::over) || doc.is(i + 1, Kind::number))
      return false;
    expression.first = i - 1;
    expression.type = TimexType::duration;
    expression.value = duration_text("X", unit);
    expression.confidence = 0.7f;
    return true;
  }
  const bool part =
      doc.is_any(i - 3, {Function::later, Function::earlier}) ||
      (doc.is(i - 3, Class::part) && doc.value(i - 3) <= static_cast<int>(Part::late));
  std::int64_t day = 0;
  if (!part || !doc.is(i - 2, Function::in) || unit < Unit::day || unit > Unit::year ||
      unit == Unit::season || unit == Unit::half || unit == Unit::quarter)
    return false;
  if (!anchor_day(doc, i, day) ||
      !fill_shifted(unit == Unit::day ? day : doc.reference_day(), unit, 0, expression))
    return false;
  expression.first = i;
  expression.relative = true;
  return true;
}

// "by mid-week", "mid-year", "mid-century": the middle of the one that holds the reference.
bool read_middle_of_unit(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Class::part) || doc.value(i) != static_cast<int>(Part::middle) ||
      doc.word(i).size() != 3)
    return false;
  Unit unit{};
  if (!doc.is(i + 1, Kind::hyphen) || !doc.glued(i + 1) || !doc.glued(i + 2) ||
      !singular(doc, i + 2, unit))
    return false;
  if (unit < Unit::week || doc.is(i + 3, Kind::hyphen) ||
      !fill_shifted(doc.reference_day(), unit, 0, expression))
    return false;
  expression.first = i;
  expression.last = i + 3;
  expression.relative = true;
  narrow_to_part(expression, Part::middle);
  return true;
}

// "half a century ago", "a quarter-century ago", "two summers ago"
bool read_far_ago(const Document& doc, std::size_t i, Expression& expression) {
  const std::int64_t year = civil_from_days(doc.reference_day()).year;
  if (doc.is(i, Class::cardinal)) {
    constexpr std::u16string_view seasons[] = {u"springs", u"summers", u"autumns", u"winters"};
    for (int season = 0; season < 4; ++season) {
      if (!word_is(doc, i + 1, {seasons[season]}) || !doc.is(i + 2, Function::ago)) continue;
      fill_season(expression, year - doc.value(i), season);
      expression.first = i;
      expression.last = i + 3;
      expression.relative = true;
      return true;
    }
    return false;
  }
  const std::size_t part = doc.is(i, Function::a) ? i + 1 : i;
  const bool half = doc.is(part, Unit::half);
  if (!half && !doc.is(part, Unit::quarter)) return false;
  const std::size_t century =
      doc.is(part + 1, Kind::hyphen) || (half && doc.is(part + 1, Function::a)) ? part + 2
                                                                                : part + 1;
  if (!doc.is(century, Unit::century) || !doc.is(century + 1, Function::ago)) return false;
  fill_year(expression, year - (half ? 50 : 25));
  expression.first = with_modifiers(doc, i);
  expression.last = century + 2;
  expression.relative = true;
  expression.confidence = 0.7f;
  return true;
}

// "fiscal 1991", "fiscal year 1991", "the fiscal year"
bool read_fiscal(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Function::fiscal)) return false;
  const std::size_t year = doc.is(i + 1, Unit::year) ? i + 2 : i + 1;
  expression.first = i;
  if (doc.is(year, Kind::number) && is_year_number(doc, year)) {
    fill_year(expression, doc.at(year).number);
    expression.last = year + 1;
    return true;
  }
  if (year == i + 1 || !doc.is(i - 1, Function::the) || word_is(doc, year - 1, {u"years"}))
    return false;
  fill_year(expression, civil_from_days(doc.reference_day()).year);
  expression.last = year;
  expression.relative = true;
  return true;
}

}  // namespace

bool read_modified_unit(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.mode != Mode::news || !doc.has_reference()) return false;
  return read_early(doc, i, expression) || read_end_of(doc, i, expression) ||
         read_the_week(doc, i, expression) || read_from_now(doc, i, expression) ||
         read_coming(doc, i, expression) || read_one_day(doc, i, expression) ||
         read_within(doc, i, expression) || read_far_ago(doc, i, expression) ||
         read_middle_of_unit(doc, i, expression) || read_fiscal(doc, i, expression);
}

void extend_by_shifted_year(const Document& doc, Expression& expression) {
  if (!expression.underspecified || expression.range || doc.mode != Mode::news ||
      !doc.has_reference())
    return;
  const std::size_t shift =
      doc.is(expression.last, Function::of) ? expression.last + 1 : expression.last;
  if (!doc.is(shift, Class::shift) || !doc.is(shift + 1, Unit::year) ||
      doc.word(shift + 1).back() == u's')
    return;
  resolve_year(expression, civil_from_days(doc.reference_day()).year + doc.value(shift) - 1);
  expression.last = shift + 2;
}

}  // namespace asof::timetag
