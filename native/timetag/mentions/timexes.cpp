// The TIMEX3 expressions of a mention: the tokens of the date itself, without the preposition and
// with the determiner that belongs to it ("the late 1970s", "the 20th of May", but "2014" in
// "the 2014 final").
#include "timetag/grammar/rules.hpp"
#include "timetag/mentions/mentions.hpp"

namespace asof::timetag {
namespace {

// Whether the time word is the head of its phrase, so that an article before it is part of the
// date.
bool takes_determiner(const Document& doc, const Span& span, const Expression& expression) {
  if (has_no_interval(expression)) return false;  // its reader took what belongs to it
  const Token& next = doc.at(span.last);
  const bool part_or_season = !doc.is(span.last - 1, Kind::number) &&
                              (expression.granularity == Granularity::season ||
                               expression.granularity == Granularity::part_of_month);
  if (part_or_season && next.kind == Kind::word && next.capital &&
      next.lexeme.cls != Class::function)
    return false;  // "the Spring Offensive"
  const bool named = doc.is(span.first, Class::month) &&
                     !doc.is(span.last - 1, Unit::quarter);  // "the July-September quarter"
  if (expression.bare_year || named || doc.is(span.first, Class::weekday)) return false;
  if (expression.relative && doc.is(span.last - 2, Kind::hyphen))
    return false;  // "the third-quarter earnings", "the year-earlier level"
  const bool number = doc.is(span.first, Kind::number);
  if (number && doc.at(span.first).digits == 4 && span.last == span.first + 1)
    return false;  // "the 1998-2002 government"
  // "the 4 May 1994 agreement", "the late-1960s blocks"; but "on the 4 May 1994 they agreed"
  const bool describes = next.kind == Kind::word && !next.capital &&
                         (next.lexeme.cls == Class::unknown || next.lexeme.cls == Class::thing);
  if (!describes && (doc.narrative() || !number)) return true;
  if ((number && doc.is(span.first + 1, Class::month)) ||
      (!expression.relative && doc.is(span.first + 1, Kind::hyphen) && doc.glued(span.first + 1) &&
       doc.glued(span.first + 2)))
    return false;
  return !number || (expression.granularity != Granularity::year &&
                     expression.granularity != Granularity::month);
}

}  // namespace

std::uint32_t append_timexes(const Document& doc, const Expression& expression, std::size_t floor,
                             std::vector<Timex>& timexes) {
  const std::vector<Span> whole{{expression.first, expression.last}};
  const std::vector<Span>& spans = expression.spans.empty() ? whole : expression.spans;
  std::string_view rest = expression.value;
  for (const Span& span : spans) {
    const bool has_determiner = span.first > floor && doc.is(span.first - 1, Function::the) &&
                                takes_determiner(doc, span, expression);
    Timex timex;
    timex.start = doc.at(has_determiner ? span.first - 1 : span.first).begin;
    // "the 1988 period"
    const bool period = expression.bare_year && doc.mode == Mode::news &&
                        doc.is(span.first - 1, Function::the) &&
                        doc.is(span.last, Function::period) && doc.word(span.last) == u"period";
    if (period && span.first > floor) timex.start = doc.at(span.first - 1).begin;
    // "The year 1950 was dry": a story's annotators take the word with it, where it is not the
    // preposition's.
    const bool named = expression.bare_year && spans.size() == 1 && doc.uses_whole_phrase() &&
                       doc.is(span.first - 1, Unit::year) && doc.is(span.first - 2, Function::the);
    if (named && span.first > floor + 1) timex.start = doc.at(span.first - 2).begin;
    timex.end = doc.at(period ? span.last : span.last - 1).end;
    const std::size_t slash = rest.find('/');
    timex.value = rest.substr(0, slash);
    rest.remove_prefix(slash == std::string_view::npos ? rest.size() : slash + 1);
    timex.type = spans.size() == 1                            ? expression.type
                 : timex.value.find('T') == std::string::npos ? TimexType::date
                                                              : TimexType::time;
    timexes.push_back(timex);
  }
  return static_cast<std::uint32_t>(spans.size());
}

}  // namespace asof::timetag
