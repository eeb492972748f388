// Calendar units of an expression: filling, narrowing to parts, joining to ranges, TIMEX3 values.
// Reads no text.
#pragma once
#include <string>

#include "timetag/document.hpp"

namespace asof::timetag {

void fill_days(Expression& expression, std::int64_t from_day, std::int64_t end_day,
               Granularity granularity);
void fill_day(Expression& expression, std::int64_t year, int month, int day);
void fill_month(Expression& expression, std::int64_t year, int month);
void fill_year(Expression& expression, std::int64_t year);
void fill_decade(Expression& expression, std::int64_t first_year);
/// Nth century; BC if `before_common`.
void fill_century(Expression& expression, int ordinal, bool before_common);
void fill_millennium(Expression& expression, int ordinal, bool before_common);
void fill_season(Expression& expression, std::int64_t year, int season);
/// Narrows a month, year, decade or century to its early, middle or late part (TIME_CONVENTIONS).
void narrow_to_part(Expression& expression, Part part);
/// Narrows to the index-th (from 0) of `count` equal stretches of its months, years or days.
void narrow_to_fraction(Expression& expression, int index, int count);
/// Extends `first` to the hull: to the end of `second`, with the coarser granularity. Both have
/// their tokens set, which become the spans.
void join(Expression& first, const Expression& second);
/// Gives a date without its year the year.
void resolve_year(Expression& expression, std::int64_t year);
std::string year_text(std::int64_t year);
std::string day_text(std::int64_t day);
/// The ISO week that begins on this Monday: "2013-W12".
std::string week_text(std::int64_t monday);

}  // namespace asof::timetag
