// Branch-free calendar in 32-bit arithmetic that vectorizes: years begin in March, so that the leap
// day is the last of its year, and 400 years repeat.
#include "kernels/calendar/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::calendar {
namespace {

namespace family = ::asof::calendar;

constexpr double day_ms = 86'400'000, reach_ms = 8.64e15;
constexpr std::uint32_t days_of_400_years = 146097;
constexpr std::uint32_t march_1_before_1970 = 719468;  // days from 0000-03-01 to 1970-01-01
constexpr std::uint32_t cycles_before =
    700;  // whole cycles that make every day of the range positive
constexpr std::size_t chunk = 256;

// Days since 0000-03-01 of the shifted calendar; day 0 where there is no instant.
ASOF_INLINE void to_days(const double* instants, std::size_t n, std::uint32_t* days,
                         std::uint8_t* present) {
  for (std::size_t i = 0; i < n; ++i) {
    bool usable = instants[i] >= -reach_ms && instants[i] <= reach_ms;
    double instant = usable ? instants[i] : 0;
    double day = __builtin_floor(instant / day_ms);
    day -=
        day * day_ms > instant ? 1 : 0;  // the quotient may have been rounded up to a whole number
    days[i] = static_cast<std::uint32_t>(static_cast<std::int32_t>(day)) + march_1_before_1970 +
              cycles_before * days_of_400_years;
    present[i] = usable;
  }
}

struct Date {
  std::int32_t year;
  std::uint32_t month, day, day_of_year;
};

ASOF_INLINE Date date_of(std::uint32_t days) {
  std::uint32_t cycle = days / days_of_400_years, day = days % days_of_400_years;
  // Of a cycle: take out its leap days (one in 1461 days, none at the ends of three centuries),
  // then years are 365 days.
  std::uint32_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  std::uint32_t of_year = day - (365 * year + year / 4 - year / 100);
  std::uint32_t month =
      (5 * of_year + 2) / 153;  // from March; five months from March or August have 153 days
  std::uint32_t of_month = of_year - (153 * month + 2) / 5;
  bool next_year = month >= 10;  // January and February
  bool leap = year % 4 == 0 && (year % 100 != 0 || year == 0);
  std::int32_t full_year = static_cast<std::int32_t>(cycle * 400 + year) -
                           static_cast<std::int32_t>(cycles_before * 400) + (next_year ? 1 : 0);
  return {full_year, next_year ? month - 9 : month + 3, of_month + 1,
          next_year ? of_year - 305 : of_year + (leap ? 61 : 60)};
}

void parts(const double* instants, const std::uint8_t* granularity, std::size_t n,
           const family::Parts& out) {
  std::uint32_t days[chunk];
  std::uint8_t present[chunk];
  for (std::size_t first = 0; first < n; first += chunk) {
    std::size_t count = n - first < chunk ? n - first : chunk;
    to_days(instants + first, count, days, present);
    for (std::size_t i = 0; i < count; ++i) {
      Date date = date_of(days[i]);
      std::uint8_t grain = granularity[first + i];
      bool month = present[i] && grain <= family::granularity_month,
           day = present[i] && grain <= family::granularity_day;
      out.year[first + i] = present[i] ? date.year : 0;
      out.month[first + i] = month ? static_cast<std::uint8_t>(date.month) : 0;
      out.day[first + i] = day ? static_cast<std::uint8_t>(date.day) : 0;
      out.day_of_year[first + i] = day ? static_cast<std::uint16_t>(date.day_of_year) : 0;
      out.mask[first + i] = static_cast<std::uint8_t>(
          (present[i] ? family::has_year : 0) | (month ? family::has_month : 0) |
          (day ? family::has_day | family::has_day_of_year : 0));
    }
  }
}

// A look into two small tables per row: nothing to gain from vectors.
void features(const std::uint8_t* month, const std::uint16_t* day_of_year, const std::uint8_t* mask,
              std::size_t n, float* out) {
  const family::FeatureTables& tables = family::feature_tables();
  for (std::size_t i = 0; i < n; ++i) {
    bool has_m = mask[i] & family::has_month, has_d = mask[i] & family::has_day_of_year;
    const float* of_month = tables.month + 2 * month[i];
    const float* of_day = tables.day_of_year + 2 * day_of_year[i];
    out[4 * i] = has_m ? of_month[0] : 0;
    out[4 * i + 1] = has_m ? of_month[1] : 0;
    out[4 * i + 2] = has_d ? of_day[0] : 0;
    out[4 * i + 3] = has_d ? of_day[1] : 0;
  }
}

}  // namespace

extern const ::asof::calendar::Kernels kernels;
const ::asof::calendar::Kernels kernels = {parts, features};

}  // namespace asof::ASOF_LEVEL::calendar
