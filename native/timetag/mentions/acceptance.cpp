// Acceptance of expressions as mentions of time by their context: bare numbers as years, months and
// weekdays that may be names or verbs.
#include "timetag/grammar/rules.hpp"
#include "timetag/mentions/mentions.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

// "The toll was 1998", "with 2010 of them": a count, unless the context says year.
bool follows_count_verb(const Document& doc, std::size_t i) {
  if (!doc.is(i - 1, Kind::word) || doc.is(i - 2, Unit::year)) return false;
  const std::u16string_view word = doc.word(i - 1);
  for (std::u16string_view verb : {u"was", u"were", u"is", u"are", u"had", u"has", u"have", u"with",
                                   u"contained", u"totaled", u"totalled", u"reached"}) {
    if (word == verb) return true;
  }
  return false;
}

bool adjective_form(const Document& doc, std::size_t i) {
  if (!doc.is(i, Class::unknown) || doc.at(i).capital) return false;
  const std::u16string_view word = doc.word(i);
  for (std::u16string_view ending :
       {u"al", u"ous", u"ful", u"ic", u"ive", u"ary", u"ed", u"less"}) {
    if (word.size() > 4 && word.ends_with(ending)) return true;
  }
  return false;
}

bool starts_text(const Document& doc, std::size_t i) {
  return i == 0 || doc.is(i - 1, Kind::dot) || (i == 1 && doc.dash(0));
}

// "older than 1970", "prior 1782", "not later than 794", "TTC strike 2008 negotiations": a question
// counts less often than a report.
bool says_year(const Document& doc, const Expression& expression, const Signal& signal) {
  const std::size_t i = expression.first;
  const bool whole = is_year_number(doc, i);
  if (signal.quantity) return whole && compares_times(doc, i - 2);
  if (doc.is_any(i - 1, {Function::prior, Function::starting}) ||
      doc.is(i - 2, Function::starting) || word_is(doc, i - 1, {u"once", u"past"}))
    return whole;
  if (!whole)
    return doc.at(i).number >= 100 && ends_phrase_after(doc, expression.last) &&
           (signal.relation == Relation::by || signal.relation == Relation::between ||
            signal.relation == Relation::since);
  return expression.confidence < 0.5f && doc.is(i - 1, Kind::word) &&
         !doc.is_any(i - 1, {Function::the, Function::of, Function::a}) &&
         doc.at(i).number >= 1900 && doc.at(i).number <= 2100;
}

// Whether a number alone is a year here. 1800 to 2100 are accepted without evidence against them,
// others only with evidence for them.
bool accept_year(const Document& doc, const Expression& expression, const Signal& signal,
                 std::size_t floor) {
  const std::size_t i = expression.first;
  if (doc.question && says_year(doc, expression, signal)) return true;
  if (signal.quantity || is_quantity(doc, expression, signal, floor)) return false;
  const bool counted = expression.confidence < 0.5f;  // followed by what may be a plural
  const bool short_year = doc.at(i).digits < 4;
  if (short_year) {
    if (expression.range) return signal.relation != Relation::none || doc.is(i - 1, Kind::open);
    const bool relation = signal.relation == Relation::in || signal.relation == Relation::since ||
                          signal.relation == Relation::until ||
                          signal.relation == Relation::around ||
                          signal.relation == Relation::after ||
                          signal.relation == Relation::before || signal.relation == Relation::as_of;
    return (relation && doc.at(i).number >= 100 && !doc.is(signal.first, Function::for_)) ||
           doc.is(i - 1, Unit::year);
  }
  if (signal.relation == Relation::between && !expression.range &&
      doc.is(expression.last, Function::and_) && !doc.is(expression.last + 1, Kind::word))
    return false;  // "between 1100 and 1200 kg"
  if (expression.range || signal.supports_year) return true;
  const bool listed = floor > 0 && i <= floor + 2;  // "in 1990, 1995 and 1998"
  const bool opens =
      starts_text(doc, i) && (doc.is(i + 1, Kind::comma) || doc.is(i + 1, Kind::colon));
  const bool enclosed =
      doc.is(i - 1, Kind::open) ||
      (doc.is(i - 1, Kind::comma) && (doc.is(i + 1, Kind::close) || doc.is(i + 1, Kind::comma)));
  const Token& next = doc.at(i + 1);
  const bool adjective =
      adjective_form(doc, i - 1) && has_determiner(doc, i - 1);  // "the pivotal 1214 battle"
  const bool describes = (has_determiner(doc, i) || adjective) && next.kind == Kind::word &&
                         !next.capital && next.lexeme.cls == Class::unknown &&
                         !counted;  // "a 1357 deed"
  // "the 1784 Treaty"; a plural may be counted.
  const bool names = doc.narrative() && doc.is(i - 1, Function::the) && next.kind == Kind::word &&
                     next.capital && doc.word(i + 1).back() != u's';
  if (listed || opens || enclosed || describes || names) return true;
  if (follows_count_verb(doc, i)) return false;
  const std::uint32_t number = doc.at(i).number;
  return number >= 1800 && number <= 2100 && !counted;
}

