// Forward and backward passes of a batch through a time encoder: native/training/time_rows.cpp for
// all rows at once. Equations and parameter layout: encoder/time_network.hpp. Sines and cosines are
// the device's, in double, rounded once to float.
#pragma once

#include "cuda/kernels/training/sums.hpp"
#include "kernels/calendar/contract.hpp"

namespace asof::cuda::training {

/// The dates of all rows that are trained on.
struct DateColumns {
  const std::int32_t* year;
  const std::uint8_t *month, *day;
  const std::uint16_t* day_of_year;
  const std::uint8_t* mask;
  const calendar::FeatureTables* tables;
};

/// What the way back needs of a batch's dates: rows in the batch's order.
struct BatchDates {
  std::uint8_t *known, *day;
  float *normalised, *month, *of_year;  // 1, 2 and 2 a row
  float *sines, *cosines;               // `waves` a row
};

/// What known_parts says.
__device__ inline std::uint8_t parts_known(std::uint8_t mask) {
  constexpr std::uint8_t whole = calendar::has_year | calendar::has_month | calendar::has_day;
  mask &= whole | calendar::has_day_of_year;
  return (mask & whole) == whole ? mask : static_cast<std::uint8_t>(mask & whole);
}

/// A thread a row. `needs_year`: without one nothing is known.
ASOF_KERNEL void read_dates(DateColumns all, const std::uint32_t* rows, std::uint32_t n,
                            double mean_year, double deviation_year, bool needs_year,
                            BatchDates out) {
  const std::size_t i = own_place();
  if (i >= n) return;
  const std::uint32_t date = rows[i];
  std::uint8_t known = parts_known(all.mask[date]);
  if (needs_year && (known & calendar::has_year) == 0) known = 0;
  out.known[i] = known;
  out.day[i] = known & calendar::has_day ? all.day[date] : 0;
  out.normalised[i] =
      known & calendar::has_year
          ? static_cast<float>((static_cast<double>(all.year[date]) - mean_year) / deviation_year)
          : 0;
  for (unsigned side = 0; side < 2; ++side) {
    out.month[2 * i + side] =
        known & calendar::has_month ? all.tables->month[2 * all.month[date] + side] : 0;
    out.of_year[2 * i + side] = known & calendar::has_day_of_year
                                    ? all.tables->day_of_year[2 * all.day_of_year[date] + side]
                                    : 0;
  }
}

/// A thread a wave of a row.
ASOF_KERNEL void read_waves(DateColumns all, const std::uint32_t* rows, std::uint32_t n,
                            std::uint32_t waves, double mean_year, double deviation_year,
                            const float* frequency, const float* phase, BatchDates out) {
  const std::size_t at = own_place(), i = at / waves, wave = at % waves;
  if (i >= n) return;
  const bool has = (out.known[i] & calendar::has_year) != 0;
  const double normalised = (static_cast<double>(all.year[rows[i]]) - mean_year) / deviation_year;
  const double angle =
      static_cast<double>(frequency[wave]) * normalised + static_cast<double>(phase[wave]);
  out.sines[at] = has ? static_cast<float>(sin(angle)) : 0;
  out.cosines[at] = has ? static_cast<float>(cos(angle)) : 0;
}

/// Where a part of e begins: the year's bias, or the table's row of the day, or zeros.
ASOF_KERNEL void start_part(BatchDates dates, std::uint32_t n, std::uint32_t size,
                            const float* year_bias, const float* day_table, float* part) {
  const std::size_t at = own_place(), i = at / size, c = at % size;
  if (i >= n) return;
  float value = 0;
  if (year_bias != nullptr && (dates.known[i] & calendar::has_year)) value = year_bias[c];
  if (day_table != nullptr && dates.day[i] > 0)
    value = day_table[(dates.day[i] - 1u) * std::size_t(size) + c];
  part[at] = value;
}

/// Columns [begin, begin + size) of what is fixed of a row.
ASOF_KERNEL void take_fixed(const float* fixed, std::uint32_t across, std::uint32_t begin,
                            const std::uint32_t* rows, std::uint32_t n, std::uint32_t size,
                            float* part) {
  const std::size_t at = own_place(), i = at / size;
  if (i < n) part[at] = fixed[std::size_t(rows[i]) * across + begin + at % size];
}

ASOF_KERNEL void keep_positive(float* values, std::size_t count) {
  const std::size_t at = own_place();
  if (at < count) values[at] = values[at] < 0 ? 0 : values[at];
}

/// Brings a row to length one, if it is a number above 0; its length.
__device__ inline double bring_to_unit(float* row, std::uint32_t d) {
  const unsigned lane = threadIdx.x % warp_lanes;
  double squares = 0;
  for (std::uint32_t c = lane; c < d; c += warp_lanes)
    squares += static_cast<double>(row[c]) * static_cast<double>(row[c]);
  squares = sum_of_warp(squares);
  const double norm = squares - squares == 0 ? sqrt(squares) : NAN, factor = 1 / norm;
  for (std::uint32_t c = lane; c < d && norm > 0; c += warp_lanes)
    row[c] = static_cast<float>(static_cast<double>(row[c]) * factor);
  return norm;
}

/// Equation 9: fused (beta so far) += (1 + alpha gamma) x, to length one; x itself where nothing is
/// known. A warp a row.
ASOF_KERNEL void modulate(const float* vectors, const std::uint32_t* rows,
                          const std::uint8_t* known, std::uint32_t n, std::uint32_t d,
                          const float* alpha, const float* gamma, float* fused, double* norms) {
  const std::size_t i = own_place() / warp_lanes;
  const unsigned lane = threadIdx.x % warp_lanes;
  if (i >= n) return;
  const float* x = vectors + std::size_t(rows[i]) * d;
  float* row = fused + i * d;
  for (std::uint32_t c = lane; c < d; c += warp_lanes)
    row[c] += (1 + *alpha * gamma[i * d + c]) * x[c];
  const double norm = bring_to_unit(row, d);
  if (lane == 0) norms[i] = norm;
  for (std::uint32_t c = lane; c < d && known[i] == 0; c += warp_lanes) row[c] = x[c];
}

/// [x ; added], to length one; x and zeros where nothing is known. A warp a row.
ASOF_KERNEL void concatenate(const float* vectors, const std::uint32_t* rows,
                             const std::uint8_t* known, std::uint32_t n, std::uint32_t d,
                             std::uint32_t width, const float* added, float* fused, double* norms) {
  const std::size_t i = own_place() / warp_lanes;
  const unsigned lane = threadIdx.x % warp_lanes;
  if (i >= n) return;
  const float* x = vectors + std::size_t(rows[i]) * d;
  float* row = fused + i * (d + width);
  for (std::uint32_t c = lane; c < d; c += warp_lanes) row[c] = x[c];
  for (std::uint32_t c = lane; c < width; c += warp_lanes)
    row[d + c] = known[i] == 0 ? 0 : added[i * width + c];
  __syncwarp();  // lanes read the row in another order than they wrote it
  double norm = 0;
  if (known[i] != 0) norm = bring_to_unit(row, d + width);
  if (lane == 0) norms[i] = norm;
}

/// The tail of each row: what a concatenation added.
ASOF_KERNEL void take_tail(const float* by, std::uint32_t n, std::uint32_t d, std::uint32_t width,
                           float* added) {
  const std::size_t at = own_place(), i = at / width;
  if (i < n) added[at] = by[i * (d + width) + d + at % width];
}

/// by_gamma, and in each tile's gradient what alpha gets. Block (0, tile).
ASOF_KERNEL void back_modulation(const float* vectors, const std::uint32_t* rows, std::uint32_t n,
                                 std::uint32_t d, const float* alpha, const float* gamma,
                                 const float* by, float* by_gamma, float* by_alpha,
                                 std::size_t gradient_step) {
  __shared__ double sums[threads / warp_lanes];
  const std::size_t begin = std::size_t(first_row()) * d, count = std::size_t(rows_of_tile(n)) * d;
  double sum = 0;
  for (std::size_t at = begin + threadIdx.x; at < begin + count; at += threads) {
    const float moved = vectors[std::size_t(rows[at / d]) * d + at % d] * by[at];
    by_gamma[at] = *alpha * moved;
    sum += static_cast<double>(gamma[at]) * static_cast<double>(moved);
  }
  sum = sum_of_warp(sum);
  if (threadIdx.x % warp_lanes == 0) sums[threadIdx.x / warp_lanes] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < threads / warp_lanes; ++warp) sums[0] += sums[warp];
  by_alpha[blockIdx.y * gradient_step] += static_cast<float>(sums[0]);
}

