// Arithmetic of a training step (kernels/training/contract.hpp): matrix products, gradients of
// normalization, AdamW. Sums over a batch are computed per tile, with the host's tiles, and added
// in tile order: bit-identical to the host.
#pragma once

#include "cuda/kernels/products/canonical.hpp"

namespace asof::cuda::training {

inline constexpr unsigned threads = 256;
inline constexpr std::uint32_t tile_rows = 32;  // native/training/time_encoder.cpp's

__device__ inline std::size_t own_place() {
  return std::size_t(blockIdx.x) * blockDim.x + threadIdx.x;
}
/// Rows of tile blockIdx.y.
__device__ inline std::uint32_t first_row() {
  return blockIdx.y * tile_rows;
}
__device__ inline std::uint32_t rows_of_tile(std::uint32_t n) {
  return n - first_row() < tile_rows ? n - first_row() : tile_rows;
}

__device__ inline double sum_of_warp(double value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = value + __shfl_xor_sync(all_lanes, value, distance);
  return value;
}

/// out (n x d) += coefficients (n x m; element i * row_step + t * term_step) times rows (m x d).
ASOF_KERNEL void combine(Summing summing, const float* coefficients, std::size_t row_step,
                         std::size_t term_step, std::uint32_t n, std::uint32_t m, const float* rows,
                         std::uint32_t d, float* out) {
  const std::size_t at = own_place(), i = at / d;
  if (i >= n) return;
  out[at] =
      canonical_sum(summing, out[at], coefficients + i * row_step, term_step, rows + at % d, d, m);
}

/// Of tile y of n rows: gradient (m x d, the tile's own, `gradient_step` after the one before) +=
/// input (n x m), transposed, times by (n x d).
ASOF_KERNEL void combine_transposed(Summing summing, const float* input, std::uint32_t n,
                                    std::uint32_t m, const float* by, std::uint32_t d,
                                    float* gradient, std::size_t gradient_step) {
  const std::size_t at = own_place(), row = at / d;
  if (row >= m) return;
  float* out = gradient + blockIdx.y * gradient_step + at;
  *out = canonical_sum(summing, *out, input + std::size_t(first_row()) * m + row, m,
                       by + std::size_t(first_row()) * d + at % d, d, rows_of_tile(n));
}

/// Of tile y: sum[c] += the rows' components, in their order. `by` has `ldb` floats a row.
ASOF_KERNEL void add_rows(const float* by, std::uint32_t n, std::uint32_t d, float* sum,
                          std::size_t sum_step) {
  const std::size_t c = own_place();
  if (c >= d) return;
  float total = sum[blockIdx.y * sum_step + c];
  for (std::uint32_t i = first_row(); i < first_row() + rows_of_tile(n); ++i)
    total += by[std::size_t(i) * d + c];
  sum[blockIdx.y * sum_step + c] = total;
}

/// out (n x m) = a (n x d) times b (m x d), transposed: a group of lanes a product.
ASOF_KERNEL void multiply(Summing summing, const float* a, std::uint32_t n, const float* b,
                          std::uint32_t m, std::uint32_t d, float* out) {
  const std::size_t at = own_place() / width_of(summing), count = std::size_t(n) * m;
  const std::size_t taken = at < count ? at : count - 1;  // no lane leaves its warp
  const float product = canonical_product(summing, a + taken / m * d, b + taken % m * d, d);
  if (at < count && threadIdx.x % width_of(summing) == 0) out[at] = product;
}

/// Every row of out is `row`, or zeros where that is null.
ASOF_KERNEL void spread(const float* row, std::uint32_t n, std::uint32_t d, float* out) {
  const std::size_t at = own_place();
  if (at < std::size_t(n) * d) out[at] = row == nullptr ? 0.0f : row[at % d];
}

/// training::unit_gradient, and zeros for rows that are not `known`. A warp a row.
ASOF_KERNEL void unit_gradient(const float* u, const float* du, const double* norms,
                               const std::uint8_t* known, std::uint32_t n, std::uint32_t d,
                               float* y) {
  const std::size_t row = own_place() / warp_lanes, begin = row * d;
  const unsigned lane = threadIdx.x % warp_lanes;
  if (row >= n) return;
  double along = 0;
  for (std::uint32_t c = lane; c < d; c += warp_lanes)
    along += static_cast<double>(u[begin + c]) * static_cast<double>(du[begin + c]);
  along = sum_of_warp(along);
  const bool moves = norms[row] > 0 && known[row] != 0;
  const double factor = moves ? 1 / norms[row] : 0;
  for (std::uint32_t c = lane; c < d; c += warp_lanes) {
    y[begin + c] = moves ? static_cast<float>((static_cast<double>(du[begin + c]) -
                                               along * static_cast<double>(u[begin + c])) *
                                              factor)
                         : 0;
  }
}

/// gradient[i] = the tiles' parts, added in their order.
ASOF_KERNEL void add_tiles(const float* parts, std::uint32_t tiles, std::size_t count,
                           float* gradient) {
  const std::size_t at = own_place();
  if (at >= count) return;
  float sum = 0;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) sum += parts[tile * count + at];
  gradient[at] = sum;
}

struct Adam {
  float rate, beta1, beta2, correction1, correction2, epsilon, decay;
};

ASOF_KERNEL void adamw(Adam step, const float* gradient, std::size_t count, float* parameters,
                       float* first, float* second) {
  const std::size_t at = own_place();
  if (at >= count) return;
  const float g = gradient[at];
  first[at] = step.beta1 * first[at] + (1 - step.beta1) * g;
  second[at] = step.beta2 * second[at] + (1 - step.beta2) * (g * g);
  const float moved =
      first[at] * step.correction1 / (sqrtf(second[at] * step.correction2) + step.epsilon);
  parameters[at] -= step.rate * (moved + step.decay * parameters[at]);
}

}  // namespace asof::cuda::training
