// Parts of calendar units: "the late 1970s", "mid-June 1998", "summer of 1918", "the fourth quarter
// of 2015", "Q3 2020", "the first half of the 19th century".
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

std::size_t skip_of_the(const Document& doc, std::size_t i) {
  if (doc.is(i, Kind::hyphen)) ++i;
  if (doc.is(i, Function::of)) ++i;
  if (doc.is(i, Function::the)) ++i;
  if (doc.is(i, Function::fiscal)) ++i;
  if (doc.is(i, Unit::year)) ++i;
  return i;
}

// "the turn of the 20th century": five years on either side.
bool read_turn(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i + 1, Function::of) || !read_century(doc, skip_of_the(doc, i + 1), expression) ||
      expression.range)
    return false;
  const std::int64_t year =
      civil_from_days(static_cast<std::int64_t>(expression.start_ms / day_ms)).year;
  fill_days(expression, days_from_civil(year - 5, 1, 1), days_from_civil(year + 5, 1, 1),
            Granularity::part_of_century);
  expression.first = i;
  expression.confidence = 0.8f;
  return true;
}

// "late 18th and early 19th centuries": the second names the unit of both.
bool read_part_pair(const Document& doc, std::size_t i, Expression& expression) {
  int ordinal = 0;
  std::size_t next = 0;
  if (!read_ordinal(doc, doc.is(i + 1, Kind::hyphen) ? i + 2 : i + 1, ordinal, next)) return false;
  if (!doc.is_any(next, {Function::and_, Function::to, Function::or_, Function::until}) &&
      !doc.dash(next))
    return false;
  const bool listed = doc.is_any(next, {Function::and_, Function::or_});
  const std::size_t part = doc.is(next + 1, Function::the) ? next + 2 : next + 1;
  if (!doc.is(part, Class::part) || doc.is(part + 1, Class::part)) return false;
  Expression second;
  if (!read_century(doc, skip_of_the(doc, part + 1), second) || second.range) return false;
  narrow_to_part(second, static_cast<Part>(doc.value(part)));
  fill_century(expression, ordinal, second.start_ms < days_from_civil(1, 1, 1) * day_ms);
  narrow_to_part(expression, static_cast<Part>(doc.value(i)));
  if (second.start_ms < expression.start_ms) return false;
  expression.first = i;
  expression.last = next;
  second.first = part;
  join(expression, second);
  expression.single_interval = listed;
  return true;
}

// "that winter", "in the summer", "the Spring Offensive": in narrative only, of the anchor's year.
bool read_season_alone(const Document& doc, std::size_t i, Expression& expression) {
  const bool news = doc.mode == Mode::news;
  const bool known = news ? doc.has_reference() : doc.anchor.known();
  const Token& next = doc.at(i + 1);
  const bool name = doc.at(i).capital && next.kind == Kind::word && next.capital;
  if (name && (news || !(doc.word(i + 1).ends_with(u"ffensive") || doc.word(i + 1) == u"Campaign" ||
                         doc.word(i + 1) == u"War")))
    return false;  // "the Winter Games"
  if (doc.is(i + 1, Function::of) || (doc.is(i + 1, Kind::hyphen) && !doc.is(i + 2, Class::season)))
    return false;
  const bool listed = (doc.is_any(i + 1, {Function::and_, Function::or_}) || doc.dash(i + 1)) &&
                      doc.is(i + 2, Class::season);
  const auto is_determined_by = [&](std::size_t j) {
    return doc.is_any(
        j, {Function::in, Function::by, Function::during, Function::throughout, Function::over,
            Function::until, Function::since, Function::from, Function::before, Function::after,
            Function::of, Function::that, Function::through});
  };
  std::size_t before = i - 1;
  if (doc.is(before, Class::part) ||
      (doc.is(before, Kind::hyphen) && doc.is(before - 1, Class::part)))
    before -= doc.is(before, Kind::hyphen) ? 2 : 1;
  const bool article = doc.is(before, Function::the) || doc.is(before, Class::shift);
  const bool fall = doc.value(i) == 2 && doc.at(i).end - doc.at(i).begin == 4;
  const bool determined = is_determined_by(before) ||
                          (article && (!fall || is_determined_by(before - 1))) ||
                          (doc.is(before, Function::and_) && doc.is(before - 1, Class::season));
  // "winter quarters": of any year. "Spring" is a coil or a well as often.
  const bool generic = doc.tags_generic() && !doc.at(i).capital && next.kind == Kind::word &&
                       !next.capital &&
                       (next.lexeme.cls == Class::unknown || doc.is(i + 1, Unit::quarter)) &&
                       doc.value(i) != 0 && !fall && !determined && !article;
  if (!generic && !listed && !(known && (name || determined))) return false;
  if (fall && name) return false;
  constexpr const char* values[] = {"XXXX-SP", "XXXX-SU", "XXXX-FA", "XXXX-WI"};
  expression.first = before == i - 1 && doc.is(before, Function::that) ? before : i;
  expression.last = i + 1;
  expression.granularity = Granularity::season;
  expression.value = values[doc.value(i)];
  expression.confidence = generic ? 0.4f : 0.7f;
  if (generic) return true;
  expression.underspecified = true;
  expression.season = doc.value(i);
  // "the Spring Offensive of 1918"
  Expression year;
  if (name && doc.is(i + 2, Function::of) && read_years(doc, i + 3, year) && !year.range &&
      year.year != no_year)
    resolve_year(expression, year.year);
  return true;
}

}  // namespace

