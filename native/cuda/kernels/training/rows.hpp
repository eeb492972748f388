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

/// Activations of a batch's dates that the backward pass needs; rows in batch order.
struct BatchDates {
  std::uint8_t *known, *day;
  float *normalised, *month, *of_year;  // 1, 2 and 2 per row
  float *sines, *cosines;               // `waves` per row
};

/// The batch's rows, as numbers of all rows.
struct BatchRows {
  const std::uint32_t* number;
  std::uint32_t n;
};

/// The batch's vectors of d floats, among those of all rows; `known` is 0 for rows without a date.
struct BatchVectors {
  const float* vectors;
  const std::uint32_t* number;
  const std::uint8_t* known;
  std::uint32_t n, d;

  __device__ const float* row(std::size_t i) const { return vectors + std::size_t(number[i]) * d; }
};

/// Normalization of the year: (year - mean) / deviation.
struct YearScale {
  double mean, deviation;

  __device__ double normalised(std::int32_t year) const {
    return (static_cast<double>(year) - mean) / deviation;
  }
};

/// Sine features of the normalised year.
struct Waves {
  std::uint32_t count;
  const float *frequency, *phase;
};

/// The device's twin of asof::known_parts.
__device__ inline std::uint8_t parts_known(std::uint8_t mask) {
  constexpr std::uint8_t whole = calendar::has_year | calendar::has_month | calendar::has_day;
  mask &= whole | calendar::has_day_of_year;
  return (mask & whole) == whole ? mask : static_cast<std::uint8_t>(mask & whole);
}

/// A thread per row. `needs_year`: a date without a year is treated as unknown.
ASOF_KERNEL void read_dates(DateColumns all, BatchRows rows, YearScale scale, bool needs_year,
                            BatchDates out) {
  const std::size_t i = own_place();
  if (i >= rows.n) return;
  const std::uint32_t date = rows.number[i];
  std::uint8_t known = parts_known(all.mask[date]);
  if (needs_year && (known & calendar::has_year) == 0) known = 0;
  out.known[i] = known;
  out.day[i] = known & calendar::has_day ? all.day[date] : 0;
  out.normalised[i] =
      known & calendar::has_year ? static_cast<float>(scale.normalised(all.year[date])) : 0;
  for (unsigned side = 0; side < 2; ++side) {
    out.month[2 * i + side] =
        known & calendar::has_month ? all.tables->month[2 * all.month[date] + side] : 0;
    out.of_year[2 * i + side] = known & calendar::has_day_of_year
                                    ? all.tables->day_of_year[2 * all.day_of_year[date] + side]
                                    : 0;
  }
}

/// A thread per wave of a row.
ASOF_KERNEL void read_waves(DateColumns all, BatchRows rows, YearScale scale, Waves waves,
                            BatchDates out) {
  const std::size_t at = own_place(), i = at / waves.count, wave = at % waves.count;
  if (i >= rows.n) return;
  const bool has = (out.known[i] & calendar::has_year) != 0;
  const double angle =
      static_cast<double>(waves.frequency[wave]) * scale.normalised(all.year[rows.number[i]]) +
      static_cast<double>(waves.phase[wave]);
  out.sines[at] = has ? static_cast<float>(sin(angle)) : 0;
  out.cosines[at] = has ? static_cast<float>(cos(angle)) : 0;
}

/// Initial values of a part of e of `size` components: the year's bias, the day's row of a table,
/// or zeros where both are null.
struct PartStart {
  std::uint32_t size;
  const float *year_bias, *day_table;
};

ASOF_KERNEL void start_part(BatchDates dates, std::uint32_t n, PartStart start, float* part) {
  const std::uint32_t size = start.size;
  const std::size_t at = own_place(), i = at / size, c = at % size;
  if (i >= n) return;
  float value = 0;
  if (start.year_bias != nullptr && (dates.known[i] & calendar::has_year))
    value = start.year_bias[c];
  if (start.day_table != nullptr && dates.day[i] > 0)
    value = start.day_table[(dates.day[i] - 1u) * std::size_t(size) + c];
  part[at] = value;
}

/// Columns [begin, begin + size) of the fixed features, `across` per row.
struct FixedColumns {
  const float* features;
  std::uint32_t across, begin, size;
};

ASOF_KERNEL void copy_fixed(FixedColumns fixed, BatchRows rows, float* part) {
  const std::size_t at = own_place(), i = at / fixed.size;
  if (i < rows.n)
    part[at] =
        fixed.features[std::size_t(rows.number[i]) * fixed.across + fixed.begin + at % fixed.size];
}

ASOF_KERNEL void keep_positive(float* values, std::size_t count) {
  const std::size_t at = own_place();
  if (at < count) values[at] = values[at] < 0 ? 0 : values[at];
}

