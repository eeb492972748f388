// What a date leaves out: the mode that a text is read by, and where its year, month or day is
// looked for in each.
#pragma once
#include <cstdint>

#include "timetag/scene.hpp"

namespace asof::timetag {

// mode.cpp
Mode choose_mode(const Scene& scene);

// narrative.cpp and news.cpp: a year for a date that names none.
void resolve_in_narrative(const Scene& scene, const Prefix& prefix, Expression& expression);
/// Whether a month with neither day nor year nor preposition is one in a story: "September saw",
/// "the August decrees".
bool month_stands_alone(const Scene& scene, const Expression& expression, std::size_t floor);
/// Makes a resolved date the one that the story has come to, unless it is an aside.
void carry(Scene& scene, const Prefix& prefix, const Expression& expression);
void resolve_in_news(const Scene& scene, Expression& expression);
/// Notes a date of news. Days and years are remembered apart: "the next day" follows the last
/// weekday, "a year later" does not.
void carry_in_news(Scene& scene, const Expression& expression);
/// What a unit is counted from: the last day or the last year told, else the reference.
Told told_in_news(const Scene& scene, Unit unit);
/// Whether a month that no preposition of time leads is a date all the same.
bool news_month(const Scene& scene, const Expression& expression, std::size_t floor);
/// The day (since 1970) of a weekday alone: the one before the reference or after it, as the
/// sentence points.
std::int64_t news_weekday(const Scene& scene, std::size_t i, int weekday);

// direction.cpp
enum class Direction : std::uint8_t { unknown, back, ahead };
/// Which way the clause around the tokens [first, last) points, by its verbs; `weakly` is set where
/// only "is", "could" or "for" points ahead.
Direction direction_at(const Scene& scene, std::size_t first, std::size_t last,
                       bool* weakly = nullptr);

// backfill.cpp
// The last date that nothing before it gave a year.
struct Open {
  bool known = false;
  Expression expression;
  std::size_t mention = 0;
  std::size_t timex = 0;
};
/// Notes the mention just appended, where it lacks its year.
void leave_open(const Expression& expression, const Tags& tags, Open& open);
/// Gives the noted date the year of `dated`, if that stands in the same sentence.
void fill_open(const Scene& scene, const Expression& dated, Open& open, Tags& tags);

}  // namespace asof::timetag
