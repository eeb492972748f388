// Generic references, before, at or after the present without a date: "recently", "at
// present", "the future", "these days", "in recent years". They have no interval. Adjectives that
// are seldom temporal in reports ("former", "future") are read in narrative only.
#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {

constexpr const char* past = "PAST_REF";
constexpr const char* present = "PRESENT_REF";
constexpr const char* future = "FUTURE_REF";

bool fill(Expression& expression, std::size_t first, std::size_t last, const char* value,
          float confidence = 0.5f) {
  expression.first = first;
  expression.last = last;
  expression.value = value;
  expression.confidence = confidence;
  return true;
}

bool capital_inside(const Document& doc, std::size_t i) {
  return doc.at(i).capital && doc.is(i - 1, Kind::word);
}

bool read_tense(const Document& doc, std::size_t i, Expression& expression) {
  const bool narrative = doc.tags_generic();
  const bool the = doc.is(i - 1, Function::the);
  switch (static_cast<Tense>(doc.value(i))) {
    case Tense::to_date:
      return narrative && doc.is(i - 1, Function::to) && !doc.is(i + 1, Kind::word) &&
             !doc.is(i + 1, Kind::hyphen) && fill(expression, i, i + 1, present);
    case Tense::formerly:
      return fill(expression, i, i + 1, past);
    case Tense::former:
      return narrative && !capital_inside(doc, i) && doc.is(i + 1, Kind::word) &&
             !doc.is(i + 1, Class::function) && fill(expression, i, i + 1, past);
    case Tense::soon:
      return !narrative && doc.at(i - 1).lexeme.verb != Verb::past &&
             !doc.is_any(i - 1, {Function::as, Function::after, Function::before}) &&
             !doc.is_any(i + 1, {Function::as, Function::after, Function::before}) &&
             fill(expression, i, i + 1, future);
    case Tense::presently:
      return fill(expression, i, i + 1, present);
    case Tense::modern: {  // "modern-day Turkey", "modern times"
      const std::size_t next = doc.is(i + 1, Kind::hyphen) ? i + 2 : i + 1;
      return doc.is(next, Unit::day) && !capital_inside(doc, i) &&
             fill(expression, i, next + 1, present);
    }
    case Tense::future:
      if (doc.word(i).back() == u's' || capital_inside(doc, i)) return false;
      if (the && has_no_head_noun(doc, i + 1) && !doc.is(i + 1, Function::of))
        return fill(expression, i - 1, i + 1, future);
      return narrative && fill(expression, i, i + 1, future);
    case Tense::moment:  // "at the moment", not "at the moment of"
      return !narrative && the && doc.is(i - 2, Function::at) && has_no_head_noun(doc, i + 1) &&
             !doc.is(i + 1, Function::of) && doc.word(i).back() == u't' &&
             fill(expression, i - 1, i + 1, present);
    case Tense::recent: {
      if (capital_inside(doc, i) || (doc.is(i - 1, Function::as) && doc.is(i + 1, Function::as)))
        return false;                // "as recently as 2015"
      if (doc.word(i).size() > 6) {  // "recently", "more recently"
        return fill(expression, i, i + 1, past);
      }
      Unit unit{};
      bool plural = false;
      if (read_unit(doc, i + 1, false, unit, plural) && plural)
        return fill(expression, the ? i - 1 : i, i + 2, past);
      if (doc.is(i + 1, Class::unknown) && doc.word(i + 1) == u"times")
        return fill(expression, i, i + 2, past);
      return (narrative || doc.is(i + 1, Class::unknown)) && fill(expression, i, i + 1, past);
    }
  }
  return false;
}

// "the past", "in the past"; not "the past president", "walked past".
bool read_past(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.word(i) != u"past" || !doc.is(i - 1, Function::the) || doc.is(i + 1, Function::of))
    return false;
  return has_no_head_noun(doc, i + 1) && !doc.is(i + 1, Function::some) &&
         fill(expression, i - 1, i + 1, past);
}