bool read_year_and_season(const Document& doc, std::size_t i, Expression& expression) {
  if (!is_year_number(doc, i) || !doc.is(i + 1, Class::season) || doc.at(i + 1).capital ||
      doc.glued(i + 1) || !is_plain_number(doc, i))
    return false;
  fill_season(expression, doc.at(i).number, doc.value(i + 1));
  expression.first = i;
  expression.last = i + 2;
  return true;
}

bool read_whole(const Document& doc, std::size_t i, Expression& whole) {
  return read_decade(doc, i, whole) || read_century(doc, i, whole) || read_season(doc, i, whole) ||
         (doc.is(i, Class::month) && read_month_first(doc, i, whole)) ||
         (doc.is(i, Class::shift) && read_deictic(doc, i, whole)) || read_years(doc, i, whole) ||
         (doc.question && read_short_year(doc, i, whole));
}

bool read_part(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Class::part)) return false;
  const Part first = static_cast<Part>(doc.value(i));
  Part second = first;
  if (first == Part::turn) return read_turn(doc, i, expression);
  if (read_part_pair(doc, i, expression)) return true;
  // "the end of 2016"; "does the season end 2017" has a verb.
  if (first >= Part::beginning && !doc.is(i + 1, Function::of)) return false;
  const bool apart = doc.is(i + 1, Function::in) &&
                     (first == Part::early || first == Part::late);  // "late in 2012"
  std::size_t next = i + 1;
  const bool hyphen = doc.is(next, Kind::hyphen);
  // "early to mid 1990s", "mid-to-late 1970s", "mid- to late 1970s"
  const std::size_t to = hyphen ? next + 1 : next;
  if (doc.is_any(to, {Function::to, Function::or_, Function::and_})) {
    const std::size_t other = doc.is(to + 1, Kind::hyphen) ? to + 2 : to + 1;
    if (!doc.is(other, Class::part)) return false;
    second = static_cast<Part>(doc.value(other));
    next = other + 1;
  }
  if ((doc.is(next, Class::unit) || doc.is(next, Function::share)) &&
      doc.is(next + 1, Function::of))
    ++next;  // "the early months of", "the early part of"
  if (doc.narrative() && doc.is(next, Function::of) &&
      read_anchored_unit(doc, next + 1, expression) &&
      expression.granularity >= Granularity::month &&
      expression.granularity <= Granularity::century) {
    narrow_to_part(expression, first);
    expression.first = i;
    expression.at_unit_end = first == Part::end;
    return true;
  }
  expression = Expression();
  next = skip_of_the(doc, apart ? next + 1 : next);
  if (!read_whole(doc, next, expression) || expression.day > 0) return false;
  if (expression.range && !expression.single_interval) return false;
  expression.first = i;
  expression.bare_year = false;
  if (expression.underspecified) {
    expression.part = static_cast<int>(first);
    expression.at_unit_end = first == Part::end;
    expression.granularity = Granularity::part_of_month;
    return true;
  }
  Expression end = expression;
  narrow_to_part(expression, first);
  if (second != first) {
    narrow_to_part(end, second);
    if (end.end_ms > expression.start_ms) expression.end_ms = end.end_ms;
  }
  expression.at_unit_end = first == Part::end;
  return true;
}

// "the later 1830s", "in later 1917", "the earlier 19th century"
bool read_later(const Document& doc, std::size_t i, Expression& expression) {
  const bool later = doc.is(i, Function::later);
  if ((!later && !doc.is(i, Function::earlier)) ||
      !doc.is_any(i - 1,
                  {Function::the, Function::in, Function::by, Function::of, Function::during}))
    return false;
  if (!read_decade(doc, i + 1, expression) && !read_century(doc, i + 1, expression) &&
      !(doc.is(i + 1, Kind::number) && read_years(doc, i + 1, expression)))
    return false;
  if (expression.range ||
      (expression.granularity == Granularity::year && !doc.is(i - 1, Function::in)))
    return false;
  narrow_to_part(expression, later ? Part::late : Part::early);
  expression.first = i;
  expression.bare_year = false;
  return true;
}

