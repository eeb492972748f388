// Times anchored to events: "two days after the siege was raised", "the day before the battle",
// "the fifth day of the rebellion", "ten brutal months of fighting". The date of the event is
// unknown: such a time is counted from the last date mentioned, or is that date if adjacent to it
// ("6 May, the day after the ball"). Narrative only: annotators of newspapers exclude the words
// after the unit.
#include "timetag/grammar/rules.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t reach = 14;  // tokens

bool breaks_line(const Document& doc, std::size_t i) {
  const std::uint32_t end = doc.at(i - 1).end;
  return doc.text.substr(end, doc.at(i).begin - end).find(u'\n') != std::u16string_view::npos;
}

bool boundary(const Document& doc, std::size_t i) {
  switch (doc.at(i).kind) {
    case Kind::word:
      return breaks_line(doc, i);
    case Kind::number:
      return breaks_line(doc, i);
    case Kind::apostrophe:
      return !doc.glued(i);
    case Kind::hyphen:
      return !doc.glued(i) || !doc.glued(i + 1) || doc.is(i + 1, Function::the);
    default:
      return true;
  }
}

bool dated(const Document& doc, std::size_t i) {
  if (doc.is(i, Unit::year) && doc.is(i - 1, Class::unknown) && doc.word(i - 1) == u"new")
    return true;
  return (doc.is(i, Class::month) && doc.at(i).capital) ||
         (is_year_number(doc, i) && is_plain_number(doc, i));
}

bool name_word(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::word) && doc.at(i).capital;
}
bool plain_word(const Document& doc, std::size_t i) {
  return doc.is(i, Kind::word) && !doc.at(i).capital && !doc.is(i, Class::function);
}

bool pronoun(const Document& doc, std::size_t i) {
  const std::u16string_view word = doc.is(i, Class::unknown) ? doc.word(i) : std::u16string_view();
  for (std::u16string_view each : {u"it", u"he", u"she", u"they", u"we", u"i", u"you", u"there"}) {
    if (word == each) return true;
  }
  return false;
}

// The end of the noun phrase of a duration from `i`: a finite verb or a second article begins the
// next clause ("after five days of fighting the town fell").
std::size_t phrase_end(const Document& doc, std::size_t i) {
  std::size_t j = i;
  for (; j < i + reach && !boundary(doc, j); ++j) {
    if (j > i && doc.is_any(j, {Function::the, Function::a}) && doc.is(j - 1, Kind::word) &&
        !doc.is(j - 1, Class::function))
      break;
    if (j > i && plain_word(doc, j) && doc.at(j).lexeme.verb != Verb::none) break;
  }
  return j;
}

// The end of the clause or noun phrase that begins at `i`, or `i` if none is recognized.
std::size_t clause_end(const Document& doc, std::size_t i) {
  for (std::size_t j = i; j < i + reach; ++j) {
    if (boundary(doc, j) || doc.is_any(j, {Function::and_, Function::or_})) return j;
    if (j > i && pronoun(doc, j) && plain_word(doc, j - 1))
      return j;  // "after years of drought it rained"
    if (j > i && name_word(doc, j) && plain_word(doc, j - 1))
      return j;  // "the day after the battle Jones wrote"
  }
  return i;
}

// "the war", "this battle", "the Battle of the Somme", "combat"
std::size_t noun_end(const Document& doc, std::size_t i) {
  std::size_t j = i;
  if (doc.is(j, Function::the) || has_determiner(doc, j + 1)) ++j;
  if (!name_word(doc, j)) return plain_word(doc, j) && !boundary(doc, j) ? j + 1 : i;
  for (const std::size_t end = i + reach; j < end; ++j) {
    if (boundary(doc, j)) return j;
    if (name_word(doc, j)) continue;
    const bool link =
        doc.is(j, Function::of) || (doc.is(j, Function::the) && doc.is(j - 1, Function::of));
    if (!link) return doc.is(j - 1, Kind::word) && doc.at(j - 1).capital ? j : i;
  }
  return i;
}

// "6 May, the day after the ball": an apposition to a date is that date.
bool fill_beside(const Document& doc, std::size_t i, Unit unit, Expression& expression) {
  const std::size_t at = doc.last.at;
  const std::size_t article = doc.is(i - 1, Function::the) ? i - 1 : i;
  if (!doc.last.known() || at + 1 != article || !(doc.is(at, Kind::comma) || doc.dash(at)))
    return false;
  Document last_anchored = doc;
  last_anchored.anchor = doc.last;
  return fill_from_anchor(last_anchored, unit, 0, expression);
}

}  // namespace

namespace {

bool holds_date_before(const Document& doc, std::size_t i, std::size_t end) {
  for (; i < end; ++i) {
    if (dated(doc, i)) return true;
  }
  return false;
}

}  // namespace

bool contains_date(const Document& doc, std::size_t i) {
  for (std::size_t j = i; j < i + reach && !boundary(doc, j); ++j) {
    if (dated(doc, j)) return true;
  }
  return false;
}

