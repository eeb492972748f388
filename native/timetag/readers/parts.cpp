// Parts of calendar units: "the late 1970s", "mid-June 1998", "summer of 1918", "the fourth quarter
// of 2015", "Q3 2020", "the first half of the 19th century".
#include "timetag/readers/readers.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

std::size_t skip_of_the(const Scene& scene, std::size_t i) {
  if (scene.is(i, Kind::hyphen)) ++i;
  if (scene.is(i, Function::of)) ++i;
  if (scene.is(i, Function::the)) ++i;
  if (scene.is(i, Function::fiscal)) ++i;
  if (scene.is(i, Unit::year)) ++i;
  return i;
}

// "the turn of the 20th century": five years on either side.
bool read_turn(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i + 1, Function::of) ||
      !read_century(scene, skip_of_the(scene, i + 1), expression) || expression.range)
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
bool read_part_pair(const Scene& scene, std::size_t i, Expression& expression) {
  int ordinal = 0;
  std::size_t next = 0;
  if (!read_ordinal(scene, scene.is(i + 1, Kind::hyphen) ? i + 2 : i + 1, ordinal, next))
    return false;
  if (!scene.is_any(next, {Function::and_, Function::to, Function::or_, Function::until}) &&
      !scene.dash(next))
    return false;
  const bool listed = scene.is_any(next, {Function::and_, Function::or_});
  const std::size_t part = scene.is(next + 1, Function::the) ? next + 2 : next + 1;
  if (!scene.is(part, Class::part) || scene.is(part + 1, Class::part)) return false;
  Expression second;
  if (!read_century(scene, skip_of_the(scene, part + 1), second) || second.range) return false;
  narrow_to_part(second, static_cast<Part>(scene.value(part)));
  fill_century(expression, ordinal, second.start_ms < days_from_civil(1, 1, 1) * day_ms);
  narrow_to_part(expression, static_cast<Part>(scene.value(i)));
  if (second.start_ms < expression.start_ms) return false;
  expression.first = i;
  expression.last = next;
  second.first = part;
  join(expression, second);
  expression.one_stretch = listed;
  return true;
}

// "that winter", "in the summer", "the Spring Offensive": in a story only, where its date says of
// which year.
bool read_season_alone(const Scene& scene, std::size_t i, Expression& expression) {
  const bool news = scene.mode == Mode::news;
  const bool known = news ? scene.has_reference() : scene.told.known();
  const Token& next = scene.at(i + 1);
  const bool name = scene.at(i).capital && next.kind == Kind::word && next.capital;
  if (name && (news || !(scene.word(i + 1).ends_with(u"ffensive") ||
                         scene.word(i + 1) == u"Campaign" || scene.word(i + 1) == u"War")))
    return false;  // "the Winter Games"
  if (scene.is(i + 1, Function::of) ||
      (scene.is(i + 1, Kind::hyphen) && !scene.is(i + 2, Class::season)))
    return false;
  const bool listed = (scene.is_any(i + 1, {Function::and_, Function::or_}) || scene.dash(i + 1)) &&
                      scene.is(i + 2, Class::season);
  const auto leads = [&](std::size_t j) {
    return scene.is_any(
        j, {Function::in, Function::by, Function::during, Function::throughout, Function::over,
            Function::until, Function::since, Function::from, Function::before, Function::after,
            Function::of, Function::that, Function::through});
  };
  std::size_t before = i - 1;
  if (scene.is(before, Class::part) ||
      (scene.is(before, Kind::hyphen) && scene.is(before - 1, Class::part)))
    before -= scene.is(before, Kind::hyphen) ? 2 : 1;
  const bool article = scene.is(before, Function::the) || scene.is(before, Class::shift);
  const bool fall = scene.value(i) == 2 && scene.at(i).end - scene.at(i).begin == 4;
  const bool led = leads(before) || (article && (!fall || leads(before - 1))) ||
                   (scene.is(before, Function::and_) && scene.is(before - 1, Class::season));
  // "winter quarters": of any year. "Spring" is a coil or a well as often.
  const bool generic = scene.takes_generic() && !scene.at(i).capital && next.kind == Kind::word &&
                       !next.capital &&
                       (next.lexeme.cls == Class::unknown || scene.is(i + 1, Unit::quarter)) &&
                       scene.value(i) != 0 && !fall && !led && !article;
  if (!generic && !listed && !(known && (name || led))) return false;
  if (fall && name) return false;
  constexpr const char* values[] = {"XXXX-SP", "XXXX-SU", "XXXX-FA", "XXXX-WI"};
  expression.first = before == i - 1 && scene.is(before, Function::that) ? before : i;
  expression.last = i + 1;
  expression.granularity = Granularity::season;
  expression.value = values[scene.value(i)];
  expression.confidence = generic ? 0.4f : 0.7f;
  if (generic) return true;
  expression.lacks_year = true;
  expression.season = scene.value(i);
  // "the Spring Offensive of 1918"
  Expression year;
  if (name && scene.is(i + 2, Function::of) && read_years(scene, i + 3, year) && !year.range &&
      year.year != no_year)
    resolve_year(expression, year.year);
  return true;
}

}  // namespace

