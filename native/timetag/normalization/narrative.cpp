// Narrative resolution: dates advance through the text, so that an incomplete date is completed by
// the last one. Asides ("the largest since 1813", "a copy found in 2004") do not become the last
// date.
#include <cstdlib>
#include <utility>

#include "timetag/grammar/rules.hpp"
#include "timetag/normalization/normalization.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

// How far a story may step back without naming the year again.
constexpr double step_back_ms = 92 * day_ms;
// How close behind, across the turn of the year, it is more likely than the same date months ahead.
constexpr double just_behind_ms = 45 * day_ms;
// A limit farther than this from the story is an aside even if it is a whole date.
constexpr std::int64_t far_years = 10;
// How far ahead a year may lie that is not at the head of its clause and yet moves the story: whole
// ones compare and foretell more often than they tell, "early 1946" tells.
constexpr std::int64_t near_years = 1, near_years_in_part = 10;
// A year mentioned in passing still holds for what stands a few words after it: "the treaty of 1920
// on July 12".
constexpr std::size_t passing_reach = 5;

std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

bool yearly(Granularity granularity) {
  return granularity >= Granularity::half && granularity <= Granularity::year;
}

// Where a sentence, a line, a quotation or a heading begins: a date here belongs to
// the story and is not mentioned in passing.
bool opens_clause(const Document& doc, std::size_t i) {
  if (i == 0) return true;
  const Token& before = doc.at(i - 1);
  const std::u16string_view gap = doc.text.substr(before.end, doc.at(i).begin - before.end);
  if (gap.find(u'\n') != std::u16string_view::npos) return true;
  if (before.kind == Kind::dot || before.kind == Kind::symbol) return true;
  // "However, in 1917": one word and its comma may stand before.
  return before.kind == Kind::comma && doc.is(i - 2, Kind::word) && doc.at(i - 2).capital &&
         (i == 2 || doc.is(i - 3, Kind::dot));
}

bool holds_stop(const Document& doc, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (doc.is(i, Kind::dot)) return true;
  }
  return false;
}

// WikiWars names a winter by the year that it ends in.
void name_winter(Expression& expression) {
  if (expression.season == 3) expression.value = year_text(expression.year + 1) + "-WI";
}

}  // namespace

void resolve_in_narrative(const Document& doc, const Signal& signal, Expression& expression) {
  const Anchor& anchor = doc.anchor;
  if (!anchor.known()) {
    resolve_in_news(doc, expression);
    return;
  }
  std::int64_t year = civil_from_days(day_of(anchor.start_ms)).year;
  const bool passing = doc.aside_end > anchor.at &&
                       expression.first < doc.aside_end + passing_reach &&
                       !holds_stop(doc, doc.aside_end, expression.first);
  if (passing) year = doc.aside_year;
  if (passing || yearly(anchor.granularity)) {
    resolve_year(expression, expression.season == 3 ? year - 1 : year);
    name_winter(expression);
    return;
  }
  const double floor = anchor.start_ms - step_back_ms;
  Expression chosen = expression;
  resolve_year(chosen, year);
  const bool since =
      doc.is(signal.first, Function::since);  // "since January": behind the story, however far
  if (since) {
    if (chosen.start_ms > anchor.end_ms) resolve_year(chosen = expression, year - 1);
  } else if (chosen.end_ms <= floor) {
    resolve_year(chosen = expression, year + 1);
  } else {
    // Early in a year, a date of the last weeks of the year before.
    Expression earlier = expression;
    resolve_year(earlier, year - 1);
    const double behind = anchor.start_ms - earlier.end_ms;
    if (behind < just_behind_ms && behind < chosen.start_ms - anchor.end_ms)
      chosen = std::move(earlier);
  }
  expression = std::move(chosen);
  name_winter(expression);
}

bool is_bare_month(const Document& doc, const Expression& expression, std::size_t floor) {
  const std::size_t i = expression.first;
  if (!doc.narrative() || !doc.anchor.known() || !doc.at(i).capital ||
      doc.at(i).end - doc.at(i).begin < 3)
    return false;
  const Token& before = doc.at(i - 1);
  const Token& next = doc.at(expression.last);
  const bool same_line =
      i > 0 && doc.text.substr(before.end, doc.at(i).begin - before.end).find(u'\n') ==
                   std::u16string_view::npos;
  if (same_line && before.kind == Kind::word && before.capital &&
      before.lexeme.cls == Class::unknown)
    return false;  // "Black September"
  if (next.kind == Kind::apostrophe && next.glued) return false;
  const int month = doc.value(i);
  const bool given_name = month == 4 || month == 5 || month == 6 || month == 8 || month == 3;
  if (!given_name) return true;
  const bool listed =
      floor > 0 && floor + 1 == i && doc.is_any(i - 1, {Function::and_, Function::or_});
  if (listed) return true;
  if ((month == 3 || month == 5) && !doc.is(expression.last, Class::unknown))
    return false;  // "the March to the sea"
  return (same_line && (doc.is(i - 1, Function::the) ||
                        (before.kind == Kind::word && !before.capital &&
                         before.lexeme.cls == Class::unknown && doc.is(i - 2, Function::the))));
}

void update_anchor(Document& doc, const Signal& signal, const Expression& expression) {
  if (!std::isnan(expression.start_ms))
    doc.last = {expression.start_ms, expression.end_ms, expression.granularity, expression.last};
  if (doc.mode == Mode::news) {
    update_news_anchor(doc, expression);
    return;
  }
  if (std::isnan(expression.start_ms) || expression.anaphoric_shift ||
      expression.granularity > Granularity::year)
    return;
  const std::int64_t first = civil_from_days(day_of(expression.start_ms)).year;
  const Civil end = civil_from_days(day_of(expression.end_ms - 1));
  Anchor anchor{expression.start_ms, expression.end_ms, expression.granularity, 0};
  if (yearly(expression.granularity)) {
    const std::int64_t ahead = doc.anchor.known() ? first - doc.last_year : 0;
    const std::int64_t near =
        expression.granularity == Granularity::part_of_year ? near_years_in_part : near_years;
    const bool describes =
        expression.bare_year && has_determiner(doc, expression.first);  // "under the 1978 treaty"
    if ((ahead < -1 || ahead > near || describes) && !expression.relative &&
        !opens_clause(doc, signal.first)) {
      doc.aside_year = end.year;
      doc.aside_end = expression.last;
      return;
    }
    if (expression.range && !expression.single_interval) {
      // A heading's "1914-18" begins in its first year; "from 1914 to 1918" is complete to its
      // end.
      const bool dash = expression.spans.size() == 2 && doc.dash(expression.spans[0].last);
      Expression year;
      fill_year(year, dash ? first : end.year);
      anchor = {year.start_ms, year.end_ms, Granularity::year};
    }
  } else if (expression.range && !expression.single_interval) {
    // A range is complete to its end.
    const bool day = expression.granularity <= Granularity::day;
    const double from =
        static_cast<double>(days_from_civil(end.year, end.month, day ? end.day : 1)) * day_ms;
    anchor.start_ms = std::max(anchor.start_ms, from);
  }
  const bool far = doc.anchor.known() && std::llabs(end.year - doc.last_year) > far_years;
  if (far && (signal.relation == Relation::until || signal.relation == Relation::since))
    return;  // "effective until 14 September 1978"
  anchor.at = expression.last;
  doc.anchor = anchor;
  doc.last_year = civil_from_days(day_of(anchor.start_ms)).year;
}

}  // namespace asof::timetag
