// Arithmetic of a training step (kernels/training/contract.hpp): matrix products, gradients of
// normalization, AdamW. Sums over a batch are computed per tile, with the host's tiles, and added
// in tile order: bit-identical to the host.
#pragma once

#include "core/matrix.hpp"
#include "cuda/kernels/products/canonical.hpp"
#include "kernels/training/contract.hpp"

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

/// One array of the parameters' gradient per tile of rows, `step` floats apart.
struct TileGradients {
  float* first;
  std::size_t step;

  /// The array of tile blockIdx.y.
  __device__ float* own() const { return first + blockIdx.y * step; }
};

/// out (n x d) += coefficients (n x m) times terms (m x d).
ASOF_KERNEL void combine(Summing summing, asof::training::Coefficients coefficients, Matrix terms,
                         std::uint32_t n, float* out) {
  const std::size_t d = terms.stride, at = own_place(), i = at / d;
  if (i >= n) return;
  out[at] =
      canonical_sum(summing, out[at],
                    {coefficients.values + i * coefficients.row_stride, coefficients.term_stride},
                    {terms.data + at % d, d}, static_cast<std::uint32_t>(terms.rows));
}

/// Per tile of rows: gradient (m x d) += input (n x m), transposed, times by (n x d).
ASOF_KERNEL void combine_transposed(Summing summing, Matrix input, Matrix by,
                                    TileGradients gradient) {
  const std::size_t m = input.stride, d = by.stride, at = own_place(), row = at / d;
  if (row >= m) return;
  float& out = gradient.own()[at];
  out = canonical_sum(summing, out, {input.data + first_row() * m + row, m},
                      {by.data + first_row() * d + at % d, d},
                      rows_of_tile(static_cast<std::uint32_t>(input.rows)));
}

/// Per tile: gradient[c] += the rows' component c, in row order.
ASOF_KERNEL void add_rows(Matrix by, TileGradients gradient) {
  const std::size_t c = own_place(), d = by.stride;
  if (c >= d) return;
  float total = gradient.own()[c];
  const std::uint32_t end = first_row() + rows_of_tile(static_cast<std::uint32_t>(by.rows));
  for (std::uint32_t i = first_row(); i < end; ++i) total += by.data[i * d + c];
  gradient.own()[c] = total;
}

/// out (n x m) = a (n x d) times b (m x d), transposed: a group of lanes per product.
ASOF_KERNEL void multiply(Summing summing, Matrix a, Matrix b, float* out) {
  const std::size_t m = b.rows, d = a.stride, count = a.rows * m;
  const std::size_t at = own_place() / width_of(summing);
  const std::size_t place = at < count ? at : count - 1;  // every lane takes part in shuffles
  const float product = canonical_product(summing, a.data + place / m * d, b.data + place % m * d,
                                          static_cast<std::uint32_t>(d));
  if (at < count && threadIdx.x % width_of(summing) == 0) out[at] = product;
}

/// Every row of out is `row`, or zeros where that is null.
ASOF_KERNEL void spread(const float* row, std::uint32_t n, std::uint32_t d, float* out) {
  const std::size_t at = own_place();
  if (at < std::size_t(n) * d) out[at] = row == nullptr ? 0.0f : row[at % d];
}

/// training::unit_gradient, with zeros for rows that are not `known`. A warp per row.
ASOF_KERNEL void unit_gradient(asof::training::UnitRows rows, const std::uint8_t* known,
                               std::uint32_t n, std::uint32_t d, float* y) {
  const auto [u, du, norms] = rows;
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

/// gradient[i] = the sum of the tiles' gradients, in tile order.
ASOF_KERNEL void add_tiles(const float* parts, std::uint32_t tiles, std::size_t count,
                           float* gradient) {
  const std::size_t at = own_place();
  if (at >= count) return;
  float sum = 0;
  for (std::uint32_t tile = 0; tile < tiles; ++tile) sum += parts[tile * count + at];
  gradient[at] = sum;
}

ASOF_KERNEL void adamw(asof::training::AdamStep step, const float* gradient, std::size_t count,
                       asof::training::AdamState state) {
  const std::size_t at = own_place();
  if (at >= count) return;
  const auto [parameters, first, second] = state;
  const float g = gradient[at];
  first[at] = step.beta1 * first[at] + (1 - step.beta1) * g;
  second[at] = step.beta2 * second[at] + (1 - step.beta2) * (g * g);
  const float moved =
      first[at] * step.correction1 / (sqrtf(second[at] * step.correction2) + step.epsilon);
  parameters[at] -= step.rate * (moved + step.decay * parameters[at]);
}

}  // namespace asof::cuda::training