bool read_year_and_season(const Scene& scene, std::size_t i, Expression& expression) {
  if (!year_number(scene, i) || !scene.is(i + 1, Class::season) || scene.at(i + 1).capital ||
      scene.glued(i + 1) || !clean_number(scene, i))
    return false;
  fill_season(expression, scene.at(i).number, scene.value(i + 1));
  expression.first = i;
  expression.last = i + 2;
  return true;
}

bool read_whole(const Scene& scene, std::size_t i, Expression& whole) {
  return read_decade(scene, i, whole) || read_century(scene, i, whole) ||
         read_season(scene, i, whole) ||
         (scene.is(i, Class::month) && read_month_first(scene, i, whole)) ||
         (scene.is(i, Class::shift) && read_relative(scene, i, whole)) ||
         read_years(scene, i, whole);
}

bool read_part(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Class::part)) return false;
  const Part first = static_cast<Part>(scene.value(i));
  Part second = first;
  if (first == Part::turn) return read_turn(scene, i, expression);
  if (read_part_pair(scene, i, expression)) return true;
  // "the end of 2016"; "does the season end 2017" has a verb.
  if (first >= Part::beginning && !scene.is(i + 1, Function::of)) return false;
  const bool apart = scene.is(i + 1, Function::in) &&
                     (first == Part::early || first == Part::late);  // "late in 2012"
  std::size_t next = i + 1;
  const bool hyphen = scene.is(next, Kind::hyphen);
  // "early to mid 1990s", "mid-to-late 1970s", "mid- to late 1970s"
  const std::size_t to = hyphen ? next + 1 : next;
  if (scene.is_any(to, {Function::to, Function::or_, Function::and_})) {
    const std::size_t other = scene.is(to + 1, Kind::hyphen) ? to + 2 : to + 1;
    if (!scene.is(other, Class::part)) return false;
    second = static_cast<Part>(scene.value(other));
    next = other + 1;
  }
  if ((scene.is(next, Class::unit) || scene.is(next, Function::share)) &&
      scene.is(next + 1, Function::of))
    ++next;  // "the early months of", "the early part of"
  if (scene.story() && scene.is(next, Function::of) &&
      read_told_unit(scene, next + 1, expression) && expression.granularity >= Granularity::month &&
      expression.granularity <= Granularity::century) {
    narrow_to_part(expression, first);
    expression.first = i;
    expression.ends_unit = first == Part::end;
    return true;
  }
  expression = Expression();
  next = skip_of_the(scene, apart ? next + 1 : next);
  if (!read_whole(scene, next, expression) || expression.day > 0) return false;
  if (expression.range && !expression.one_stretch) return false;
  expression.first = i;
  expression.bare_year = false;
  if (expression.lacks_year) {
    expression.part = static_cast<int>(first);
    expression.ends_unit = first == Part::end;
    expression.granularity = Granularity::part_of_month;
    return true;
  }
  Expression end = expression;
  narrow_to_part(expression, first);
  if (second != first) {
    narrow_to_part(end, second);
    if (end.end_ms > expression.start_ms) expression.end_ms = end.end_ms;
  }
  expression.ends_unit = first == Part::end;
  return true;
}

