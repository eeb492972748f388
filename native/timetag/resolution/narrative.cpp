// Narrative resolution: a story goes forward from one date to the next, so what a date leaves out
// is the last date's. Here stands what counts as the last date: asides ("the largest since 1813",
// "a copy found in 2004") do not move the story.
#include <cstdlib>

#include "timetag/readers/readers.hpp"
#include "timetag/resolution/resolution.hpp"
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

// Where a sentence, a line, a quotation or a heading begins: what is dated here is told, not
// mentioned in passing.
bool opens_clause(const Scene& scene, std::size_t i) {
  if (i == 0) return true;
  const Token& before = scene.at(i - 1);
  const std::u16string_view gap = scene.text.substr(before.end, scene.at(i).begin - before.end);
  if (gap.find(u'\n') != gap.npos) return true;
  if (before.kind == Kind::dot || before.kind == Kind::symbol) return true;
  // "However, in 1917": one word and its comma may stand before.
  return before.kind == Kind::comma && scene.is(i - 2, Kind::word) && scene.at(i - 2).capital &&
         (i == 2 || scene.is(i - 3, Kind::dot));
}

bool holds_stop(const Scene& scene, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (scene.is(i, Kind::dot)) return true;
  }
  return false;
}

// WikiWars names a winter by the year that it ends in.
void name_winter(Expression& expression) {
  if (expression.season == 3) expression.value = year_text(expression.year + 1) + "-WI";
}

}  // namespace

void resolve_in_narrative(const Scene& scene, const Prefix& prefix, Expression& expression) {
  const Told& told = scene.told;
  if (!told.known()) {
    resolve_in_news(scene, expression);
    return;
  }
  std::int64_t year = civil_from_days(day_of(told.start_ms)).year;
  const bool passing = scene.passing_end > told.at &&
                       expression.first < scene.passing_end + passing_reach &&
                       !holds_stop(scene, scene.passing_end, expression.first);
  if (passing) year = scene.passing_year;
  if (passing || yearly(told.granularity)) {
    resolve_year(expression, expression.season == 3 ? year - 1 : year);
    name_winter(expression);
    return;
  }
  const double floor = told.start_ms - step_back_ms;
  Expression chosen = expression;
  resolve_year(chosen, year);
  const bool since =
      scene.is(prefix.first, Function::since);  // "since January": behind the story, however far
  if (since) {
    if (chosen.start_ms > told.end_ms) resolve_year(chosen = expression, year - 1);
  } else if (chosen.end_ms <= floor) {
    resolve_year(chosen = expression, year + 1);
  } else {
    // Early in a year, a date of the last weeks of the year before.
    Expression earlier = expression;
    resolve_year(earlier, year - 1);
    const double behind = told.start_ms - earlier.end_ms;
    if (behind < just_behind_ms && behind < chosen.start_ms - told.end_ms) chosen = earlier;
  }
  expression = chosen;
  name_winter(expression);
}

bool month_stands_alone(const Scene& scene, const Expression& expression, std::size_t floor) {
  const std::size_t i = expression.first;
  if (!scene.story() || !scene.told.known() || !scene.at(i).capital ||
      scene.at(i).end - scene.at(i).begin < 3)
    return false;
  const Token& before = scene.at(i - 1);
  const Token& next = scene.at(expression.last);
  const bool same_line =
      i > 0 && scene.text.substr(before.end, scene.at(i).begin - before.end).find(u'\n') ==
                   std::u16string_view::npos;
  if (same_line && before.kind == Kind::word && before.capital &&
      before.lexeme.cls == Class::unknown)
    return false;  // "Black September"
  if (next.kind == Kind::apostrophe && next.glued) return false;
  const int month = scene.value(i);
  const bool given_name = month == 4 || month == 5 || month == 6 || month == 8 || month == 3;
  if (!given_name) return true;
  const bool listed =
      floor > 0 && floor + 1 == i && scene.is_any(i - 1, {Function::and_, Function::or_});
  if (listed) return true;
  if ((month == 3 || month == 5) && !scene.is(expression.last, Class::unknown))
    return false;  // "the March to the sea"
  return (same_line && (scene.is(i - 1, Function::the) ||
                        (before.kind == Kind::word && !before.capital &&
                         before.lexeme.cls == Class::unknown && scene.is(i - 2, Function::the))));
}

void carry(Scene& scene, const Prefix& prefix, const Expression& expression) {
  if (!std::isnan(expression.start_ms))
    scene.last = {expression.start_ms, expression.end_ms, expression.granularity, expression.last};
  if (scene.mode == Mode::news) {
    carry_in_news(scene, expression);
    return;
  }
  if (std::isnan(expression.start_ms) || expression.looks_back ||
      expression.granularity > Granularity::year)
    return;
  const std::int64_t first = civil_from_days(day_of(expression.start_ms)).year;
  const Civil end = civil_from_days(day_of(expression.end_ms - 1));
  Told told{expression.start_ms, expression.end_ms, expression.granularity, 0};
  if (yearly(expression.granularity)) {
    const std::int64_t ahead = scene.told.known() ? first - scene.carried_year : 0;
    const std::int64_t near =
        expression.granularity == Granularity::part_of_year ? near_years_in_part : near_years;
    const bool describes =
        expression.bare_year && determined(scene, expression.first);  // "under the 1978 treaty"
    if ((ahead < -1 || ahead > near || describes) && !expression.relative &&
        !opens_clause(scene, prefix.first)) {
      scene.passing_year = end.year;
      scene.passing_end = expression.last;
      return;
    }
    if (expression.range && !expression.one_stretch) {
      // A heading's "1914-18" begins in its first year; "from 1914 to 1918" has been told to its
      // end.
      const bool dash = expression.spans.size() == 2 && scene.dash(expression.spans[0].last);
      Expression year;
      fill_year(year, dash ? first : end.year);
      told = {year.start_ms, year.end_ms, Granularity::year};
    }
  } else if (expression.range && !expression.one_stretch) {
    // A range has been told to its end.
    const bool day = expression.granularity <= Granularity::day;
    const double from =
        static_cast<double>(days_from_civil(end.year, end.month, day ? end.day : 1)) * day_ms;
    told.start_ms = std::max(told.start_ms, from);
  }
  const bool far = scene.told.known() && std::llabs(end.year - scene.carried_year) > far_years;
  if (far && (prefix.relation == Relation::until || prefix.relation == Relation::since))
    return;  // "effective until 14 September 1978"
  told.at = expression.last;
  scene.told = told;
  scene.carried_year = civil_from_days(day_of(told.start_ms)).year;
}

}  // namespace asof::timetag
