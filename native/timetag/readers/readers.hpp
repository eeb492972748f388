// The readers of the grammar, by the file that each stands in. A reader is a function (scene, index
// of a token, expression to fill) -> whether it read one; read_expression tries those that the
// token can begin. What an expression leaves out, and whether it is a date at all where it stands,
// are not theirs to decide.
#pragma once
#include <cstdint>
#include <string>

#include "timetag/scene.hpp"

namespace asof::timetag {

// years.cpp
bool clean_number(const Scene& scene, std::size_t i);
bool year_number(const Scene& scene, std::size_t i);
/// Whether an article or possessive stands before `i`: "his 1883 book".
bool determined(const Scene& scene, std::size_t i);
/// A year with an era or with the digits to be one, at `i`: sets `year` and the index after it.
bool read_year_value(const Scene& scene, std::size_t i, std::int64_t& year, std::size_t& next);
bool read_years(const Scene& scene, std::size_t i, Expression& expression);
bool read_short_year(const Scene& scene, std::size_t i, Expression& expression);
bool read_decade(const Scene& scene, std::size_t i, Expression& expression);
bool read_century(const Scene& scene, std::size_t i, Expression& expression);
bool read_ordinal(const Scene& scene, std::size_t i, int& ordinal, std::size_t& next);

/// What may follow a year of three digits for it to be one: not the thing that it counts.
bool closed_after(const Scene& scene, std::size_t i);

// dates.cpp
bool read_numeric_date(const Scene& scene, std::size_t i, Expression& expression);
bool read_day_month(const Scene& scene, std::size_t i, Expression& expression);
bool read_month_first(const Scene& scene, std::size_t i, Expression& expression);
bool read_weekday(const Scene& scene, std::size_t i, Expression& expression);

// parts.cpp
/// What a part, half or quarter may be of: a decade, century, season, month or year.
bool read_whole(const Scene& scene, std::size_t i, Expression& whole);
bool read_part(const Scene& scene, std::size_t i, Expression& expression);
bool read_later(const Scene& scene, std::size_t i, Expression& expression);
bool read_season(const Scene& scene, std::size_t i, Expression& expression);
/// "their 1982 summer offensive"
bool read_year_and_season(const Scene& scene, std::size_t i, Expression& expression);
bool read_fraction(const Scene& scene, std::size_t i, Expression& expression);

// quarters.cpp
bool read_report(const Scene& scene, std::size_t i, Expression& expression);
/// Notes the quarter that was read, for "the quarter" and "a year earlier" after it.
void remember_quarter(Scene& scene, const Expression& expression);

// modified.cpp
bool read_modified(const Scene& scene, std::size_t i, Expression& expression);
/// "January this year", "June of last year": gives a date without its year the year, and its words.
void extend_by_shifted_year(const Scene& scene, Expression& expression);

// pointed.cpp
bool read_pointed(const Scene& scene, std::size_t i, Expression& expression);

// weeks.cpp
bool read_stretch_of(const Scene& scene, std::size_t i, Expression& expression);

// relative.cpp
bool read_relative(const Scene& scene, std::size_t i, Expression& expression);
/// The unit `steps` away from the one that holds `day`. False where the calendar ends.
bool fill_shifted(std::int64_t day, Unit unit, std::int64_t steps, Expression& expression);
/// What stands for a unit of which nothing is known: "XXXX-XX-XX".
const char* unresolved_value(Unit unit);

// anaphora.cpp
bool read_anaphora(const Scene& scene, std::size_t i, Expression& expression);
/// "the year", "that same month", "the following day" from `i`: a unit counted from the last date
/// told.
bool read_told_unit(const Scene& scene, std::size_t i, Expression& expression);
/// The unit `steps` away from the last date told; unresolved where that is unknown, with the year
/// alone where it is coarse.
bool fill_from_told(const Scene& scene, Unit unit, std::int64_t steps, Expression& expression);
/// "days later": near the last date told, but nobody can say when.
void fill_told_vaguely(const Scene& scene, Unit unit, Expression& expression);
/// "two years later (218 BC)", "six days later, on 7 October": what is counted in a story is the
/// date named beside it.
void take_named_date(const Scene& scene, Expression& expression);
/// "October of that year", "the spring of the following year": gives a date without its year the
/// year, and its words.
void extend_by_told_year(const Scene& scene, Expression& expression);

// numbers.cpp: how many, in digits or words.
struct Count {
  double value = 0;
  bool vague = false;    // "a few", "many": no number at all
  bool article = false;  // "a", "an"
  std::size_t last = 0;  // the token after it
};
bool read_count(const Scene& scene, std::size_t i, Count& count);
/// A count as TIMEX3 writes it: "3", "2.5", "X" for a vague one.
std::string count_text(const Count& count);

// durations.cpp
bool read_duration(const Scene& scene, std::size_t i, Expression& expression);

// lengths.cpp
/// A unit at `i` that may be counted ("years", "week"; "second" only where `counted_by_hyphen`);
/// sets whether its form is plural.
bool read_unit(const Scene& scene, std::size_t i, bool counted_by_hyphen, Unit& unit, bool& plural);
/// The TIMEX3 duration of a count of a unit: "PT30M", "PXY".
std::string duration_text(const std::string& count, Unit unit);
/// The first token of the words before a count at `i` that belong to it: "more than", "at least",
/// "just under".
std::size_t with_modifiers(const Scene& scene, std::size_t i);
/// "a year and a half later": whether "and a half" follows the unit at `i` of the count "a"; sets
/// the token after it.
bool and_a_half(const Scene& scene, std::size_t i, const Count& count, std::size_t& next);
/// "fortnight", "fortnights": two of Unit::week.
bool fortnight(const Scene& scene, std::size_t i);
/// "over the next year", "in the following decade": how long, where "the next year" alone is when.
bool over_stretch(const Scene& scene, std::size_t i);
/// "two years back, it was": "back" for "ago", where its clause ends with it.
bool ago_by_back(const Scene& scene, std::size_t i);

// zones.cpp
/// "Eastern Time": sets `zone`, a value of Class::zone, and the token after it.
bool read_named_zone(const Scene& scene, std::size_t i, int& zone, std::size_t& next);

// holidays.cpp
bool read_holiday(const Scene& scene, std::size_t i, Expression& expression);
void fill_holiday(Expression& expression, std::int64_t year);

// sets.cpp
/// Whether something counted stands right before: "20 miles (32 km) a day", "600 acts a year", "8
/// percent a year".
bool counted_before(const Scene& scene, std::size_t i);
bool read_set(const Scene& scene, std::size_t i, Expression& expression);

// clock.cpp
bool read_clock(const Scene& scene, std::size_t i, Expression& expression);
/// Extends a day by the time of day that follows it: "Tuesday morning", "May 8 1:00 AM".
void extend_by_clock(const Scene& scene, Expression& expression);

// dayparts.cpp
bool read_daypart(const Scene& scene, std::size_t i, Expression& expression);
/// "morning": the part of the day at `i`.
bool read_part_of_day(const Scene& scene, std::size_t i, Clock& clock);
/// Whether it is a single day, with or without its year.
bool names_day(const Expression& expression);
/// The day that a time of day alone, at `i`, is of. False where the text gives none.
bool anchor_day(const Scene& scene, std::size_t i, std::int64_t& day);
/// Gives an expression of a day its time of day.
void apply_clock(Expression& expression);

// references.cpp
/// Whether nothing follows, from `i` on, that a time word could describe: "in the past it was", not
/// "the past president".
bool stands_alone(const Scene& scene, std::size_t i);
bool read_reference(const Scene& scene, std::size_t i, Expression& expression);

// events.cpp
/// Whether a date stands in the phrase that begins at `i`.
bool holds_date(const Scene& scene, std::size_t i);
/// Whether the phrase that ends before `i` goes on to a date: "of 1915", "since 8 August".
bool nests_date(const Scene& scene, std::size_t i);
/// "two days after the siege was raised", "the day before the battle"
bool read_event_shift(const Scene& scene, std::size_t i, Expression& expression);
/// "the years following the war"
bool read_event_stretch(const Scene& scene, std::size_t i, Expression& expression);
/// "the fifth day of the rebellion"
bool read_event_day(const Scene& scene, std::size_t i, Expression& expression);
/// "ten months of bitter fighting": the words after a duration that say what filled it.
void extend_by_event(const Scene& scene, std::size_t floor, Expression& expression);

// expression.cpp
bool read_expression(const Scene& scene, std::size_t i, Expression& expression);

}  // namespace asof::timetag
