// Rules of the date grammar, by source file. A rule is a function (context, token index, expression
// to fill) -> whether it matched; read_expression tries the rules that the token can begin.
// Underspecified dates are resolved, and false positives rejected, in mentions/ and normalization/.
#pragma once
#include <cstdint>
#include <string>

#include "timetag/document.hpp"

namespace asof::timetag {

// Bare numbers taken for years.
inline constexpr std::uint32_t min_bare_year = 1000, max_bare_year = 2199;

// years.cpp
/// An era at `i`; in lower case only after a number, where "ad" can hardly be an advertisement.
bool era_at(const Document& doc, std::size_t i, bool& before_common, std::size_t& next);
/// Whether the tokens before or after a number allow a plain number: no unit, label or grouping.
/// "sooner", "older" before "than".
bool compares_times(const Document& doc, std::size_t i);
bool is_plain_before(const Document& doc, std::size_t i);
bool is_plain_after(const Document& doc, std::size_t i);
bool is_plain_number(const Document& doc, std::size_t i);
bool is_year_number(const Document& doc, std::size_t i);
/// Whether an article or possessive stands before `i`: "his 1883 book".
bool has_determiner(const Document& doc, std::size_t i);
/// A year with an era or with the digits to be one, at `i`: sets `year` and the index after it.
bool read_year_value(const Document& doc, std::size_t i, std::int64_t& year, std::size_t& next);
bool read_years(const Document& doc, std::size_t i, Expression& expression);
bool read_short_year(const Document& doc, std::size_t i, Expression& expression);
bool read_decade(const Document& doc, std::size_t i, Expression& expression);
bool read_century(const Document& doc, std::size_t i, Expression& expression);
bool read_ordinal(const Document& doc, std::size_t i, int& ordinal, std::size_t& next);

/// Whether a number of three digits before `i` may be a year: no counted noun follows.
bool ends_phrase_after(const Document& doc, std::size_t i);

// numeric_dates.cpp
/// A number of at most `digits` digits within [low, high].
bool number_within(const Document& doc, std::size_t i, std::uint32_t digits, std::uint32_t low,
                   std::uint32_t high);
bool read_numeric_date(const Document& doc, std::size_t i, Expression& expression);

// dates.cpp
/// "1697 September", "1914 August 4"
bool read_year_first(const Document& doc, std::size_t i, Expression& expression);
bool read_day_month(const Document& doc, std::size_t i, Expression& expression);
bool read_month_first(const Document& doc, std::size_t i, Expression& expression);
bool read_weekday(const Document& doc, std::size_t i, Expression& expression);

// unit_parts.cpp
/// A decade, century, season, month or year, of which a part, half or quarter is read.
bool read_whole(const Document& doc, std::size_t i, Expression& whole);
bool read_part(const Document& doc, std::size_t i, Expression& expression);
bool read_later(const Document& doc, std::size_t i, Expression& expression);
bool read_season(const Document& doc, std::size_t i, Expression& expression);
/// "their 1982 summer offensive"
bool read_year_and_season(const Document& doc, std::size_t i, Expression& expression);
bool read_fraction(const Document& doc, std::size_t i, Expression& expression);

// fiscal_periods.cpp
bool read_fiscal_period(const Document& doc, std::size_t i, Expression& expression);
/// Records a quarter, for "the quarter" and "a year earlier" after it.
void remember_quarter(Document& doc, const Expression& expression);

// modifiers.cpp
bool read_modified_unit(const Document& doc, std::size_t i, Expression& expression);
/// "January this year", "June of last year": adds the year, and its words, to a date without one.
void extend_by_shifted_year(const Document& doc, Expression& expression);

// deictic_units.cpp
bool read_deictic_unit(const Document& doc, std::size_t i, Expression& expression);

// subintervals.cpp
/// The first day of an ISO week.
std::int64_t monday_of(std::int64_t year, std::int64_t week);
bool read_subinterval(const Document& doc, std::size_t i, Expression& expression);

// deictic.cpp
bool read_deictic(const Document& doc, std::size_t i, Expression& expression);
void add_months(std::int64_t& year, int& month, std::int64_t months);
/// The unit `steps` away from the one of `day`. False beyond the calendar's ends.
bool fill_shifted(std::int64_t day, Unit unit, std::int64_t steps, Expression& expression);
/// The value of an unresolved unit: "XXXX-XX-XX".
const char* unresolved_value(Unit unit);

// anaphora.cpp
bool read_anaphora(const Document& doc, std::size_t i, Expression& expression);
/// "the year", "that same month", "the following day" from `i`: a unit counted from the last date
/// mentioned.
bool read_anchored_unit(const Document& doc, std::size_t i, Expression& expression);
/// The unit `steps` away from the anchor; underspecified if the anchor is unknown or too coarse.
bool fill_from_anchor(const Document& doc, Unit unit, std::int64_t steps, Expression& expression);
/// "days later": near the anchor, at an unknown distance.
void fill_near_anchor(const Document& doc, Unit unit, Expression& expression);
/// "two years later (218 BC)", "six days later, on 7 October": in a narrative the count is the date
/// in apposition to it.
void take_named_date(const Document& doc, Expression& expression);
/// "October of that year", "the spring of the following year": adds the year, and its words, to a
/// date without one.
void extend_by_anchor_year(const Document& doc, Expression& expression);

// numbers.cpp: a count in digits or words.
struct Count {
  double value = 0;
  bool vague = false;    // "a few", "many": no number at all
  bool article = false;  // "a", "an"
  std::size_t last = 0;  // the token after it
};
bool read_count(const Document& doc, std::size_t i, Count& count);
/// A count as TIMEX3 writes it: "3", "2.5", "X" for a vague one.
std::string count_text(const Count& count);

// durations.cpp
bool read_duration(const Document& doc, std::size_t i, Expression& expression);

// counted_units.cpp
/// A unit at `i` that may be counted ("years", "week"; "second" only where `counted_by_hyphen`);
/// sets whether its form is plural.
bool read_unit(const Document& doc, std::size_t i, bool counted_by_hyphen, Unit& unit,
               bool& plural);
/// The TIMEX3 duration of a count of a unit: "PT30M", "PXY".
std::string duration_text(const std::string& count, Unit unit);
/// The first token of the words before a count at `i` that belong to it: "more than", "at least",
/// "just under".
std::size_t with_modifiers(const Document& doc, std::size_t i);
/// "a year and a half later": whether "and a half" follows the unit at `i` of the count "a"; sets
/// the token after it.
bool and_a_half(const Document& doc, std::size_t i, const Count& count, std::size_t& next);
/// "fortnight", "fortnights": two of Unit::week.
bool fortnight(const Document& doc, std::size_t i);
/// "over the next year", "in the following decade": how long, where "the next year" alone is when.
bool is_length_of_interval(const Document& doc, std::size_t i);
/// "two years back, it was": "back" for "ago", where its clause ends with it.
bool ago_by_back(const Document& doc, std::size_t i);

// zones.cpp
/// "Eastern Time": sets `zone`, a value of Class::zone, and the token after it.
bool read_named_zone(const Document& doc, std::size_t i, int& zone, std::size_t& next);

// holidays.cpp
bool read_holiday(const Document& doc, std::size_t i, Expression& expression);
void fill_holiday(Expression& expression, std::int64_t year);

// sets.cpp
/// Whether a quantity precedes: "20 miles (32 km) a day", "600 acts a year", "8
/// percent a year".
bool has_quantity_before(const Document& doc, std::size_t i);
bool read_set(const Document& doc, std::size_t i, Expression& expression);

// time_of_day.cpp
bool read_time_of_day(const Document& doc, std::size_t i, Expression& expression);
/// Extends a day by the time of day that follows it: "Tuesday morning", "May 8 1:00 AM".
void extend_by_time_of_day(const Document& doc, Expression& expression);

// dayparts.cpp
bool read_daypart(const Document& doc, std::size_t i, Expression& expression);
/// "morning": the part of the day at `i`.
bool read_part_of_day(const Document& doc, std::size_t i, TimeOfDay& time);
/// Whether it is a single day, with or without its year.
bool names_day(const Expression& expression);
/// The day of a time of day alone, at `i`. False if the text determines none.
bool anchor_day(const Document& doc, std::size_t i, std::int64_t& day);
/// Adds the time of day to an expression of a day.
void apply_time_of_day(Expression& expression);

// generic_references.cpp
/// Whether nothing follows, from `i` on, that a time word could describe: "in the past it was", not
/// "the past president".
bool has_no_head_noun(const Document& doc, std::size_t i);
bool read_generic_reference(const Document& doc, std::size_t i, Expression& expression);

// event_anchors.cpp
/// Whether a date stands in the phrase that begins at `i`.
bool contains_date(const Document& doc, std::size_t i);
/// Whether the phrase that ends before `i` goes on to a date: "of 1915", "since 8 August".
bool nests_date(const Document& doc, std::size_t i);
/// "two days after the siege was raised", "the day before the battle"
bool read_event_shift(const Document& doc, std::size_t i, Expression& expression);
/// "the years following the war"
bool read_event_interval(const Document& doc, std::size_t i, Expression& expression);
/// "the fifth day of the rebellion"
bool read_event_day(const Document& doc, std::size_t i, Expression& expression);
/// "ten months of bitter fighting": extends a duration by the words of its event.
void extend_by_event(const Document& doc, std::size_t floor, Expression& expression);

// question/dates.cpp and question/offsets.cpp, in questions only, before the other rules
bool read_question_date(const Document& doc, std::size_t i, Expression& expression);
bool read_offset(const Document& doc, std::size_t i, Expression& expression);

// expression.cpp
bool read_expression(const Document& doc, std::size_t i, Expression& expression);

}  // namespace asof::timetag
