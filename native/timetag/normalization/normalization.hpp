// Resolution of incomplete dates: the mode of a text, and the source of the year, month or day in
// each.
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
/// Makes a resolved date the narrative's anchor, unless it is an aside.
void update_anchor(Document& doc, const Signal& signal, const Expression& expression);
void resolve_in_news(const Document& doc, Expression& expression);
/// Records a date of news. Days and years are separate anchors: "the next day" follows the last
/// weekday, "a year later" does not.
void update_news_anchor(Document& doc, const Expression& expression);
/// The anchor of a unit's count: the last day or the last year mentioned, else the reference.
Anchor anchor_in_news(const Document& doc, Unit unit);
/// Whether a month without a temporal preposition is a date.
bool is_bare_news_month(const Document& doc, const Expression& expression, std::size_t floor);
/// The day (since 1970) of a weekday alone: before or after the reference, as the sentence points.
std::int64_t nearest_weekday(const Document& doc, std::size_t i, int weekday);

// tense_direction.cpp
enum class Direction : std::uint8_t { unknown, back, ahead };
/// Temporal direction of the clause around the tokens [first, last), by its verbs; `weakly` is set
/// if only "is", "could" or "for" points ahead.
Direction direction_at(const Document& doc, std::size_t first, std::size_t last,
                       bool* weakly = nullptr);

// pending_year.cpp
// The last date whose year is still unknown.
struct PendingYear {
  bool known = false;
  Expression expression;
  std::size_t mention = 0;
  std::size_t timex = 0;
};
/// Records the mention just appended, if it lacks its year.
void note_pending_year(const Expression& expression, const Tags& tags, PendingYear& open);
/// Resolves the pending date by the year of `dated`, if that is in the same sentence.
void fill_pending_year(const Document& doc, const Expression& dated, PendingYear& open, Tags& tags);

}  // namespace asof::timetag