bool read_season(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Class::season)) return false;
  std::size_t next = i + 1;
  if (doc.is(next, Kind::comma) || doc.is(next, Function::of) || doc.is(next, Function::in)) ++next;
  if (doc.is(next, Function::the) && doc.is(next + 1, Unit::year)) next += 2;
  Expression year;
  const bool dated = read_years(doc, next, year) ||
                     (doc.is(next, Kind::apostrophe) && read_short_year(doc, next, year));
  if (!dated || year.year == no_year) return read_season_alone(doc, i, expression);
  expression.first = i;
  const std::int64_t first =
      civil_from_days(static_cast<std::int64_t>(year.start_ms / day_ms)).year;
  // "winter 1939-40": the winter that begins in the first of the two years.
  if (year.range && (doc.value(i) != 3 || year.year != first + 1)) return false;
  fill_season(expression, year.range ? first : year.year, doc.value(i));
  expression.last = year.last;
  return true;
}

namespace {

// "FY24", "'24" after a quarter or half: the year of two digits, in the century before 2070.
bool read_fiscal_year(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.is(i, Kind::apostrophe)) return read_short_year(doc, i, expression);
  if (!doc.is(i, Kind::number) || doc.at(i).digits != 2 || !doc.glued(i) ||
      !(doc.is(i - 1, Function::fiscal) || doc.question))
    return false;
  const std::int64_t number = doc.at(i).number;
  fill_year(expression, number + (number < 70 ? 2000 : 1900));
  expression.last = i + 1;
  return true;
}

}  // namespace

bool read_fraction(const Document& doc, std::size_t i, Expression& expression) {
  // "Q3 2020", "H1 of 2021", "2020 Q3", "2020-q3", "Q3 FY24", "FY24 Q3"
  const auto letter = [&](std::size_t j, int& index, int& count) {
    const bool quarter = doc.is(j, Function::quarter_letter);
    if ((!quarter && !(doc.is(j, Function::half_letter) && doc.at(j).capital)) ||
        !doc.is(j + 1, Kind::number) || !doc.glued(j + 1))
      return false;
    count = quarter ? 4 : 2;
    index = static_cast<int>(doc.at(j + 1).number) - 1;
    return doc.at(j + 1).digits == 1 && index >= 0 && index < count;
  };
  int index = 0, count = 0, ordinal = 0;
  std::size_t next = 0;
  const std::size_t after_hyphen = doc.is(i + 1, Kind::hyphen) && doc.glued(i + 1) ? i + 2 : i + 1;
  if (letter(i, index, count)) {
    next = skip_of_the(doc, i + 2);
    if ((!read_fiscal_year(doc, next, expression) && !read_years(doc, next, expression)) ||
        expression.range)
      return false;
  } else if (doc.is(i, Kind::number) && doc.at(i).digits == 1 && doc.glued(i + 1) &&
             doc.at(i + 1).capital &&
             doc.is_any(i + 1, {Function::quarter_letter, Function::half_letter})) {
    // "2Q 2013"
    count = doc.is(i + 1, Function::quarter_letter) ? 4 : 2;
    index = static_cast<int>(doc.at(i).number) - 1;
    next = skip_of_the(doc, i + 2);
    const bool short_year = doc.question && read_fiscal_year(doc, next, expression);  // "2Q04"
    if (index < 0 || index >= count || !(short_year || read_years(doc, next, expression)) ||
        expression.range)
      return false;
  } else if (doc.is(i, Kind::number) && is_year_number(doc, i) &&
             letter(after_hyphen, index, count)) {
    fill_year(expression, doc.at(i).number);
    expression.last = after_hyphen + 2;
  } else if (doc.is(i, Kind::number) && letter(i + 1, index, count) &&
             read_fiscal_year(doc, i, expression)) {
    expression.last = i + 3;
  } else if (read_ordinal(doc, i, ordinal, next) ||
             (doc.is(i, Class::shift) && doc.value(i) == 0) || doc.is(i, Class::edge)) {
    if (ordinal == 0) next = i + 1;  // "the last quarter of 2015", "the final quarter"
    if (doc.is(i, Class::edge) && doc.value(i) == 0) ordinal = 1;
    if (doc.is(next, Kind::hyphen) || (doc.question && doc.is(next, Function::fiscal))) ++next;
    const bool quarter = doc.is(next, Unit::quarter);
    if (!quarter && !doc.is(next, Unit::half)) return false;
    count = quarter ? 4 : 2;
    index = ordinal == 0 ? count - 1 : ordinal - 1;
    const std::size_t whole = skip_of_the(doc, next + 1);
    if (index >= count || !read_whole(doc, whole, expression)) return false;
    if (doc.question && expression.underspecified) resolve_in_news(doc, expression);
    if (expression.range || expression.underspecified || expression.day > 0) return false;
  } else {
    return false;
  }
  if (std::isnan(expression.start_ms))
    return false;  // half of what has no place yet: "the first half of winter"
  expression.first = i;
  expression.bare_year = false;
  // "Q1 2020 results": a number after a quarter counts nothing.
  if (expression.granularity == Granularity::year) expression.confidence = 0.95f;
  narrow_to_fraction(expression, index, count);
  return true;
}

}  // namespace asof::timetag
