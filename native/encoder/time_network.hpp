// Re3's time encoder (section 3.3 and appendix C): parameter layout and the time vector of a date.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/calendar/contract.hpp"

// A date is (year, month, day of month, day of year), each known or not; the day of year counts
// only where the other three are known. The time vector e has D components, D / 4 for each of the
// four (the first D mod 4 get one more); an unknown component is zeros.
//
//   year          B_y + sum over k of sin(f_k (y - mean) / deviation + p_k) W_y[k]
//                 equation 4: an MLP with one hidden layer of `waves` sines
//   month         [sin, cos](2 pi m / 12) W_m                  equations 5 and 6
//   day of month  row of a table of 31
//   day of year   [sin, cos](2 pi doy / 366) W_doy             equation 7
//
//   film          gamma = G^T h + G_b, beta = H^T h + H_b, h = max(0, M^T e + M_b)
//                 equation 8, `width` hidden units; fused by equation 9
//   concatenated  [x ; M^T e], normalized: `width` components more
//                 TempRetriever's fusion, of the same e
//   direct        the same of e = (year normalised, 1, m / 12, 1, dom / 31, 1, doy / 366, 1)
//                 appendix C: raw values, each with its mask
//   absolute      the same of e = [sin, cos](t / 10000^(k / 32)), k < 32, t days since the year 0
//                 appendix C: positional encoding of the timestamp;
//                 an incomplete date counts as the middle of its month or year

namespace asof {

struct TimeNetwork {
  enum class Kind : unsigned char { film, concatenated, direct, absolute };
  Kind kind = Kind::film;
  std::size_t dimensions = 0;  // D of the encoder
  std::size_t waves = 0;       // hidden units of the year's MLP
  std::size_t width = 0;       // hidden units of MLP_proj, or components appended by concatenation
  double mean_year = 0;
  double deviation_year = 1;

  bool learns_features() const { return kind == Kind::film || kind == Kind::concatenated; }
  /// Length of e.
  std::size_t features() const;
  /// Begin of component `k` of e, 0 to 4.
  std::size_t begin(std::size_t k) const;
  /// Length of a fused vector.
  std::size_t fused() const { return kind == Kind::film ? dimensions : dimensions + width; }
};

/// Offset of each matrix among the parameters; row-major, in this order. Matrices that a kind lacks
/// are empty.
struct TimeLayout {
  std::size_t frequency;    // waves
  std::size_t phase;        // waves
  std::size_t year;         // waves x part
  std::size_t year_bias;    // part
  std::size_t month;        // 2 x part
  std::size_t day;          // 31 x part
  std::size_t day_of_year;  // 2 x part
  std::size_t first;        // features x width: M
  std::size_t first_bias;   // width
  std::size_t gamma;        // width x D: G
  std::size_t gamma_bias;   // D
  std::size_t beta;         // width x D: H
  std::size_t beta_bias;    // D
  std::size_t alpha;        // 1
  std::size_t total;
};
TimeLayout layout_of(const TimeNetwork& network);

/// Columns of dates, owned.
struct Dates {
  std::vector<std::int32_t> year;
  std::vector<std::uint8_t> month, day;
  std::vector<std::uint16_t> day_of_year;
  std::vector<std::uint8_t> mask;
  std::size_t count() const { return mask.size(); }
  /// For reading only, although Parts points to mutable numbers.
  calendar::Parts parts() const;
};

/// The known components of date i, each of which is in range.
std::uint8_t known_parts(const calendar::Parts& dates, std::size_t i);

/// Part `k` of e for a value of that component: begin(k + 1) - begin(k) numbers. Not for
/// `absolute`, which has no parts.
void time_part(const TimeNetwork& network, const float* parameters, std::size_t k, double value,
               std::span<double> out);
/// The positional encoding of date i; zeros without a year.
void absolute_features(const calendar::Parts& dates, std::size_t i, std::span<double> out);

}  // namespace asof
