// Inner products and sums of rows with the bits of the host's level: lanes of that level's width,
// each adding its components in their order, and the same tree over the lanes
// (kernels/inner_product/contract.hpp); sums of rows term by term (kernels/training/contract.hpp).
#pragma once

#include "cuda/target.hpp"

namespace asof::cuda {

/// Summation of the host's level: `width` lanes, fused or not; 1 is the reference's single sum in
/// double. A run-time value rather than a template argument: kernels are large, and the branch is
/// uniform.
enum class Summing : std::uint32_t {
  plain = 1,
  four = 4,
  four_fused = 0x104,
  eight_fused = 0x108,
  sixteen_fused = 0x110
};

constexpr unsigned width_of(Summing summing) {
  return static_cast<unsigned>(summing) & 0xff;
}
constexpr bool fuses(Summing summing) {
  return (static_cast<unsigned>(summing) & 0x100) != 0;
}
constexpr bool known(Summing summing) {
  return summing == Summing::plain || summing == Summing::four || summing == Summing::four_fused ||
         summing == Summing::eight_fused || summing == Summing::sixteen_fused;
}

/// The inner product of a group of width_of(summing) lanes, returned to each of them. Called by all
/// lanes of a warp; groups may have different vectors.
__device__ inline float canonical_product(Summing summing, const float* a, const float* b,
                                          std::uint32_t d) {
  if (summing == Summing::plain) {
    double sum = 0;
    for (std::uint32_t c = 0; c < d; ++c)
      sum += static_cast<double>(a[c]) * static_cast<double>(b[c]);
    return static_cast<float>(sum);
  }
  const unsigned width = width_of(summing), lane = threadIdx.x % width;
  const bool fused = fuses(summing);
  float sum = 0;
  std::uint32_t c = 0;
  // Loads are issued together and added in order, so that their latencies overlap.
  constexpr unsigned ahead = 8;
  for (; c + ahead * width <= d; c += ahead * width) {
    float x[ahead], y[ahead];
    ASOF_UNROLL
    for (unsigned i = 0; i < ahead; ++i) {
      x[i] = a[c + i * width + lane];
      y[i] = b[c + i * width + lane];
    }
    ASOF_UNROLL
    for (unsigned i = 0; i < ahead; ++i) sum = fused ? fmaf(x[i], y[i], sum) : x[i] * y[i] + sum;
  }
  for (; c < d; c += width) {
    const bool exists = c + lane < d;
    const float x = exists ? a[c + lane] : 0.0f, y = exists ? b[c + lane] : 0.0f;
    sum = fused ? fmaf(x, y, sum) : x * y + sum;
  }
  for (unsigned distance = width / 2; distance > 0; distance /= 2)
    sum = sum + __shfl_xor_sync(all_lanes, sum, static_cast<int>(distance));
  return sum;
}

/// Element t is values[t * step].
struct StridedVector {
  const float* values;
  std::size_t step;

  __device__ float operator[](std::size_t t) const { return values[t * step]; }
};

/// initial + sum over t in [0, m) of a[t] * b[t], in the order of training::combine.
__device__ inline float canonical_sum(Summing summing, float initial, StridedVector a,
                                      StridedVector b, std::uint32_t m) {
  if (summing == Summing::plain) {
    double sum = initial;
    for (std::uint32_t t = 0; t < m; ++t)
      sum += static_cast<double>(a[t]) * static_cast<double>(b[t]);
    return static_cast<float>(sum);
  }
  const bool fused = fuses(summing);
  float sum = initial;
  for (std::uint32_t t = 0; t < m; ++t) sum = fused ? fmaf(a[t], b[t], sum) : a[t] * b[t] + sum;
  return sum;
}

}  // namespace asof::cuda