// "the later 1830s", "in later 1917", "the earlier 19th century"
bool read_later(const Scene& scene, std::size_t i, Expression& expression) {
  const bool later = scene.is(i, Function::later);
  if ((!later && !scene.is(i, Function::earlier)) ||
      !scene.is_any(i - 1,
                    {Function::the, Function::in, Function::by, Function::of, Function::during}))
    return false;
  if (!read_decade(scene, i + 1, expression) && !read_century(scene, i + 1, expression) &&
      !(scene.is(i + 1, Kind::number) && read_years(scene, i + 1, expression)))
    return false;
  if (expression.range ||
      (expression.granularity == Granularity::year && !scene.is(i - 1, Function::in)))
    return false;
  narrow_to_part(expression, later ? Part::late : Part::early);
  expression.first = i;
  expression.bare_year = false;
  return true;
}

bool read_season(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Class::season)) return false;
  std::size_t next = i + 1;
  if (scene.is(next, Kind::comma) || scene.is(next, Function::of) || scene.is(next, Function::in))
    ++next;
  if (scene.is(next, Function::the) && scene.is(next + 1, Unit::year)) next += 2;
  Expression year;
  const bool dated = read_years(scene, next, year) ||
                     (scene.is(next, Kind::apostrophe) && read_short_year(scene, next, year));
  if (!dated || year.year == no_year) return read_season_alone(scene, i, expression);
  expression.first = i;
  const std::int64_t first =
      civil_from_days(static_cast<std::int64_t>(year.start_ms / day_ms)).year;
  // "winter 1939-40": the winter that begins in the first of the two years.
  if (year.range && (scene.value(i) != 3 || year.year != first + 1)) return false;
  fill_season(expression, year.range ? first : year.year, scene.value(i));
  expression.last = year.last;
  return true;
}

bool read_fraction(const Scene& scene, std::size_t i, Expression& expression) {
  // "Q3 2020", "H1 of 2021", "2020 Q3"
  const auto letter = [&](std::size_t j, int& index, int& count) {
    const bool quarter = scene.is(j, Function::quarter_letter);
    if ((!quarter && !scene.is(j, Function::half_letter)) || !scene.at(j).capital ||
        !scene.is(j + 1, Kind::number) || !scene.glued(j + 1))
      return false;
    count = quarter ? 4 : 2;
    index = static_cast<int>(scene.at(j + 1).number) - 1;
    return scene.at(j + 1).digits == 1 && index >= 0 && index < count;
  };
  int index = 0, count = 0, ordinal = 0;
  std::size_t next = 0;
  if (letter(i, index, count)) {
    next = skip_of_the(scene, i + 2);
    if (!read_years(scene, next, expression) || expression.range) return false;
  } else if (scene.is(i, Kind::number) && scene.at(i).digits == 1 && scene.glued(i + 1) &&
             scene.at(i + 1).capital &&
             scene.is_any(i + 1, {Function::quarter_letter, Function::half_letter})) {
    // "2Q 2013"
    count = scene.is(i + 1, Function::quarter_letter) ? 4 : 2;
    index = static_cast<int>(scene.at(i).number) - 1;
    if (index < 0 || index >= count || !read_years(scene, skip_of_the(scene, i + 2), expression) ||
        expression.range)
      return false;
  } else if (scene.is(i, Kind::number) && year_number(scene, i) && letter(i + 1, index, count)) {
    fill_year(expression, scene.at(i).number);
    expression.last = i + 3;
  } else if (read_ordinal(scene, i, ordinal, next) ||
             (scene.is(i, Class::shift) && scene.value(i) == 0) || scene.is(i, Class::edge)) {
    if (ordinal == 0) next = i + 1;  // "the last quarter of 2015", "the final quarter"
    if (scene.is(i, Class::edge) && scene.value(i) == 0) ordinal = 1;
    if (scene.is(next, Kind::hyphen)) ++next;
    const bool quarter = scene.is(next, Unit::quarter);
    if (!quarter && !scene.is(next, Unit::half)) return false;
    count = quarter ? 4 : 2;
    index = ordinal == 0 ? count - 1 : ordinal - 1;
    const std::size_t whole = skip_of_the(scene, next + 1);
    if (index >= count || !read_whole(scene, whole, expression) || expression.range ||
        expression.lacks_year || expression.day > 0)
      return false;
  } else {
    return false;
  }
  if (std::isnan(expression.start_ms))
    return false;  // half of what has no place yet: "the first half of winter"
  expression.first = i;
  expression.bare_year = false;
  narrow_to_fraction(expression, index, count);
  return true;
}

}  // namespace asof::timetag
