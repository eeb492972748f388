// Times told by what happened then: "two days after the siege was raised", "the day before the
// battle", "the fifth day of the rebellion", "ten brutal months of fighting". Who fought when is
// not known here: such a time is counted from the last date told, or is that date where it stands
// beside it ("6 May, the day after the ball"). Narrative only: newspapers' annotators leave what
// follows the unit out.
#include "timetag/readers/readers.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t reach = 14;  // tokens

bool breaks_line(const Scene& scene, std::size_t i) {
  const std::uint32_t end = scene.at(i - 1).end;
  return scene.text.substr(end, scene.at(i).begin - end).find(u'\n') != std::u16string_view::npos;
}

bool boundary(const Scene& scene, std::size_t i) {
  switch (scene.at(i).kind) {
    case Kind::word:
      return breaks_line(scene, i);
    case Kind::number:
      return breaks_line(scene, i);
    case Kind::apostrophe:
      return !scene.glued(i);
    case Kind::hyphen:
      return !scene.glued(i) || !scene.glued(i + 1) || scene.is(i + 1, Function::the);
    default:
      return true;
  }
}

bool dated(const Scene& scene, std::size_t i) {
  if (scene.is(i, Unit::year) && scene.is(i - 1, Class::unknown) && scene.word(i - 1) == u"new")
    return true;
  return (scene.is(i, Class::month) && scene.at(i).capital) ||
         (year_number(scene, i) && clean_number(scene, i));
}

bool name_word(const Scene& scene, std::size_t i) {
  return scene.is(i, Kind::word) && scene.at(i).capital;
}
bool plain_word(const Scene& scene, std::size_t i) {
  return scene.is(i, Kind::word) && !scene.at(i).capital && !scene.is(i, Class::function);
}

bool pronoun(const Scene& scene, std::size_t i) {
  const std::u16string_view word =
      scene.is(i, Class::unknown) ? scene.word(i) : std::u16string_view();
  for (std::u16string_view each : {u"it", u"he", u"she", u"they", u"we", u"i", u"you", u"there"}) {
    if (word == each) return true;
  }
  return false;
}

// The end of what is lasted of from `i`: a finite verb or a second article begins what happened
// next ("after five days of fighting the town fell").
std::size_t phrase_end(const Scene& scene, std::size_t i) {
  std::size_t j = i;
  for (; j < i + reach && !boundary(scene, j); ++j) {
    if (j > i && scene.is_any(j, {Function::the, Function::a}) && scene.is(j - 1, Kind::word) &&
        !scene.is(j - 1, Class::function))
      break;
    if (j > i && plain_word(scene, j) && scene.at(j).lexeme.verb != Verb::none) break;
  }
  return j;
}

// The end of the clause or noun phrase that begins at `i`, or `i` where none can be seen.
std::size_t clause_end(const Scene& scene, std::size_t i) {
  for (std::size_t j = i; j < i + reach; ++j) {
    if (boundary(scene, j) || scene.is_any(j, {Function::and_, Function::or_})) return j;
    if (j > i && pronoun(scene, j) && plain_word(scene, j - 1))
      return j;  // "after years of drought it rained"
    if (j > i && name_word(scene, j) && plain_word(scene, j - 1))
      return j;  // "the day after the battle Jones wrote"
  }
  return i;
}

// "the war", "this battle", "the Battle of the Somme", "combat"
std::size_t noun_end(const Scene& scene, std::size_t i) {
  std::size_t j = i;
  if (scene.is(j, Function::the) || determined(scene, j + 1)) ++j;
  if (!name_word(scene, j)) return plain_word(scene, j) && !boundary(scene, j) ? j + 1 : i;
  for (const std::size_t end = i + reach; j < end; ++j) {
    if (boundary(scene, j)) return j;
    if (name_word(scene, j)) continue;
    const bool link =
        scene.is(j, Function::of) || (scene.is(j, Function::the) && scene.is(j - 1, Function::of));
    if (!link) return scene.is(j - 1, Kind::word) && scene.at(j - 1).capital ? j : i;
  }
  return i;
}

// "6 May, the day after the ball": what stands beside a date is that date.
bool fill_beside(const Scene& scene, std::size_t i, Unit unit, Expression& expression) {
  const std::size_t at = scene.last.at;
  const std::size_t article = scene.is(i - 1, Function::the) ? i - 1 : i;
  if (!scene.last.known() || at + 1 != article || !(scene.is(at, Kind::comma) || scene.dash(at)))
    return false;
  Scene beside = scene;
  beside.told = scene.last;
  return fill_from_told(beside, unit, 0, expression);
}

}  // namespace

namespace {

bool holds_date_before(const Scene& scene, std::size_t i, std::size_t end) {
  for (; i < end; ++i) {
    if (dated(scene, i)) return true;
  }
  return false;
}

}  // namespace

bool holds_date(const Scene& scene, std::size_t i) {
  for (std::size_t j = i; j < i + reach && !boundary(scene, j); ++j) {
    if (dated(scene, j)) return true;
  }
  return false;
}

