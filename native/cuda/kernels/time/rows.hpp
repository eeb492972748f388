// Elementwise kernels, one thread or warp per row: recency, spline, calendar parts and features,
// FiLM. Contracts: kernels/<family>/contract.hpp. Bit-identical to the host, but for FiLM, which is
// within its tolerance (a norm is summed in another order).
#pragma once

#include "core/ticks.hpp"
#include "cuda/target.hpp"
#include "kernels/calendar/formula.hpp"
#include "kernels/film/contract.hpp"
#include "kernels/spline/contract.hpp"

namespace asof::cuda::time {

inline constexpr unsigned row_threads = 256;

/// An instant in milliseconds: NaN where a tick is reserved for no time, infinities for open ends.
__device__ inline double instant(double value, const TickScale&) {
  return value;
}
template <typename Tick>
__device__ inline double instant(Tick tick, const TickScale& scale) {
  if (tick == ReservedTicks<Tick>::absent) return static_cast<double>(NAN);
  if (tick == ReservedTicks<Tick>::past) return -static_cast<double>(INFINITY);
  if (tick == ReservedTicks<Tick>::future) return static_cast<double>(INFINITY);
  return scale.origin_ms + static_cast<double>(tick) * scale.unit_ms;
}

template <typename Instant>
struct InstantColumn {
  const Instant* values;
  TickScale scale;
  std::size_t n;
};

template <typename Instant>
__global__ void recency(InstantColumn<Instant> published, double at_ms, double floor_days,
                        float* out) {
  const std::size_t row = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= published.n) return;
  const double when = instant(published.values[row], published.scale),
               age = (at_ms - when) / spline::day_ms;
  out[row] = when != when ? NAN : static_cast<float>(1 / (age > floor_days ? age : floor_days));
}

/// Row r of n has the intervals [offsets[r], offsets[r + 1]), or interval r if `offsets` is null.
template <typename Instant>
struct IntervalColumn {
  const Instant *starts, *ends;
  TickScale scale;
  const std::uint32_t* offsets;
  std::size_t n;
};

template <typename Instant>
__global__ void splines(IntervalColumn<Instant> intervals, spline::Line line, float* out) {
  const auto [starts, ends, scale, offsets, n] = intervals;
  const std::size_t row = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= n) return;
  const std::size_t from = offsets == nullptr ? row : offsets[row],
                    to = offsets == nullptr ? row + 1 : offsets[row + 1];
  bool dated = false;
  double best = line.outside;
  for (std::size_t i = from; i < to; ++i) {
    const double start = instant(starts[i], scale), end = instant(ends[i], scale);
    if (!(start <= end)) continue;
    const double value =
        spline::meets(start, end, line) ? spline::best_of(start, end, line) : line.outside;
    if (!dated || value > best) best = value;
    dated = true;
  }
  out[row] = static_cast<float>(best);
}

ASOF_KERNEL void calendar_parts(const double* instants, const std::uint8_t* granularity,
                                std::size_t n, calendar::Parts out) {
  const std::size_t row = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (row >= n) return;
  const calendar::Part part = calendar::part_of(instants[row], granularity[row]);
  out.year[row] = part.year;
  out.month[row] = part.month;
  out.day[row] = part.day;
  out.day_of_year[row] = part.day_of_year;
  out.mask[row] = part.mask;
}

/// `tables` are the host's, so that sines have its bits.
ASOF_KERNEL void calendar_features(calendar::Parts parts, std::size_t n,
                                   const calendar::FeatureTables* tables, float* out) {
  const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x, row = at / 4;
  if (row >= n) return;
  const unsigned side = at % 2;
  if (at % 4 < 2)
    out[at] =
        parts.mask[row] & calendar::has_month ? tables->month[2 * parts.month[row] + side] : 0;
  else
    out[at] = parts.mask[row] & calendar::has_day_of_year
                  ? tables->day_of_year[2 * parts.day_of_year[row] + side]
                  : 0;
}

__device__ inline double modulated(float x, float gamma, float beta, double alpha) {
  return (1 + alpha * static_cast<double>(gamma)) * static_cast<double>(x) +
         static_cast<double>(beta);
}

/// A warp per row. `refused` counts the rows that are not finite; refused_rows, unless null, marks
/// them.
ASOF_KERNEL void film(asof::film::Rows rows, double alpha, float* y, std::uint8_t* refused_rows,
                      unsigned long long* refused) {
  const auto [x, gamma, beta, timed, n, d] = rows;
  const std::size_t row = (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_lanes;
  const unsigned lane = threadIdx.x % warp_lanes;
  if (row >= n) return;
  const std::size_t begin = row * d;
  double squares = 0;
  for (std::size_t c = begin + lane; c < begin + d; c += warp_lanes) {
    const double t = modulated(x[c], gamma[c], beta[c], alpha);
    squares += t * t;
  }
  for (int distance = 16; distance > 0; distance /= 2)
    squares = squares + __shfl_xor_sync(all_lanes, squares, distance);
  const bool good = squares - squares == 0, fused = timed[row] != 0 && good;
  const double factor = squares > 0 ? 1 / sqrt(squares) : 0;
  for (std::size_t c = begin + lane; c < begin + d; c += warp_lanes) {
    y[c] = fused ? static_cast<float>(modulated(x[c], gamma[c], beta[c], alpha) * factor) : x[c];
  }
  if (lane != 0) return;
  const bool is_refused = timed[row] != 0 && !good;
  if (refused_rows != nullptr) refused_rows[row] = is_refused;
  if (is_refused) atomicAdd(refused, 1ull);
}

}  // namespace asof::cuda::time
