// Tries the readers in the order in which a longer reading wins: dates before months, decades
// before years.
#include "timetag/readers/readers.hpp"

namespace asof::timetag {
namespace {

using Reader = bool (*)(const Scene&, std::size_t, Expression&);

template <std::size_t count>
bool first_of(const Reader (&readers)[count], const Scene& scene, std::size_t i,
              Expression& expression) {
  for (Reader reader : readers) {
    expression = Expression();
    if (reader(scene, i, expression)) return true;
  }
  return false;
}

bool read_without_clock(const Scene& scene, std::size_t i, Expression& expression) {
  static constexpr Reader of_number[] = {
      read_numeric_date, read_day_month, read_clock,    read_century,         read_fraction,
      read_stretch_of,   read_report,    read_decade,   read_modified,        read_anaphora,
      read_relative,     read_set,       read_duration, read_year_and_season, read_years};
  static constexpr Reader of_month[] = {read_report, read_month_first};
  static constexpr Reader of_weekday[] = {read_holiday, read_weekday};
  static constexpr Reader of_season[] = {read_season};
  static constexpr Reader of_part[] = {read_modified, read_part, read_anaphora};
  static constexpr Reader of_ordinal[] = {
      read_clock,    read_century,  read_fraction, read_stretch_of, read_report,  read_day_month,
      read_modified, read_anaphora, read_relative, read_set,        read_duration};
  static constexpr Reader of_shift[] = {read_holiday,    read_daypart,  read_fraction,
                                        read_stretch_of, read_modified, read_anaphora,
                                        read_relative,   read_duration, read_reference};
  static constexpr Reader of_quantity[] = {read_daypart,  read_report, read_modified, read_anaphora,
                                           read_relative, read_set,    read_duration};
  static constexpr Reader of_unit[] = {read_holiday,  read_clock,    read_stretch_of,
                                       read_report,   read_modified, read_anaphora,
                                       read_duration, read_reference};
  static constexpr Reader of_later[] = {read_later, read_modified, read_anaphora};
  static constexpr Reader of_edge[] = {read_fraction, read_stretch_of, read_duration};
  static constexpr Reader of_reference[] = {read_modified, read_reference};
  static constexpr Reader of_relative[] = {read_daypart, read_relative};
  static constexpr Reader of_daypart[] = {read_clock, read_daypart};
  static constexpr Reader of_anaphora[] = {read_modified, read_anaphora};
  static constexpr Reader of_holiday[] = {read_holiday};
  static constexpr Reader of_set[] = {read_set};
  static constexpr Reader of_letter[] = {read_fraction, read_report, read_years};
  static constexpr Reader of_apostrophe[] = {read_decade, read_short_year};
  const Token& token = scene.at(i);
  if (token.kind == Kind::number) return first_of(of_number, scene, i, expression);
  if (token.kind == Kind::apostrophe) return first_of(of_apostrophe, scene, i, expression);
  if (token.kind != Kind::word) return false;
  switch (token.lexeme.cls) {
    case Class::month:
      if (scene.is(i + 1, Unit::day) && first_of(of_holiday, scene, i, expression))
        return true;  // "May Day"
      return first_of(of_month, scene, i, expression);
    case Class::weekday:
      return first_of(of_weekday, scene, i, expression);
    case Class::tens:
      return first_of(of_apostrophe, scene, i, expression);
    case Class::season:
      return first_of(of_season, scene, i, expression);
    case Class::edge:
      return first_of(of_edge, scene, i, expression);
    case Class::part:  // "the early hours of Thursday"
      if (scene.is(i + 1, Unit::hour) || scene.is(i + 1, Class::daypart)) {
        expression = Expression();
        if (read_daypart(scene, i, expression)) return true;
      }
      return first_of(of_part, scene, i, expression);
    case Class::ordinal:
    case Class::cardinal:
      return first_of(of_ordinal, scene, i, expression);
    case Class::shift:
      return first_of(of_shift, scene, i, expression);
    case Class::vague:
    case Class::thing:
      return first_of(of_quantity, scene, i, expression);
    case Class::unit:
      if (scene.is(i, Unit::weekend) && first_of(of_set, scene, i, expression)) return true;
      return first_of(of_unit, scene, i, expression);
    case Class::quantifier:
      return first_of(of_quantity, scene, i, expression);
    case Class::tense:
      return first_of(of_reference, scene, i, expression);
    case Class::deictic:
      return first_of(of_relative, scene, i, expression);
    case Class::holiday:
      return first_of(of_holiday, scene, i, expression);
    case Class::recurring:
    case Class::periodic:
    case Class::weekdays:
      return first_of(of_set, scene, i, expression);
    case Class::daypart:
      return first_of(of_daypart, scene, i, expression);
    case Class::era:
      return first_of(of_letter, scene, i, expression);
    case Class::function:
      if (scene.is(i, Function::a) && token.capital && scene.is(i + 1, Kind::dot))
        return first_of(of_letter, scene, i, expression);  // "A.D. 79"
      if (scene.is_any(i, {Function::a, Function::some, Function::following, Function::preceding}))
        return first_of(of_quantity, scene, i, expression);
      if (scene.is_any(i, {Function::that, Function::later, Function::earlier}))
        return first_of(of_later, scene, i, expression);
      if (scene.is_any(i, {Function::present, Function::time}))
        return first_of(of_reference, scene, i, expression);
      if (scene.is(i, Function::share))
        return (scene.word(i)[0] | 32) == u'm' &&
               first_of(of_set, scene, i, expression);  // "most mornings"
      if (scene.is(i, Function::fiscal)) return first_of(of_anaphora, scene, i, expression);
      return scene.is_any(i, {Function::quarter_letter, Function::half_letter}) &&
             first_of(of_letter, scene, i, expression);
    case Class::unknown:  // "New Year's Eve", "C.E. 79"
      if (token.capital && scene.is(i + 1, Unit::year) && scene.at(i + 1).capital)
        return first_of(of_holiday, scene, i, expression);
      return token.end - token.begin == 1 && token.capital && scene.is(i + 1, Kind::dot) &&
             first_of(of_letter, scene, i, expression);
    default:
      return false;
  }
}

}  // namespace

bool read_expression(const Scene& scene, std::size_t i, Expression& expression) {
  if (!read_without_clock(scene, i, expression)) return false;
  extend_by_clock(scene, expression);
  return true;
}

}  // namespace asof::timetag
