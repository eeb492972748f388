// Calendar units as intervals with their TIMEX3 values, and their parts, halves and hulls.
#include <cstdio>
#include <cstdlib>

#include "timetag/grammar/rules.hpp"
#include "timetag/units.hpp"

namespace asof::timetag {
namespace {

double ms_of(std::int64_t day) {
  return static_cast<double>(day) * day_ms;
}
std::int64_t day_of(double ms) {
  return static_cast<std::int64_t>(std::floor(ms / day_ms));
}

std::string two(int value) {
  return std::string(1, static_cast<char>('0' + value / 10)) + static_cast<char>('0' + value % 10);
}

std::int64_t start_of_year(std::int64_t year) {
  return days_from_civil(year, 1, 1);
}

}  // namespace

std::string year_text(std::int64_t year) {
  char buffer[32];
  // TIMEX3 writes 44 BC as BC0044; astronomical -43 is 44 BC.
  if (year > 0)
    std::snprintf(buffer, sizeof buffer, "%04lld", static_cast<long long>(year));
  else
    std::snprintf(buffer, sizeof buffer, "BC%04lld", static_cast<long long>(1 - year));
  return buffer;
}

std::string day_text(std::int64_t day) {
  const Civil civil = civil_from_days(day);
  return year_text(civil.year) + '-' + two(civil.month) + '-' + two(civil.day);
}

std::string week_text(std::int64_t monday) {
  // The ISO year of a week is the year of its Thursday.
  const std::int64_t year = civil_from_days(monday + 3).year;
  const std::int64_t week = (monday + 3 - days_from_civil(year, 1, 1)) / 7 + 1;
  return year_text(year) + "-W" + static_cast<char>('0' + week / 10) +
         static_cast<char>('0' + week % 10);
}

void fill_days(Expression& expression, std::int64_t from_day, std::int64_t end_day,
               Granularity granularity) {
  expression.start_ms = ms_of(from_day);
  expression.end_ms = ms_of(end_day);
  expression.granularity = granularity;
}

void fill_day(Expression& expression, std::int64_t year, int month, int day) {
  const std::int64_t start = days_from_civil(year, month, day);
  fill_days(expression, start, start + 1, Granularity::day);
  expression.year = year;
  expression.month = month;
  expression.value = day_text(start);
}

void fill_month(Expression& expression, std::int64_t year, int month) {
  const std::int64_t start = days_from_civil(year, month, 1);
  fill_days(expression, start, start + days_in_month(year, month), Granularity::month);
  expression.year = year;
  expression.month = month;
  expression.value = year_text(year) + '-' + two(month);
}

void fill_year(Expression& expression, std::int64_t year) {
  fill_days(expression, start_of_year(year), start_of_year(year + 1), Granularity::year);
  expression.year = year;
  expression.value = year_text(year);
}

void fill_decade(Expression& expression, std::int64_t first_year) {
  fill_days(expression, start_of_year(first_year), start_of_year(first_year + 10),
            Granularity::decade);
  expression.year = first_year;
  expression.value = year_text(first_year).substr(0, 3);
}

void fill_century(Expression& expression, int ordinal, bool before_common) {
  // The 5th century BC is 500 BC to 401 BC: astronomical -499 to -400.
  const std::int64_t first = before_common ? 1 - 100 * static_cast<std::int64_t>(ordinal)
                                           : 100 * static_cast<std::int64_t>(ordinal - 1);
  fill_days(expression, start_of_year(first), start_of_year(first + 100), Granularity::century);
  expression.value = (before_common ? "BC" : "") + two((ordinal - 1) % 100);
}

void fill_millennium(Expression& expression, int ordinal, bool before_common) {
  const std::int64_t first = before_common ? 1 - 1000 * static_cast<std::int64_t>(ordinal)
                                           : 1000 * static_cast<std::int64_t>(ordinal - 1);
  fill_days(expression, start_of_year(first), start_of_year(first + 1000), Granularity::millennium);
  expression.value = (before_common ? "BC" : "") + std::to_string(ordinal - 1);
}

void fill_season(Expression& expression, std::int64_t year, int season) {
  constexpr const char* names[] = {"SP", "SU", "FA", "WI"};
  const int month =
      3 + 3 * season;  // northern and meteorological: March, June, September, December
  const std::int64_t end_year = season == 3 ? year + 1 : year;
  const int end_month = season == 3 ? 3 : month + 3;
  fill_days(expression, days_from_civil(year, month, 1), days_from_civil(end_year, end_month, 1),
            Granularity::season);
  expression.year = year;
  expression.value = year_text(year) + '-' + names[season];
}

void narrow_to_part(Expression& expression, Part part) {
  if (std::isnan(expression.start_ms)) return;  // no place on the calendar yet
  const int third = part == Part::early || part == Part::beginning ? 0
                    : part == Part::middle                         ? 1
                                                                   : 2;
  const Civil start = civil_from_days(day_of(expression.start_ms));
  const std::int64_t end = day_of(expression.end_ms);
  std::int64_t from = 0, to = 0;
  Granularity granularity = Granularity::part_of_year;
  if (expression.granularity == Granularity::month) {
    from = days_from_civil(start.year, start.month, 1 + 10 * third);
    to = third == 2 ? end : from + 10;
    granularity = Granularity::part_of_month;
  } else if (expression.granularity == Granularity::year && expression.range) {
    // "the end of the 2006-07 season": eight of the 24 months
    const auto month_start = [&](int index) {
      return days_from_civil(start.year + index / 12, index % 12 + 1, 1);
    };
    from = month_start(8 * third);
    to = third == 2 ? end : month_start(8 * (third + 1));
  } else if (expression.granularity == Granularity::year) {
    from = days_from_civil(start.year, 1 + 4 * third, 1);
    to = third == 2 ? end : days_from_civil(start.year, 5 + 4 * third, 1);
  } else if (expression.granularity == Granularity::decade ||
             expression.granularity == Granularity::century) {
    // Decades split 0-3, 4-6, 7-9 and centuries 00-33, 34-66, 67-99: the first part has the odd
    // year in both.
    const bool decade = expression.granularity == Granularity::decade;
    const int cuts[] = {0, decade ? 4 : 34, decade ? 7 : 67, decade ? 10 : 100};
    from = start_of_year(start.year + cuts[third]);
    to = start_of_year(start.year + cuts[third + 1]);
    granularity = decade ? Granularity::part_of_decade : Granularity::part_of_century;
  } else if (expression.granularity == Granularity::season) {
    // Its first, second or third month.
    const Civil first = {start.year + (start.month + third > 12 ? 1 : 0),
                         (start.month + third - 1) % 12 + 1, 1};
    from = days_from_civil(first.year, first.month, 1);
    to = from + days_in_month(first.year, first.month);
  } else {
    return;
  }
  fill_days(expression, from, to, granularity);
}

void narrow_to_fraction(Expression& expression, int index, int count) {
  const Civil start = civil_from_days(day_of(expression.start_ms));
  if (expression.granularity == Granularity::month) {
    if (count != 2) return;
    const std::int64_t middle = days_from_civil(start.year, start.month, 16);
    fill_days(expression, index == 0 ? day_of(expression.start_ms) : middle,
              index == 0 ? middle : day_of(expression.end_ms), Granularity::part_of_month);
  } else if (expression.granularity == Granularity::year) {
    const int months = 12 / count;
    const int last = months * (index + 1);
    const std::int64_t end =
        last == 12 ? start_of_year(start.year + 1) : days_from_civil(start.year, last + 1, 1);
    fill_days(expression, days_from_civil(start.year, 1 + months * index, 1), end,
              count == 2 ? Granularity::half : Granularity::quarter);
    expression.value += std::string(count == 2 ? "-H" : "-Q") + static_cast<char>('1' + index);
  } else {
    const int years = expression.granularity == Granularity::decade    ? 10
                      : expression.granularity == Granularity::century ? 100
                                                                       : 1000;
    if (years % count != 0) return;
    const std::int64_t from = start.year + years / count * index;
    const Granularity granularity = years == 10    ? Granularity::part_of_decade
                                    : years == 100 ? Granularity::part_of_century
                                                   : Granularity::century;
    fill_days(expression, start_of_year(from), start_of_year(from + years / count), granularity);
  }
}

void join(Expression& first, const Expression& second) {
  if (first.spans.empty()) first.spans.push_back({first.first, first.last});
  if (second.spans.empty()) first.spans.push_back({second.first, second.last});
  first.spans.insert(first.spans.end(), second.spans.begin(), second.spans.end());
  first.end_ms = second.end_ms;
  first.granularity = std::max(first.granularity, second.granularity);
  first.value += '/';
  first.value += second.value;
  first.confidence = std::min(first.confidence, second.confidence);
  first.last = second.last;
  first.year = second.year;
  first.range = true;
  first.bare_year = first.bare_year && second.bare_year;
}

void resolve_year(Expression& expression, std::int64_t year) {
  if (expression.holiday >= 0) {
    fill_holiday(expression, year);
  } else if (expression.season >= 0) {
    fill_season(expression, year, expression.season);
    if (expression.part >= 0) narrow_to_part(expression, static_cast<Part>(expression.part));
  } else if (expression.day == 0) {
    fill_month(expression, year, expression.month);
    if (expression.part >= 0) narrow_to_part(expression, static_cast<Part>(expression.part));
  } else {
    const int days = days_in_month(year, expression.month);
    const int day = std::min(expression.day, days);  // "29 February" said in a year that has none
    const int last_day = std::min(expression.last_day, days);
    fill_day(expression, year, expression.month, day);
    if (last_day > day) {
      const std::int64_t end = days_from_civil(year, expression.month, last_day);
      expression.end_ms = ms_of(end + 1);
      expression.value += '/' + day_text(end);
    }
  }
  expression.underspecified = false;
}

}  // namespace asof::timetag
