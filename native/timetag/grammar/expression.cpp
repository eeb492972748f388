// Order of the rules, in which the longer match wins: dates before months, decades before years.
#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {

using Rule = bool (*)(const Document&, std::size_t, Expression&);

template <std::size_t count>
bool first_match(const Rule (&rules)[count], const Document& doc, std::size_t i,
                 Expression& expression) {
  for (Rule rule : rules) {
    expression = Expression();
    if (rule(doc, i, expression)) return true;
  }
  return false;
}

constexpr Rule of_number[] = {
    read_numeric_date, read_day_month,     read_time_of_day, read_century,         read_fraction,
    read_subinterval,  read_fiscal_period, read_decade,      read_modified_unit,   read_anaphora,
    read_deictic,      read_set,           read_duration,    read_year_and_season, read_years};
constexpr Rule of_month[] = {read_fiscal_period, read_month_first};
constexpr Rule of_weekday[] = {read_holiday, read_weekday};
constexpr Rule of_season[] = {read_season}, of_holiday[] = {read_holiday}, of_set[] = {read_set};
constexpr Rule of_part[] = {read_modified_unit, read_part, read_anaphora};
constexpr Rule of_ordinal[] = {read_time_of_day,   read_century,       read_fraction,
                               read_subinterval,   read_fiscal_period, read_day_month,
                               read_modified_unit, read_anaphora,      read_deictic,
                               read_set,           read_duration};
constexpr Rule of_shift[] = {read_holiday,     read_daypart,       read_fraction,
                             read_subinterval, read_modified_unit, read_anaphora,
                             read_deictic,     read_duration,      read_generic_reference};
constexpr Rule of_quantity[] = {read_daypart, read_fiscal_period, read_modified_unit, read_anaphora,
                                read_deictic, read_set,           read_duration};
constexpr Rule of_unit[] = {read_holiday,       read_time_of_day,      read_subinterval,
                            read_fiscal_period, read_modified_unit,    read_anaphora,
                            read_duration,      read_generic_reference};
constexpr Rule of_later[] = {read_later, read_modified_unit, read_anaphora};
constexpr Rule of_edge[] = {read_fraction, read_subinterval, read_duration};
constexpr Rule of_reference[] = {read_modified_unit, read_generic_reference};
constexpr Rule of_relative[] = {read_daypart, read_deictic};
constexpr Rule of_daypart[] = {read_time_of_day, read_daypart};
constexpr Rule of_anaphora[] = {read_modified_unit, read_anaphora};
constexpr Rule of_letter[] = {read_fraction, read_fiscal_period, read_years};
constexpr Rule of_question[] = {read_offset, read_question_date};
constexpr Rule of_apostrophe[] = {read_decade, read_short_year};

bool match_function_word(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.is(i, Function::a) && doc.at(i).capital && doc.is(i + 1, Kind::dot))
    return first_match(of_letter, doc, i, expression);  // "A.D. 79"
  if (doc.is_any(i, {Function::a, Function::some, Function::following, Function::preceding}))
    return first_match(of_quantity, doc, i, expression);
  if (doc.is_any(i, {Function::that, Function::later, Function::earlier}))
    return first_match(of_later, doc, i, expression);
  if (doc.is_any(i, {Function::present, Function::time}))
    return first_match(of_reference, doc, i, expression);
  if (doc.is(i, Function::share))
    return (doc.word(i)[0] | 32) == u'm' &&
           first_match(of_set, doc, i, expression);  // "most mornings"
  if (doc.is(i, Function::fiscal)) return first_match(of_anaphora, doc, i, expression);
  return doc.is_any(i, {Function::quarter_letter, Function::half_letter}) &&
         first_match(of_letter, doc, i, expression);
}

bool match_rules(const Document& doc, std::size_t i, Expression& expression) {
  const Token& token = doc.at(i);
  if (token.kind == Kind::number) return first_match(of_number, doc, i, expression);
  if (token.kind == Kind::apostrophe) return first_match(of_apostrophe, doc, i, expression);
  if (token.kind != Kind::word) return false;
  switch (token.lexeme.cls) {
    case Class::month:
      if (doc.is(i + 1, Unit::day) && first_match(of_holiday, doc, i, expression))
        return true;  // "May Day"
      return first_match(of_month, doc, i, expression);
    case Class::weekday:
      return first_match(of_weekday, doc, i, expression);
    case Class::tens:
      return first_match(of_apostrophe, doc, i, expression);
    case Class::season:
      return first_match(of_season, doc, i, expression);
    case Class::edge:
      return first_match(of_edge, doc, i, expression);
    case Class::part:  // "the early hours of Thursday"
      if ((doc.is(i + 1, Unit::hour) || doc.is(i + 1, Class::daypart)) &&
          first_match({read_daypart}, doc, i, expression))
        return true;
      return first_match(of_part, doc, i, expression);
    case Class::ordinal:
    case Class::cardinal:
      return first_match(of_ordinal, doc, i, expression);
    case Class::shift:
      return first_match(of_shift, doc, i, expression);
    case Class::vague:
    case Class::thing:
      return first_match(of_quantity, doc, i, expression);
    case Class::unit:
      if (doc.is(i, Unit::weekend) && first_match(of_set, doc, i, expression)) return true;
      return first_match(of_unit, doc, i, expression);
    case Class::quantifier:
      return first_match(of_quantity, doc, i, expression);
    case Class::tense:
      return first_match(of_reference, doc, i, expression);
    case Class::deictic:
      return first_match(of_relative, doc, i, expression);
    case Class::holiday:
      return first_match(of_holiday, doc, i, expression);
    case Class::recurring:
    case Class::periodic:
    case Class::weekdays:
      return first_match(of_set, doc, i, expression);
    case Class::daypart:
      return first_match(of_daypart, doc, i, expression);
    case Class::era:
      return first_match(of_letter, doc, i, expression);
    case Class::function:
      return match_function_word(doc, i, expression);
    case Class::unknown:  // "New Year's Eve", "C.E. 79"
      if (doc.question && first_match(of_holiday, doc, i, expression)) return true;
      if (token.capital && doc.is(i + 1, Unit::year) && doc.at(i + 1).capital)
        return first_match(of_holiday, doc, i, expression);
      return token.end - token.begin == 1 && token.capital && doc.is(i + 1, Kind::dot) &&
             first_match(of_letter, doc, i, expression);
    default:
      return false;
  }
}

}  // namespace

bool read_expression(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.question && first_match(of_question, doc, i, expression)) return true;
  if (!match_rules(doc, i, expression)) return false;
  extend_by_time_of_day(doc, expression);
  return true;
}

}  // namespace asof::timetag