// "at the time", "by that time", "at this time", "for the time being"
bool read_the_time(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.is(i, Function::time) || i == 0 || doc.word(i) != u"time") return false;
  const std::u16string_view which =
      doc.is(i - 1, Kind::word) ? doc.word(i - 1) : std::u16string_view();
  const bool the = doc.is(i - 1, Function::the), now = which == u"this" || which == u"This",
             then = which == u"that" || which == u"That";
  if (!the && !now && !then) return false;
  const bool being = doc.is(i + 1, Class::unknown) && doc.word(i + 1) == u"being";
  if (the && being) return fill(expression, i - 1, i + 2, present);
  if (!doc.is_any(i - 2, {Function::at, Function::of, Function::by, Function::since,
                          Function::until, Function::around, Function::during, Function::from,
                          Function::before, Function::in}))
    return false;
  // "at the time of the attack", "by the time they arrived": determined by the words that follow.
  const bool open =
      !doc.is(i + 1, Kind::word) || doc.is(i + 1, Class::function) || doc.is(i + 1, Class::unknown);
  // "women of the time"; "15 percent of the time", "a change of the time scale" speak of no time in
  // particular.
  const bool of = the && doc.is(i - 2, Function::of);
  if (of && (!doc.is(i - 3, Class::unknown) || doc.is(i + 1, Class::unknown) ||
             doc.is(i + 1, Function::from) || doc.word(i - 3) == u"most"))
    return false;
  if (the && (!doc.is_any(i - 2, {Function::at, Function::of}) || doc.is(i + 1, Function::of) ||
              !(has_no_head_noun(doc, i + 1) || doc.is(i + 1, Class::unknown))))
    return false;
  const bool narrative = doc.tags_generic();
  return open && fill(expression, i - 1, i + 1, now || narrative ? present : past);
}

}  // namespace

bool has_no_head_noun(const Document& doc, std::size_t i) {
  if (!doc.is(i, Kind::word) || doc.is(i, Class::function) || doc.is(i, Class::month)) return true;
  if (!doc.is(i, Class::unknown)) return false;
  const std::u16string_view word = doc.word(i);
  for (std::u16string_view each :
       {u"it",   u"he",   u"she",  u"they", u"we",    u"you",  u"there", u"i",    u"is",
        u"was",  u"were", u"are",  u"has",  u"had",   u"will", u"would", u"have", u"because",
        u"when", u"with", u"this", u"that", u"his",   u"her",  u"their", u"its",  u"without",
        u"but",  u"so",   u"if",   u"can",  u"could", u"may",  u"should"}) {
    if (word == each) return true;
  }
  return false;
}

bool read_generic_reference(const Document& doc, std::size_t i, Expression& expression) {
  if (doc.is(i, Class::tense)) return read_tense(doc, i, expression);
  if (doc.is(i, Class::shift)) {
    if (doc.value(i) == 0) return read_past(doc, i, expression);
    if (doc.word(i) == u"current") {  // "the current law"; not the current of a river
      const bool described =
          doc.is(i + 1, Class::unknown) &&
          (doc.tags_generic() || doc.is(i - 1, Function::the) || has_determiner(doc, i));
      return described && fill(expression, i, i + 1, present);
    }
    // "to this day"
    return doc.is(i + 1, Unit::day) && doc.is(i - 1, Function::to) && doc.word(i) == u"this" &&
           fill(expression, i, i + 2, present);
  }
  if (doc.is(i, Function::present)) {  // "at present", "the present day", "present-day Belize"
    const std::size_t next = doc.is(i + 1, Kind::hyphen) ? i + 2 : i + 1;
    const bool the = doc.is(i - 1, Function::the);
    if (doc.is(next, Unit::day) && !capital_inside(doc, i))
      return fill(expression, the && next == i + 1 ? i - 1 : i, next + 1, present);
    if (doc.is(i - 1, Function::at)) return fill(expression, i, i + 1, present);
    if (doc.tags_generic() && doc.is(i + 1, Class::unknown) && !doc.at(i + 1).capital &&
        (the || has_determiner(doc, i) || doc.is(i - 1, Kind::apostrophe)))
      return fill(expression, i, i + 1, present);
    if (the && doc.is(i + 1, Function::time)) return fill(expression, i - 1, i + 2, present);
    return the && !doc.is(i + 1, Kind::word) && fill(expression, i - 1, i + 1, present);
  }
  if (doc.is(i, Unit::day)) {  // "these days"
    const bool these = doc.is(i - 1, Class::unknown) &&
                       (doc.word(i - 1) == u"these" || doc.word(i - 1) == u"These");
    return these && doc.word(i) == u"days" && !doc.is(i - 2, Function::of) &&
           fill(expression, i - 1, i + 1, present);
  }
  return read_the_time(doc, i, expression);
}

}  // namespace asof::timetag