// "in March, June, September and December": a month between commas after another one.
bool lists_month(const Document& doc, const Expression& expression, std::size_t floor) {
  const std::size_t i = expression.first, next = expression.last;
  if (floor == 0 || floor + 1 != i || !doc.is(i - 1, Kind::comma) ||
      !doc.is(floor - 1, Class::month) || !doc.at(i).capital)
    return false;
  if (doc.is(next, Kind::comma))
    return doc.is(next + 1, Class::month) ||
           (doc.is_any(next + 1, {Function::and_, Function::or_}) &&
            doc.is(next + 2, Class::month));
  return doc.is_any(next, {Function::and_, Function::or_}) && doc.is(next + 1, Class::month);
}

// A month alone is a name or a verb as often as a date.
bool accept_month(const Document& doc, const Expression& expression, const Signal& signal,
                  std::size_t floor) {
  if (expression.day > 0 || !expression.underspecified || expression.part >= 0 || expression.range)
    return true;
  if (expression.season >= 0) return true;
  if (is_bare_month(doc, expression, floor) || is_bare_news_month(doc, expression, floor) ||
      lists_month(doc, expression, floor))
    return true;
  const Token& month = doc.at(expression.first);
  const auto name = [&](std::size_t i) { return doc.is(i, Class::unknown) && doc.at(i).capital; };
  // "low Dec last year", "once July is over"; not "April Jones"
  const bool verb = doc.value(expression.first) == 3 || doc.value(expression.first) == 5;
  if (doc.question && month.capital && !(verb && signal.relation == Relation::none))
    return !name(expression.first - 1) && !name(expression.last);
  if (signal.relation == Relation::none || (!month.capital && month.end - month.begin < 6))
    return false;
  const Token& next = doc.at(expression.last);
  return !(next.kind == Kind::word && next.capital && next.lexeme.cls == Class::unknown) &&
         !(next.kind == Kind::apostrophe && next.glued);
}

bool recurring(const Document& doc, std::size_t i) {
  const std::u16string_view word =
      doc.is(i - 1, Kind::word) ? doc.word(i - 1) : std::u16string_view();
  return word == u"every" || word == u"each" || word == u"Every" || word == u"Each";
}

// "Sheffield Wednesday", "The Sunday Times": a weekday alone among capitals, and related to
// nothing.
bool named_weekday(const Document& doc, const Expression& expression, const Signal& signal) {
  const std::size_t i = expression.first;
  if (!doc.is(i, Class::weekday) || expression.last != i + 1 || signal.relation != Relation::none)
    return false;
  const auto capital = [&](std::size_t j) {
    return doc.is(j, Kind::word) && !doc.is(j, Class::function) && doc.at(j).capital;
  };
  if (doc.mode != Mode::news) return (i > 0 && capital(i - 1)) || capital(i + 1);
  // In news "met with Hale Sunday" is a day; not "The Sunday Times", not "Sheffield Wednesday
  // drew".
  const bool opens = i == 0 || !doc.is(i - 1, Kind::word) || doc.is(i - 1, Function::the) ||
                     doc.is(i - 1, Function::a);
  if (capital(i + 1)) return opens || capital(i - 1);
  // "Highs Thursday will reach", "Shares Friday fell": a plural that opens a sentence, and a verb
  // after.
  const bool plural = i > 0 && doc.is(i - 1, Class::unknown) && doc.word(i - 1).ends_with(u's') &&
                      !doc.word(i - 1).ends_with(u"ss");
  if (plural && doc.is(i + 1, Kind::word) && doc.at(i + 1).lexeme.verb != Verb::none) return false;
  return capital(i - 1) && (i == 1 || doc.is(i - 2, Kind::dot)) &&
         !doc.is(i - 1, Class::function) && doc.word(i - 1) != u"Also";
}

}  // namespace

bool is_time_mention(const Document& doc, const Expression& expression, const Signal& signal,
                     std::size_t floor) {
  if (recurring(doc, expression.first)) return false;  // "every Monday"
  if (named_weekday(doc, expression, signal)) return false;
  // "20th Century Fox" is a name
  const std::size_t last = expression.last - 1;
  if (doc.is(last, Unit::century) && doc.at(last).capital && doc.is(last + 1, Class::unknown) &&
      doc.at(last + 1).capital && !has_determiner(doc, expression.first))
    return false;
  if (expression.bare_year) return accept_year(doc, expression, signal, floor);
  return accept_month(doc, expression, signal, floor);
}

}  // namespace asof::timetag
