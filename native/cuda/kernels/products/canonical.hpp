// Inner products and sums of rows with the bits of the host's level: lanes of that level's width,
// each adding its components in their order, and the same tree over the lanes
// (kernels/inner_product/contract.hpp); sums of rows term by term (kernels/training/contract.hpp).
#pragma once

#include "cuda/target.hpp"

namespace asof::cuda {

/// How the host's level sums: `width` lanes, fused or not; 1 for the plain form's one sum in
/// double. Not an instance each: kernels are big, and this costs them a branch that all threads
/// take alike.
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

/// Every lane of a warp calls it, and gets the product of its group of width_of(summing) lanes; a
/// group's vectors are its own.
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
  // QueryDescriptor for together, added in their order: else each would wait for the memory.
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

/// before + sum over t in [0, m) of coefficients[t * step] * rows[t * ldr], as training::combine
/// adds it.
__device__ inline float canonical_sum(Summing summing, float before, const float* coefficients,
                                      std::size_t step, const float* rows, std::size_t ldr,
                                      std::uint32_t m) {
  if (summing == Summing::plain) {
    double sum = before;
    for (std::uint32_t t = 0; t < m; ++t)
      sum += static_cast<double>(coefficients[t * step]) * static_cast<double>(rows[t * ldr]);
    return static_cast<float>(sum);
  }
  const bool fused = fuses(summing);
  float sum = before;
  for (std::uint32_t t = 0; t < m; ++t)
    sum = fused ? fmaf(coefficients[t * step], rows[t * ldr], sum)
                : coefficients[t * step] * rows[t * ldr] + sum;
  return sum;
}

}  // namespace asof::cuda
