// A date whose year only the next date of its sentence tells: "on the evening of 8 January he
// sailed, and arrived on 10 January 1942". Only where nothing before it, and no reference, has said
// the year.
#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t reach = 40;  // tokens looked over for the end of a sentence

bool same_sentence(const Scene& scene, std::size_t from, std::size_t to) {
  if (to - from > reach) return false;
  for (std::size_t i = from; i < to; ++i) {
    if (scene.is(i, Kind::dot) && scene.is(i + 1, Kind::word) && scene.at(i + 1).capital &&
        !scene.glued(i + 1) && scene.at(i - 1).end - scene.at(i - 1).begin > 3)
      return false;
  }
  return true;
}

}  // namespace

void leave_open(const Expression& expression, const Tags& tags, Open& open) {
  open.known = expression.lacks_year && expression.month > 0 && expression.spans.empty() &&
               tags.mentions.back().timexes == 1;
  if (!open.known) return;
  open.expression = expression;
  open.mention = tags.mentions.size() - 1;
  open.timex = tags.timexes.size() - 1;
}

void fill_open(const Scene& scene, const Expression& dated, Open& open, Tags& tags) {
  if (!open.known || dated.year == no_year || dated.month == 0 || dated.lacks_year ||
      dated.relative || dated.granularity > Granularity::month)
    return;
  open.known = false;
  Expression& expression = open.expression;
  if (!same_sentence(scene, expression.last, dated.first)) return;
  resolve_year(expression, dated.year);
  if (expression.start_ms > dated.start_ms) resolve_year(expression, dated.year - 1);
  apply_clock(expression);
  Mention& mention = tags.mentions[open.mention];
  mention.start_ms = expression.start_ms;
  mention.end_ms = expression.end_ms;
  mention.granularity = expression.granularity;
  tags.timexes[open.timex].value = expression.value;
}

}  // namespace asof::timetag