/// Normalizes a row to length one if its length is a number above 0; returns the length.
__device__ inline double normalize_row(float* row, std::uint32_t d) {
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

struct Modulation {
  const float* alpha;  // one number
  const float* gamma;  // n x d
};

/// Equation 9: fused (initially beta) += (1 + alpha gamma) x, to length one; x itself for rows
/// without a date. A warp per row.
ASOF_KERNEL void modulate(BatchVectors batch, Modulation modulation, float* fused, double* norms) {
  const std::size_t i = own_place() / warp_lanes;
  const unsigned lane = threadIdx.x % warp_lanes;
  if (i >= batch.n) return;
  const std::uint32_t d = batch.d;
  const float* x = batch.row(i);
  float* row = fused + i * d;
  for (std::uint32_t c = lane; c < d; c += warp_lanes)
    row[c] += (1 + *modulation.alpha * modulation.gamma[i * d + c]) * x[c];
  const double norm = normalize_row(row, d);
  if (lane == 0) norms[i] = norm;
  for (std::uint32_t c = lane; c < d && batch.known[i] == 0; c += warp_lanes) row[c] = x[c];
}

/// [x ; tail], to length one; x and zeros for rows without a date. A warp per row.
ASOF_KERNEL void concatenate(BatchVectors batch, std::uint32_t width, const float* tails,
                             float* fused, double* norms) {
  const std::size_t i = own_place() / warp_lanes;
  const unsigned lane = threadIdx.x % warp_lanes;
  if (i >= batch.n) return;
  const std::uint32_t d = batch.d;
  const float* x = batch.row(i);
  const bool known = batch.known[i] != 0;
  float* row = fused + i * (d + width);
  for (std::uint32_t c = lane; c < d; c += warp_lanes) row[c] = x[c];
  for (std::uint32_t c = lane; c < width; c += warp_lanes)
    row[d + c] = known ? tails[i * width + c] : 0;
  __syncwarp();  // lanes read the row in another order than they wrote it
  double norm = 0;
  if (known) norm = normalize_row(row, d + width);
  if (lane == 0) norms[i] = norm;
}

/// Copies the tail of each row, which a concatenation appended.
ASOF_KERNEL void copy_tails(const float* by, std::uint32_t n, std::uint32_t d, std::uint32_t width,
                            float* tails) {
  const std::size_t at = own_place(), i = at / width;
  if (i < n) tails[at] = by[i * (d + width) + d + at % width];
}

/// The gradient by gamma, and per tile the one by alpha. Block (0, tile).
ASOF_KERNEL void back_modulation(BatchVectors batch, Modulation modulation, const float* by,
                                 float* by_gamma, TileGradients by_alpha) {
  __shared__ double sums[threads / warp_lanes];
  const std::uint32_t d = batch.d;
  const std::size_t begin = std::size_t(first_row()) * d,
                    count = std::size_t(rows_of_tile(batch.n)) * d;
  double sum = 0;
  for (std::size_t at = begin + threadIdx.x; at < begin + count; at += threads) {
    const float moved = batch.row(at / d)[at % d] * by[at];
    by_gamma[at] = *modulation.alpha * moved;
    sum += static_cast<double>(modulation.gamma[at]) * static_cast<double>(moved);
  }
  sum = sum_of_warp(sum);
  if (threadIdx.x % warp_lanes == 0) sums[threadIdx.x / warp_lanes] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (unsigned warp = 1; warp < threads / warp_lanes; ++warp) sums[0] += sums[warp];
  *by_alpha.own() += static_cast<float>(sums[0]);
}

ASOF_KERNEL void back_first(const float* first, const float* through_gamma, std::size_t count,
                            float* by_first) {
  const std::size_t at = own_place();
  if (at < count) by_first[at] = first[at] > 0 ? by_first[at] + through_gamma[at] : 0;
}

/// Zeros the rows whose dates lack the part.
ASOF_KERNEL void clear_unknown(const std::uint8_t* known, std::uint8_t bit, std::uint32_t n,
                               std::uint32_t size, float* by) {
  const std::size_t at = own_place();
  if (at < std::size_t(n) * size && (known[at / size] & bit) == 0) by[at] = 0;
}

/// Per tile: the gradient of the table's rows of its rows' days.
ASOF_KERNEL void back_days(const std::uint8_t* day, Matrix by, TileGradients table) {
  const std::size_t c = own_place(), size = by.stride;
  if (c >= size) return;
  const std::uint32_t end = first_row() + rows_of_tile(static_cast<std::uint32_t>(by.rows));
  for (std::uint32_t i = first_row(); i < end; ++i) {
    if (day[i] > 0) table.own()[(day[i] - 1u) * size + c] += by.data[i * size + c];
  }
}

/// Per tile: turns by_angle into the gradient by the angles, and adds that by the frequencies. A
/// thread per wave.
ASOF_KERNEL void back_waves(BatchDates dates, std::uint32_t n, std::uint32_t waves, float* by_angle,
                            TileGradients frequency) {
  const std::size_t wave = own_place();
  if (wave >= waves) return;
  float total = frequency.own()[wave];
  for (std::uint32_t i = first_row(); i < first_row() + rows_of_tile(n); ++i) {
    const std::size_t at = std::size_t(i) * waves + wave;
    by_angle[at] *= dates.cosines[at];
    total += by_angle[at] * dates.normalised[i];
  }
  frequency.own()[wave] = total;
}

}  // namespace asof::cuda::training
