// Re3's date tuple (section 3.3) of an instant: year, month, day of month and day of year in the
// proleptic Gregorian calendar, UTC, masked by granularity, and cyclic features of month and day of
// year.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"

// Years are astronomical: 0 is 1 BC, -43 is 44 BC. Instants are milliseconds since
// 1970-01-01T00:00Z within +-8.64e15 (-271821-04-20 to +275760-09-13), fractions allowed; NaN,
// infinities and instants beyond have no component. An interval's instant is the caller's choice:
// for a decade one in its middle.
//
// Granularity is the index in lib/time/interval.ts: up to `day` all four components; weekend to
// month: year and month; coarser: the year alone. Components that are masked are 0.
//
// Features (equation 5): phi(x, T) = [sin(2 pi x / T), cos(2 pi x / T)], T = 12 for the month (1 to
// 12) and 366 for the day of year (1 to 366); four zeros where masked. Computed in double, rounded
// once to float: |out - exact| <= 2^-24 |exact| + 2^-52. Components are exact.

namespace asof::calendar {

inline constexpr std::uint8_t has_year = 1, has_month = 2, has_day = 4, has_day_of_year = 8;
inline constexpr std::uint8_t granularity_day = 5, granularity_month = 9, granularities = 20;

/// Arrays of n.
struct Parts {
  std::int32_t* year;
  std::uint8_t* month;         // 1 to 12
  std::uint8_t* day;           // 1 to 31
  std::uint16_t* day_of_year;  // 1 to 366
  std::uint8_t* mask;          // the sum of has_*
};

struct Kernels {
  void (*parts)(const double* instants, const std::uint8_t* granularity, std::size_t n,
                const Parts& parts);
  /// out[4 * i ..]: sine and cosine of the month, sine and cosine of the day of year.
  void (*features)(const std::uint8_t* month, const std::uint16_t* day_of_year,
                   const std::uint8_t* mask, std::size_t n, float* out);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

/// phi of every month and day of year: pairs at month[2 * m] (m to 12) and day_of_year[2 * d] (d to
/// 366).
struct FeatureTables {
  float month[2 * 13];
  float day_of_year[2 * 367];
};
const FeatureTables& feature_tables();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::calendar