bool nests_date(const Scene& scene, std::size_t i) {
  if (scene.is(i, Function::of)) return holds_date_before(scene, i + 1, phrase_end(scene, i + 1));
  return scene.is_any(i, {Function::before, Function::after, Function::since, Function::from,
                          Function::following}) &&
         holds_date(scene, i + 1);
}

bool read_event_shift(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.takes_whole_phrase()) return false;
  Count count;
  Unit unit{};
  bool plural = false;
  std::size_t at = i;
  if (!scene.is(i - 1, Function::the) || !read_unit(scene, i, false, unit, plural) || plural) {
    if (!read_count(scene, i, count) || count.vague) return false;
    at = count.last;
    if (!read_unit(scene, at, false, unit, plural)) return false;
  } else {
    count.value = 1;
  }
  const bool after = scene.is_any(at + 1, {Function::after, Function::following});
  if ((!after && !scene.is(at + 1, Function::before)) || unit < Unit::day || unit == Unit::half ||
      unit == Unit::season || count.value != std::floor(count.value))
    return false;
  const std::size_t lead =
      with_modifiers(scene, i) - 1;  // "held for a week before moving": how long, not when
  if (count.last > 0 && scene.is_any(lead, {Function::for_, Function::within, Function::over}))
    return false;
  const std::size_t end = clause_end(scene, at + 2);
  if (end == at + 2 || holds_date_before(scene, at + 2, end + 1)) return false;
  // Beside a date it is that date.
  expression.first = count.last > 0 ? with_modifiers(scene, i) : i;
  expression.last = end;
  if (fill_beside(scene, expression.first, unit, expression)) return true;
  return fill_from_told(scene, unit, static_cast<std::int64_t>(after ? count.value : -count.value),
                        expression);
}

bool read_event_day(const Scene& scene, std::size_t i, Expression& expression) {
  if (!scene.takes_whole_phrase() || !scene.is(i - 1, Function::the)) return false;
  int ordinal = 0;
  std::size_t next = i + 1;
  const bool last = scene.is(i, Class::shift) && (scene.word(i) == u"last");
  if (!last && (!read_ordinal(scene, i, ordinal, next))) return false;
  Unit unit{};
  bool plural = false;
  if (!read_unit(scene, next, false, unit, plural) || plural || unit < Unit::hour ||
      unit == Unit::half || unit == Unit::quarter || unit == Unit::season || unit > Unit::decade ||
      !scene.is(next + 1, Function::of))
    return false;
  const std::size_t end = noun_end(scene, next + 2);
  if (end == next + 2 || holds_date(scene, next + 2)) return false;
  expression.first = i;
  expression.last = end;
  if (unit != Unit::day) {  // "the first hour of the attack": how long is all that can be said
    expression.type = TimexType::duration;
    expression.value = duration_text("1", unit);
    expression.confidence = 0.6f;
    return true;
  }
  if (fill_beside(scene, i, Unit::day, expression)) return true;
  expression.relative = true;
  expression.confidence = 0.5f;
  expression.value = unresolved_value(Unit::day);
  return true;
}

bool read_event_stretch(const Scene& scene, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  if (!scene.takes_whole_phrase() || !scene.is(i - 1, Function::the) ||
      !read_unit(scene, i, false, unit, plural) || !plural || unit < Unit::hour)
    return false;
  const std::u16string_view verb =
      scene.is(i + 2, Kind::word) ? scene.word(i + 2) : std::u16string_view();
  const bool followed = scene.is(i + 1, Function::that) &&
                        (verb == u"followed" || verb == u"preceded");  // "the months that followed"
  if (followed) {
    expression.first = i - 1;
    expression.last = i + 3;
    expression.type = TimexType::duration;
    expression.value = duration_text("X", unit);
    expression.confidence = 0.6f;
    return true;
  }
  if (!scene.is_any(i + 1, {Function::after, Function::following, Function::before, Function::since,
                            Function::preceding}))
    return false;
  const std::size_t end = clause_end(scene, i + 2);
  if (end == i + 2 || holds_date(scene, i + 2)) return false;
  expression.first = i - 1;
  expression.last = end;
  expression.type = TimexType::duration;
  expression.value = duration_text("X", unit);
  expression.confidence = 0.6f;
  return true;
}

void extend_by_event(const Scene& scene, std::size_t floor, Expression& expression) {
  if (!scene.takes_whole_phrase() || expression.type != TimexType::duration) return;
  // "the fifty years since the war", but "three-month" in "the three-month siege"
  const bool adjective =
      scene.is(expression.last - 2, Kind::hyphen) && scene.glued(expression.last - 2);
  if (expression.first > floor && scene.is(expression.first - 1, Function::the) &&
      !scene.at(expression.last - 1).capital && !adjective)
    --expression.first;
  const bool since = scene.is(expression.last, Function::since);
  if (!since && !scene.is(expression.last, Function::of)) return;
  const std::size_t i = expression.last + 1;
  std::size_t end = noun_end(scene, i);
  if (!scene.is(i, Function::the) && !determined(scene, i + 1) && !name_word(scene, i)) {
    const std::size_t whole = clause_end(scene, i);
    if (whole > i && whole <= i + 4 && whole <= phrase_end(scene, i)) end = whole;
  }
  if (end > i) expression.last = end;
}

}  // namespace asof::timetag
