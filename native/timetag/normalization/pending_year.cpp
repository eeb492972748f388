// Dates whose year follows in the same sentence: "on the evening of 8 January he sailed, and
// arrived on 10 January 1942". Only if neither a date before it nor a reference determines the
// year.
#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

constexpr std::size_t reach = 40;  // tokens looked over for the end of a sentence

bool same_sentence(const Document& doc, std::size_t from, std::size_t to) {
  if (to - from > reach) return false;
  for (std::size_t i = from; i < to; ++i) {
    if (doc.is(i, Kind::dot) && doc.is(i + 1, Kind::word) && doc.at(i + 1).capital &&
        !doc.glued(i + 1) && doc.at(i - 1).end - doc.at(i - 1).begin > 3)
      return false;
  }
  return true;
}

}  // namespace

void note_pending_year(const Expression& expression, const Tags& tags, PendingYear& open) {
  open.known = expression.underspecified && expression.month > 0 && expression.spans.empty() &&
               tags.mentions.back().timexes == 1;
  if (!open.known) return;
  open.expression = expression;
  open.mention = tags.mentions.size() - 1;
  open.timex = tags.timexes.size() - 1;
}

void fill_pending_year(const Document& doc, const Expression& dated, PendingYear& open,
                       Tags& tags) {
  if (!open.known || dated.year == no_year || dated.month == 0 || dated.underspecified ||
      dated.relative || dated.granularity > Granularity::month)
    return;
  open.known = false;
  Expression& expression = open.expression;
  if (!same_sentence(doc, expression.last, dated.first)) return;
  resolve_year(expression, dated.year);
  if (expression.start_ms > dated.start_ms) resolve_year(expression, dated.year - 1);
  apply_time_of_day(expression);
  Mention& mention = tags.mentions[open.mention];
  mention.start_ms = expression.start_ms;
  mention.end_ms = expression.end_ms;
  mention.granularity = expression.granularity;
  tags.timexes[open.timex].value = expression.value;
}

}  // namespace asof::timetag