ASOF_KERNEL void back_first(const float* first, const float* through_gamma, std::size_t count,
                            float* by_first) {
  const std::size_t at = own_place();
  if (at < count) by_first[at] = first[at] > 0 ? by_first[at] + through_gamma[at] : 0;
}

/// Zeros for rows that do not know the part.
ASOF_KERNEL void forget_unknown(const std::uint8_t* known, std::uint8_t bit, std::uint32_t n,
                                std::uint32_t size, float* by) {
  const std::size_t at = own_place();
  if (at < std::size_t(n) * size && (known[at / size] & bit) == 0) by[at] = 0;
}

/// Of tile y: the table's rows of the days that its rows have.
ASOF_KERNEL void back_days(const std::uint8_t* day, const float* by, std::uint32_t n,
                           std::uint32_t size, float* table, std::size_t gradient_step) {
  const std::size_t c = own_place();
  if (c >= size) return;
  for (std::uint32_t i = first_row(); i < first_row() + rows_of_tile(n); ++i) {
    if (day[i] > 0)
      table[blockIdx.y * gradient_step + (day[i] - 1u) * std::size_t(size) + c] +=
          by[std::size_t(i) * size + c];
  }
}

/// Of tile y: by_angle becomes the gradient by the angles, and the frequencies get theirs. A thread
/// a wave.
ASOF_KERNEL void back_waves(BatchDates dates, std::uint32_t n, std::uint32_t waves, float* by_angle,
                            float* frequency, std::size_t gradient_step) {
  const std::size_t wave = own_place();
  if (wave >= waves) return;
  float total = frequency[blockIdx.y * gradient_step + wave];
  for (std::uint32_t i = first_row(); i < first_row() + rows_of_tile(n); ++i) {
    const std::size_t at = std::size_t(i) * waves + wave;
    by_angle[at] *= dates.cosines[at];
    total += by_angle[at] * dates.normalised[i];
  }
  frequency[blockIdx.y * gradient_step + wave] = total;
}

}  // namespace asof::cuda::training
