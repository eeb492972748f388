// Days and units pointed at by counting from the reference in words of their own: "the day after
// tomorrow", "the year before last", "in three days' time", "in two weeks" where the sentence looks
// ahead. Without a reference nothing is read.
#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"

namespace asof::timetag {
namespace {

bool fill_from_reference(const Scene& scene, Unit unit, std::int64_t steps, std::size_t first,
                         std::size_t last, Expression& expression) {
  if (!fill_shifted(scene.reference_day(), unit, steps, expression)) return false;
  expression.first = first;
  expression.last = last;
  expression.relative = true;
  return true;
}

// "the day after tomorrow", "the day before yesterday", "the year before last", "the week after
// next"
bool read_one_beyond(const Scene& scene, std::size_t i, Expression& expression) {
  Unit unit{};
  bool plural = false;
  if (!read_unit(scene, i, false, unit, plural) || plural || unit < Unit::day ||
      unit == Unit::season || unit == Unit::half)
    return false;
  const bool after = scene.is(i + 1, Function::after);
  if (!after && !scene.is(i + 1, Function::before)) return false;
  const std::size_t first = scene.is(i - 1, Function::the) ? i - 1 : i;
  if (unit == Unit::day) {
    const Deictic wanted = after ? Deictic::tomorrow : Deictic::yesterday;
    const bool pointed =
        scene.is(i + 2, Class::deictic) && scene.value(i + 2) == static_cast<int>(wanted);
    return pointed && fill_from_reference(scene, unit, after ? 2 : -2, first, i + 3, expression);
  }
  const bool shift = scene.is(i + 2, Class::shift) &&
                     scene.word(i + 2) == (after ? u"next" : u"last") &&
                     !scene.is(i + 3, Class::unit);
  return shift && fill_from_reference(scene, unit, after ? 2 : -2, first, i + 3, expression);
}

// "will return in two weeks", "returns in two weeks"
bool looks_ahead(const Scene& scene, std::size_t first, std::size_t last) {
  const Direction direction = direction_at(scene, first, last);
  const bool present = scene.is(first - 1, Class::unknown) && !scene.at(first - 1).capital &&
                       scene.word(first - 1).ends_with(u's') &&
                       !scene.word(first - 1).ends_with(u"ss");
  return direction == Direction::ahead || (direction == Direction::unknown && present);
}

// "in three days' time", "in two weeks": ahead of the reference. "built in two weeks" is a length.
bool read_time_ahead(const Scene& scene, std::size_t i, Expression& expression) {
  Count count;
  if (!scene.is(i - 1, Function::in) || !read_count(scene, i, count) || count.vague ||
      count.value < 1 || count.value != std::floor(count.value))
    return false;
  Unit unit{};
  bool plural = false;
  std::size_t last = count.last + 1;
  if (!read_unit(scene, count.last, false, unit, plural) || unit < Unit::day ||
      unit == Unit::season || unit == Unit::half)
    return false;
  if (scene.is(last, Kind::apostrophe) && scene.glued(last)) ++last;
  if (scene.is(last, Class::suffix) && scene.glued(last)) ++last;  // "a week's time"
  const bool time = scene.is(last, Function::time);
  if (time)
    ++last;
  else if (last != count.last + 1 || scene.mode != Mode::news || !looks_ahead(scene, i - 1, last))
    return false;
  return fill_from_reference(scene, unit, static_cast<std::int64_t>(count.value), i, last,
                             expression);
}

}  // namespace

bool read_pointed(const Scene& scene, std::size_t i, Expression& expression) {
  return scene.has_reference() &&
         (read_one_beyond(scene, i, expression) || read_time_ahead(scene, i, expression));
}

}  // namespace asof::timetag