bool nests_date(const Document& doc, std::size_t i) {
  if (doc.is(i, Function::of)) return holds_date_before(doc, i + 1, phrase_end(doc, i + 1));
  return doc.is_any(i, {Function::before, Function::after, Function::since, Function::from,
                        Function::following}) &&
         contains_date(doc, i + 1);
}

bool read_event_shift(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.uses_whole_phrase()) return false;
  Count count;
  Unit unit{};
  bool plural = false;
  std::size_t at = i;
  if (!doc.is(i - 1, Function::the) || !read_unit(doc, i, false, unit, plural) || plural) {
    if (!read_count(doc, i, count) || count.vague) return false;
    at = count.last;
    if (!read_unit(doc, at, false, unit, plural)) return false;
  } else {
    count.value = 1;
  }
  const bool after = doc.is_any(at + 1, {Function::after, Function::following});
  if ((!after && !doc.is(at + 1, Function::before)) || unit < Unit::day || unit == Unit::half ||
      unit == Unit::season || count.value != std::floor(count.value))
    return false;
  const std::size_t lead =
      with_modifiers(doc, i) - 1;  // "held for a week before moving": how long, not when
  if (count.last > 0 && doc.is_any(lead, {Function::for_, Function::within, Function::over}))
    return false;
  const std::size_t end = clause_end(doc, at + 2);
  if (end == at + 2 || holds_date_before(doc, at + 2, end + 1)) return false;
  // In apposition to a date it is that date.
  expression.first = count.last > 0 ? with_modifiers(doc, i) : i;
  expression.last = end;
  if (fill_beside(doc, expression.first, unit, expression)) return true;
  return fill_from_anchor(doc, unit, static_cast<std::int64_t>(after ? count.value : -count.value),
                          expression);
}

bool read_event_day(const Document& doc, std::size_t i, Expression& expression) {
  if (!doc.uses_whole_phrase() || !doc.is(i - 1, Function::the)) return false;
  int ordinal = 0;
  std::size_t next = i + 1;
  const bool last = doc.is(i, Class::shift) && (doc.word(i) == u"last");
  if (!last && (!read_ordinal(doc, i, ordinal, next))) return false;
  Unit unit{};
  bool plural = false;
  if (!read_unit(doc, next, false, unit, plural) || plural || unit < Unit::hour ||
      unit == Unit::half || unit == Unit::quarter || unit == Unit::season || unit > Unit::decade ||
      !doc.is(next + 1, Function::of))
    return false;
  const std::size_t end = noun_end(doc, next + 2);
  if (end == next + 2 || contains_date(doc, next + 2)) return false;
  expression.first = i;
  expression.last = end;
  if (unit != Unit::day) {  // "the first hour of the attack": a duration
    expression.type = TimexType::duration;
    expression.value = duration_text("1", unit);
    expression.confidence = 0.6f;
    return true;
  }
  if (fill_beside(doc, i, Unit::day, expression)) return true;
  expression.relative = true;
  expression.confidence = 0.5f;
  expression.value = unresolved_value(Unit::day);
  return true;
}

bool read_event_interval(const Document& doc, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  if (!doc.uses_whole_phrase() || !doc.is(i - 1, Function::the) ||
      !read_unit(doc, i, false, unit, plural) || !plural || unit < Unit::hour)
    return false;
  const std::u16string_view verb =
      doc.is(i + 2, Kind::word) ? doc.word(i + 2) : std::u16string_view();
  const bool followed = doc.is(i + 1, Function::that) &&
                        (verb == u"followed" || verb == u"preceded");  // "the months that followed"
  if (followed) {
    expression.first = i - 1;
    expression.last = i + 3;
    expression.type = TimexType::duration;
    expression.value = duration_text("X", unit);
    expression.confidence = 0.6f;
    return true;
  }
  if (!doc.is_any(i + 1, {Function::after, Function::following, Function::before, Function::since,
                          Function::preceding}))
    return false;
  const std::size_t end = clause_end(doc, i + 2);
  if (end == i + 2 || contains_date(doc, i + 2)) return false;
  expression.first = i - 1;
  expression.last = end;
  expression.type = TimexType::duration;
  expression.value = duration_text("X", unit);
  expression.confidence = 0.6f;
  return true;
}

void extend_by_event(const Document& doc, std::size_t floor, Expression& expression) {
  if (!doc.uses_whole_phrase() || expression.type != TimexType::duration) return;
  // "the fifty years since the war", but "three-month" in "the three-month siege"
  const bool adjective =
      doc.is(expression.last - 2, Kind::hyphen) && doc.glued(expression.last - 2);
  if (expression.first > floor && doc.is(expression.first - 1, Function::the) &&
      !doc.at(expression.last - 1).capital && !adjective)
    --expression.first;
  const bool since = doc.is(expression.last, Function::since);
  if (!since && !doc.is(expression.last, Function::of)) return;
  const std::size_t i = expression.last + 1;
  std::size_t end = noun_end(doc, i);
  if (!doc.is(i, Function::the) && !has_determiner(doc, i + 1) && !name_word(doc, i)) {
    const std::size_t whole = clause_end(doc, i);
    if (whole > i && whole <= i + 4 && whole <= phrase_end(doc, i)) end = whole;
  }
  if (end > i) expression.last = end;
}

}  // namespace asof::timetag
