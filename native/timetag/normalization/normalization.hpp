// What a date leaves out: the mode that a text is read by, and where its year, month or day is
// looked for in each.
#pragma once
#include <cstdint>

#include "timetag/document.hpp"

namespace asof::timetag {

// mode.cpp
Mode choose_mode(const Document& doc);

// narrative.cpp and news.cpp: a year for a date that names none.
void resolve_in_narrative(const Document& doc, const Signal& signal, Expression& expression);
/// Whether a month with neither day nor year nor preposition is one in a story: "September saw",
/// "the August decrees".
bool is_bare_month(const Document& doc, const Expression& expression, std::size_t floor);
/// Makes a resolved date the one that the story has come to, unless it is an aside.
void update_anchor(Document& doc, const Signal& signal, const Expression& expression);
void resolve_in_news(const Document& doc, Expression& expression);
/// Notes a date of news. Days and years are remembered apart: "the next day" follows the last
/// weekday, "a year later" does not.
void update_news_anchor(Document& doc, const Expression& expression);
/// What a unit is counted from: the last day or the last year mentioned, else the reference.
Anchor anchor_in_news(const Document& doc, Unit unit);
/// Whether a month that no preposition of time leads is a date all the same.
bool is_bare_news_month(const Document& doc, const Expression& expression, std::size_t floor);
/// The day (since 1970) of a weekday alone: the one before the reference or after it, as the
/// sentence points.
std::int64_t nearest_weekday(const Document& doc, std::size_t i, int weekday);

// tense_direction.cpp
enum class Direction : std::uint8_t { unknown, back, ahead };
/// Which way the clause around the tokens [first, last) points, by its verbs; `weakly` is set where
/// only "is", "could" or "for" points ahead.
Direction direction_at(const Document& doc, std::size_t first, std::size_t last,
                       bool* weakly = nullptr);

// pending_year.cpp
// The last date that nothing before it gave a year.
struct PendingYear {
  bool known = false;
  Expression expression;
  std::size_t mention = 0;
  std::size_t timex = 0;
};
/// Notes the mention just appended, where it lacks its year.
void note_pending_year(const Expression& expression, const Tags& tags, PendingYear& open);
/// Gives the noted date the year of `dated`, if that stands in the same sentence.
void fill_pending_year(const Document& doc, const Expression& dated, PendingYear& open, Tags& tags);

}  // namespace asof::timetag
