// Words that place something before, at or after the present without saying when: "recently", "at
// present", "the future", "these days", "in recent years". They have no interval. Adjectives that
// seldom tell a time in reports ("former", "future") are read in narrative only.
#include "timetag/readers/readers.hpp"

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

bool capital_inside(const Scene& scene, std::size_t i) {
  return scene.at(i).capital && scene.is(i - 1, Kind::word);
}

bool read_tense(const Scene& scene, std::size_t i, Expression& expression) {
  const bool narrative = scene.takes_generic();
  const bool the = scene.is(i - 1, Function::the);
  switch (static_cast<Tense>(scene.value(i))) {
    case Tense::to_date:
      return narrative && scene.is(i - 1, Function::to) && !scene.is(i + 1, Kind::word) &&
             !scene.is(i + 1, Kind::hyphen) && fill(expression, i, i + 1, present);
    case Tense::formerly:
      return fill(expression, i, i + 1, past);
    case Tense::former:
      return narrative && !capital_inside(scene, i) && scene.is(i + 1, Kind::word) &&
             !scene.is(i + 1, Class::function) && fill(expression, i, i + 1, past);
    case Tense::soon:
      return !narrative && scene.at(i - 1).lexeme.verb != Verb::past &&
             !scene.is_any(i - 1, {Function::as, Function::after, Function::before}) &&
             !scene.is_any(i + 1, {Function::as, Function::after, Function::before}) &&
             fill(expression, i, i + 1, future);
    case Tense::presently:
      return fill(expression, i, i + 1, present);
    case Tense::modern: {  // "modern-day Turkey", "modern times"
      const std::size_t next = scene.is(i + 1, Kind::hyphen) ? i + 2 : i + 1;
      return scene.is(next, Unit::day) && !capital_inside(scene, i) &&
             fill(expression, i, next + 1, present);
    }
    case Tense::future:
      if (scene.word(i).back() == u's' || capital_inside(scene, i)) return false;
      if (the && stands_alone(scene, i + 1) && !scene.is(i + 1, Function::of))
        return fill(expression, i - 1, i + 1, future);
      return narrative && fill(expression, i, i + 1, future);
    case Tense::moment:  // "at the moment", not "at the moment of"
      return !narrative && the && scene.is(i - 2, Function::at) && stands_alone(scene, i + 1) &&
             !scene.is(i + 1, Function::of) && scene.word(i).back() == u't' &&
             fill(expression, i - 1, i + 1, present);
    case Tense::recent: {
      if (capital_inside(scene, i) ||
          (scene.is(i - 1, Function::as) && scene.is(i + 1, Function::as)))
        return false;                  // "as recently as 2015"
      if (scene.word(i).size() > 6) {  // "recently", "more recently"
        return fill(expression, i, i + 1, past);
      }
      Unit unit{};
      bool plural = false;
      if (read_unit(scene, i + 1, false, unit, plural) && plural)
        return fill(expression, the ? i - 1 : i, i + 2, past);
      if (scene.is(i + 1, Class::unknown) && scene.word(i + 1) == u"times")
        return fill(expression, i, i + 2, past);
      return (narrative || scene.is(i + 1, Class::unknown)) && fill(expression, i, i + 1, past);
    }
  }
  return false;
}

// "the past", "in the past"; not "the past president", "walked past".
bool read_past(const Scene& scene, std::size_t i, Expression& expression) {
  if (scene.word(i) != u"past" || !scene.is(i - 1, Function::the) || scene.is(i + 1, Function::of))
    return false;
  return stands_alone(scene, i + 1) && !scene.is(i + 1, Function::some) &&
         fill(expression, i - 1, i + 1, past);
}

