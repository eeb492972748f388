// Days and civil dates in the proleptic Gregorian calendar, by counting whole 400-year eras: exact
// for every year the library knows (+-271,821). Years are astronomical: 0 is 1 BC, -43 is 44 BC.
#pragma once
#include <cstdint>

namespace asof::timetag {

inline constexpr double day_ms = 86'400'000.0;

struct Civil {
  std::int64_t year = 1970;
  int month = 1;
  int day = 1;
};

/// Days since 1970-01-01. The month may be 1 to 12 only.
constexpr std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  // The year starts in March, so that the leap day comes last and every month's offset is a linear
  // formula.
  const std::int64_t shifted = month <= 2 ? year - 1 : year;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
  const std::int64_t year_of_era = shifted - era * 400;
  const std::int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         719468;
}

constexpr Civil civil_from_days(std::int64_t days) {
  const std::int64_t shifted = days + 719468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const std::int64_t day_of_era = shifted - era * 146097;
  const std::int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int month_from_march = static_cast<int>((5 * day_of_year + 2) / 153);
  const int month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month,
          static_cast<int>(day_of_year - (153 * month_from_march + 2) / 5 + 1)};
}

constexpr bool is_leap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr int days_in_month(std::int64_t year, int month) {
  constexpr int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : lengths[month - 1];
}

/// 0 is Monday. 1970-01-01 was a Thursday.
constexpr int weekday_from_days(std::int64_t days) {
  const std::int64_t index = (days + 3) % 7;
  return static_cast<int>(index < 0 ? index + 7 : index);
}

static_assert(days_from_civil(1970, 1, 1) == 0 && days_from_civil(2000, 3, 1) == 11017);
static_assert(civil_from_days(-719468).year == 0 && civil_from_days(-719468).month == 3);

}  // namespace asof::timetag
