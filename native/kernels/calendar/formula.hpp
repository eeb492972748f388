// Integer calendar of one instant without loops, for devices. Compared with the reference over all
// years by test/native/cuda/time.cpp.
#pragma once

#include "kernels/calendar/contract.hpp"

namespace asof::calendar {

struct Part {
  std::int32_t year = 0;
  std::uint8_t month = 0, day = 0;
  std::uint16_t day_of_year = 0;
  std::uint8_t mask = 0;
};

constexpr bool is_leap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

constexpr Part part_of(double instant, std::uint8_t granularity) {
  constexpr std::int64_t day_ms = 86'400'000, cycle_days = 146097,
                         days_to_1970 =
                             719468;  // from 0000-03-01, where the cycle of 400 years begins
  Part part;
  if (!(instant >= -8.64e15 && instant <= 8.64e15)) return part;
  std::int64_t whole = static_cast<std::int64_t>(instant);
  if (static_cast<double>(whole) > instant) --whole;
  const std::int64_t since_1970 = whole / day_ms - (whole % day_ms < 0),
                     days = since_1970 + days_to_1970;
  const std::int64_t cycle = days / cycle_days - (days % cycle_days < 0),
                     of_cycle = days - cycle * cycle_days;
  const std::int64_t of_400 = (of_cycle - of_cycle / 1460 + of_cycle / 36524 - of_cycle / 146096) /
                              365;  // leap days come last
  const std::int64_t of_march = of_cycle - (365 * of_400 + of_400 / 4 - of_400 / 100),
                     months = (5 * of_march + 2) / 153;
  const std::int64_t month = months < 10 ? months + 3 : months - 9,
                     year = cycle * 400 + of_400 + (month <= 2);
  part.year = static_cast<std::int32_t>(year);
  part.mask = has_year;
  if (granularity > granularity_month) return part;
  part.month = static_cast<std::uint8_t>(month);
  part.mask |= has_month;
  if (granularity > granularity_day) return part;
  part.day = static_cast<std::uint8_t>(of_march - (153 * months + 2) / 5 + 1);
  part.day_of_year = static_cast<std::uint16_t>(month <= 2 ? of_march - 306 + 1
                                                           : of_march + 1 + 59 + is_leap(year));
  part.mask |= has_day | has_day_of_year;
  return part;
}

}  // namespace asof::calendar
