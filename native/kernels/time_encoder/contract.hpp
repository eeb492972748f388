// First layer over Re3's time vector (section 3.3, equation 8) for a batch of dates, as sums of
// table rows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"

// The time vector concatenates four parts, each a function of one component of the date (equations
// 4 to 7), and a linear map of a concatenation is a sum: so the map of every month, day, day of
// year and occurring year is computed once (encoder/time_encoder.cpp), and a row is the sum of at
// most four rows of tables.
//
//   out_i = g(bias + years[year_i] + months[month_i] + days[day_i] + days_of_year[doy_i])
//   g(v) = max(0, v) where `rectified`, else v
//
// A missing component has row `none` and adds nothing: its part of the time vector is zeros.
//
// Accumulator: float, added in the order above, so a row has the same bits at every level and
// whatever the other rows:
//   |out - exact| <= 4 * 2^-24 * (|bias| + sum |row|)   to first order, of the tables as they are
// max keeps a NaN, so that the fusion refuses the row. Nothing is allocated; n = 0 and width = 0
// write nothing.

namespace asof::time_encoder {

inline constexpr std::size_t components = 4;
inline constexpr std::uint32_t none = 0xffffffff;

/// Rows of `width` floats each; rows[k][i] is the row of tables[k] that time i has, or `none`.
struct Sums {
  const float* bias;
  const float* tables[components];
  const std::uint32_t* rows[components];
  std::size_t n;
  std::size_t width;
  bool rectified;
};

struct Kernels {
  void (*sums)(const Sums& sums, float* out);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::time_encoder
