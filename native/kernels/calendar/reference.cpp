// Scalar reference implementation. Days are counted year by year, with the leap-year rule spelled
// out.
#include "kernels/calendar/contract.hpp"

#include <cmath>

namespace asof::calendar {

const FeatureTables& feature_tables() {
  static const FeatureTables tables = [] {
    constexpr double turn = 6.283185307179586476925;
    FeatureTables all;
    auto fill = [](float* pairs, int period) {
      for (int x = 0; x <= period; ++x) {
        pairs[2 * x] = static_cast<float>(std::sin(turn * x / period));
        pairs[2 * x + 1] = static_cast<float>(std::cos(turn * x / period));
      }
    };
    fill(all.month, 12);
    fill(all.day_of_year, 366);
    return all;
  }();
  return tables;
}

namespace reference {
namespace {

constexpr std::int64_t days_of_400_years = 146097, days_to_1970 = 719528;  // from 0000-01-01

bool leap(std::int64_t year) {
  return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

// Days from the year 0 to a year, both of a 400-year cycle.
std::int64_t days_before(std::int64_t year) {
  return year * 365 + (year + 3) / 4 - (year + 99) / 100 + (year + 399) / 400;
}

void parts(const double* instants, const std::uint8_t* granularity, std::size_t n,
           const Parts& out) {
  constexpr int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  for (std::size_t i = 0; i < n; ++i) {
    out.year[i] = out.month[i] = out.day[i] = out.day_of_year[i] = out.mask[i] = 0;
    if (!(std::fabs(instants[i]) <= 8.64e15)) continue;
    std::int64_t since_1970 =
        static_cast<std::int64_t>(std::floor(std::floor(instants[i]) / 86'400'000));
    std::int64_t day = since_1970 + days_to_1970,
                 cycle = day / days_of_400_years - (day % days_of_400_years < 0);
    day -= cycle * days_of_400_years;
    std::int64_t year = day / 366;
    while (days_before(year + 1) <= day) year += 1;
    day -= days_before(year);
    out.year[i] = static_cast<std::int32_t>(cycle * 400 + year);
    out.mask[i] = has_year;
    if (granularity[i] > granularity_month) continue;
    int month = 0;
    std::int64_t of_month = day;
    for (int length = 31; of_month >= length;
         length = lengths[month] + (month == 1 && leap(year))) {
      of_month -= length;
      month += 1;
    }
    out.month[i] = static_cast<std::uint8_t>(month + 1);
    out.mask[i] |= has_month;
    if (granularity[i] > granularity_day) continue;
    out.day[i] = static_cast<std::uint8_t>(of_month + 1);
    out.day_of_year[i] = static_cast<std::uint16_t>(day + 1);
    out.mask[i] |= has_day | has_day_of_year;
  }
}

void features(const std::uint8_t* month, const std::uint16_t* day_of_year, const std::uint8_t* mask,
              std::size_t n, float* out) {
  const FeatureTables& tables = feature_tables();
  for (std::size_t i = 0; i < n; ++i) {
    bool has_m = mask[i] & has_month, has_d = mask[i] & has_day_of_year;
    for (int side = 0; side < 2; ++side) {
      out[4 * i + side] = has_m ? tables.month[2 * month[i] + side] : 0;
      out[4 * i + 2 + side] = has_d ? tables.day_of_year[2 * day_of_year[i] + side] : 0;
    }
  }
}

}  // namespace

const Kernels kernels = {parts, features};

}  // namespace reference
}  // namespace asof::calendar

ASOF_DISPATCH(calendar)