// "at the time", "by that time", "at this time", "for the time being"
bool read_the_time(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.is(i, Function::time) || i == 0 || scene.word(i) != u"time") return false;
  const std::u16string_view which =
      scene.is(i - 1, Kind::word) ? scene.word(i - 1) : std::u16string_view();
  const bool the = scene.is(i - 1, Function::the), now = which == u"this" || which == u"This",
             then = which == u"that" || which == u"That";
  if (!the && !now && !then) return false;
  const bool being = scene.is(i + 1, Class::unknown) && scene.word(i + 1) == u"being";
  if (the && being) return fill(expression, i - 1, i + 2, present);
  if (!scene.is_any(i - 2, {Function::at, Function::of, Function::by, Function::since,
                            Function::until, Function::around, Function::during, Function::from,
                            Function::before, Function::in}))
    return false;
  // "at the time of the attack", "by the time they arrived": what follows says which time.
  const bool open = !scene.is(i + 1, Kind::word) || scene.is(i + 1, Class::function) ||
                    scene.is(i + 1, Class::unknown);
  // "women of the time"; "15 percent of the time", "a change of the time scale" speak of no time in
  // particular.
  const bool of = the && scene.is(i - 2, Function::of);
  if (of && (!scene.is(i - 3, Class::unknown) || scene.is(i + 1, Class::unknown) ||
             scene.is(i + 1, Function::from) || scene.word(i - 3) == u"most"))
    return false;
  if (the && (!scene.is_any(i - 2, {Function::at, Function::of}) || scene.is(i + 1, Function::of) ||
              !(stands_alone(scene, i + 1) || scene.is(i + 1, Class::unknown))))
    return false;
  const bool narrative = scene.takes_generic();
  return open && fill(expression, i - 1, i + 1, now || narrative ? present : past);
}

}  // namespace

bool stands_alone(const Scene& scene, std::size_t i) {
  if (!scene.is(i, Kind::word) || scene.is(i, Class::function) || scene.is(i, Class::month))
    return true;
  if (!scene.is(i, Class::unknown)) return false;
  const std::u16string_view word = scene.word(i);
  for (std::u16string_view each :
       {u"it",   u"he",   u"she",  u"they", u"we",    u"you",  u"there", u"i",    u"is",
        u"was",  u"were", u"are",  u"has",  u"had",   u"will", u"would", u"have", u"because",
        u"when", u"with", u"this", u"that", u"his",   u"her",  u"their", u"its",  u"without",
        u"but",  u"so",   u"if",   u"can",  u"could", u"may",  u"should"}) {
    if (word == each) return true;
  }
  return false;
}

bool read_reference(const Scene& scene, std::size_t i, Expression& expression) {
  if (scene.is(i, Class::tense)) return read_tense(scene, i, expression);
  if (scene.is(i, Class::shift)) {
    if (scene.value(i) == 0) return read_past(scene, i, expression);
    if (scene.word(i) == u"current") {  // "the current law"; not the current of a river
      const bool described =
          scene.is(i + 1, Class::unknown) &&
          (scene.takes_generic() || scene.is(i - 1, Function::the) || determined(scene, i));
      return described && fill(expression, i, i + 1, present);
    }
    // "to this day"
    return scene.is(i + 1, Unit::day) && scene.is(i - 1, Function::to) &&
           scene.word(i) == u"this" && fill(expression, i, i + 2, present);
  }
  if (scene.is(i, Function::present)) {  // "at present", "the present day", "present-day Belize"
    const std::size_t next = scene.is(i + 1, Kind::hyphen) ? i + 2 : i + 1;
    const bool the = scene.is(i - 1, Function::the);
    if (scene.is(next, Unit::day) && !capital_inside(scene, i))
      return fill(expression, the && next == i + 1 ? i - 1 : i, next + 1, present);
    if (scene.is(i - 1, Function::at)) return fill(expression, i, i + 1, present);
    if (scene.takes_generic() && scene.is(i + 1, Class::unknown) && !scene.at(i + 1).capital &&
        (the || determined(scene, i) || scene.is(i - 1, Kind::apostrophe)))
      return fill(expression, i, i + 1, present);
    if (the && scene.is(i + 1, Function::time)) return fill(expression, i - 1, i + 2, present);
    return the && !scene.is(i + 1, Kind::word) && fill(expression, i - 1, i + 1, present);
  }
  if (scene.is(i, Unit::day)) {  // "these days"
    const bool these = scene.is(i - 1, Class::unknown) &&
                       (scene.word(i - 1) == u"these" || scene.word(i - 1) == u"These");
    return these && scene.word(i) == u"days" && !scene.is(i - 2, Function::of) &&
           fill(expression, i - 1, i + 1, present);
  }
  return read_the_time(scene, i, expression);
}

}  // namespace asof::timetag
