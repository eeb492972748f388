// Deictic days and units counted from the reference: "the day after tomorrow", "the year before
// last", "in three days' time", "in two weeks" in a sentence that points ahead. Without a reference
// nothing is read.
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"

namespace asof::timetag {
namespace {

struct TokenSpan {
  std::size_t first, last;
};

bool fill_from_reference(const Document& doc, Unit unit, std::int64_t steps, TokenSpan span,
                         Expression& expression) {
  if (!fill_shifted(doc.reference_day(), unit, steps, expression)) return false;
  expression.first = span.first;
  expression.last = span.last;
  expression.relative = true;
  return true;
}

// "the day after tomorrow", "the day before yesterday", "the year before last", "the week after
// next"
bool read_one_beyond(const Document& doc, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  if (!read_unit(doc, i, false, unit, plural) || plural || unit < Unit::day ||
      unit == Unit::season || unit == Unit::half)
    return false;
  const bool after = doc.is(i + 1, Function::after);
  if (!after && !doc.is(i + 1, Function::before)) return false;
  const std::size_t first = doc.is(i - 1, Function::the) ? i - 1 : i;
  if (unit == Unit::day) {
    const Deictic expected = after ? Deictic::tomorrow : Deictic::yesterday;
    const bool pointed =
        doc.is(i + 2, Class::deictic) && doc.value(i + 2) == static_cast<int>(expected);
    return pointed && fill_from_reference(doc, unit, after ? 2 : -2, {first, i + 3}, expression);
  }
  const bool shift = doc.is(i + 2, Class::shift) &&
                     doc.word(i + 2) == (after ? u"next" : u"last") && !doc.is(i + 3, Class::unit);
  return shift && fill_from_reference(doc, unit, after ? 2 : -2, {first, i + 3}, expression);
}

// "will return in two weeks", "returns in two weeks"
bool looks_ahead(const Document& doc, std::size_t first, std::size_t last) {
  const Direction direction = direction_at(doc, first, last);
  const bool present = doc.is(first - 1, Class::unknown) && !doc.at(first - 1).capital &&
                       doc.word(first - 1).ends_with(u's') && !doc.word(first - 1).ends_with(u"ss");
  return direction == Direction::ahead || (direction == Direction::unknown && present);
}

// "in three days' time", "in two weeks": ahead of the reference. "built in two weeks" is a length.
bool read_time_ahead(const Document& doc, std::size_t i, Expression& expression) {
  Count count;
  if (!doc.is(i - 1, Function::in) || !read_count(doc, i, count) || count.vague ||
      count.value < 1 || count.value != std::floor(count.value))
    return false;
  Unit unit{};
  bool plural = false;
  std::size_t last = count.last + 1;
  if (!read_unit(doc, count.last, false, unit, plural) || unit < Unit::day ||
      unit == Unit::season || unit == Unit::half)
    return false;
  if (doc.is(last, Kind::apostrophe) && doc.glued(last)) ++last;
  if (doc.is(last, Class::suffix) && doc.glued(last)) ++last;  // "a week's time"
  const bool time = doc.is(last, Function::time);
  if (time)
    ++last;
  else if (last != count.last + 1 || doc.mode != Mode::news || !looks_ahead(doc, i - 1, last))
    return false;
  return fill_from_reference(doc, unit, static_cast<std::int64_t>(count.value), {i, last},
                             expression);
}

}  // namespace

bool read_deictic_unit(const Document& doc, std::size_t i, Expression& expression) {
  return doc.has_reference() &&
         (read_one_beyond(doc, i, expression) || read_time_ahead(doc, i, expression));
}

}  // namespace asof::timetag
