// Quantization of queries on the device, bit-identical to quantized::QueryBlock, in the panel
// layout. One warp per query.
#pragma once

#include "cuda/target.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::cuda::products {

inline constexpr unsigned pack_threads = 128;

struct Packing {
  const float* vectors;  // d each
  std::uint32_t nq, room, d,
      tiles;  // room: nq rounded up to whole panels, padded with zeros
  std::uint8_t* lines;
  float *scale, *alpha, *beta, *omega;  // room each
};

__device__ inline float not_less(double value) {
  const float nearest = static_cast<float>(value);
  return static_cast<double>(nearest) < value ? __uint_as_float(__float_as_uint(nearest) + 1)
                                              : nearest;
}

/// Rounding of a query's components.
template <bool whole>
struct Rounding {
  float inverse;  // 127 / largest component; 0: all components become zeros
  bool zeros;

  __device__ std::uint32_t bits(float x) const {
    if (zeros) return 0;
    if constexpr (whole) {
      const float value = rintf(x * inverse);
      return static_cast<std::uint32_t>(static_cast<std::int32_t>(value > 127    ? 127.0f
                                                                  : value < -127 ? -127.0f
                                                                                 : value)) &
             0xff;
    } else {
      const std::uint32_t own = __float_as_uint(x),
                          rounded = (own + 0x7fff + ((own >> 16) & 1)) & 0xffff0000;
      return (rounded & 0x7f800000) == 0 ? 0 : rounded >> 16;
    }
  }
  /// The rounded value of x.
  __device__ double value(float x, double scale) const {
    const std::uint32_t own = bits(x);
    if constexpr (whole)
      return scale * static_cast<double>(static_cast<std::int8_t>(own));
    else
      return static_cast<double>(__uint_as_float(own << 16));
  }
};

/// Lengths of the query, of its rounded values and of their difference, in lanes 0, 8 and 16; eight
/// partial sums each, as on the host.
template <bool whole>
__device__ inline double lengths(const float* x, std::uint32_t d, const Rounding<whole>& rounding,
                                 double scale) {
  const unsigned lane = threadIdx.x % warp_lanes, which = lane / 8;
  constexpr std::uint32_t ahead = 8;  // loads issued together, added in order
  double sum = 0;
  for (std::uint32_t first = lane % 8; first < d; first += 8 * ahead) {
    float values[ahead];
    ASOF_UNROLL
    for (std::uint32_t i = 0; i < ahead; ++i)
      values[i] = first + 8 * i < d ? x[first + 8 * i] : 0.0f;
    ASOF_UNROLL
    for (std::uint32_t i = 0; i < ahead; ++i) {
      if (first + 8 * i >= d) continue;
      const double exact = static_cast<double>(values[i]),
                   rounded = which == 0 ? 0 : rounding.value(values[i], scale);
      const double value = which == 1 ? rounded : exact - rounded;
      sum = sum + value * value;
    }
  }
  sum = sum + __shfl_xor_sync(all_lanes, sum, 4);
  sum = sum + __shfl_xor_sync(all_lanes, sum, 1);
  sum = sum + __shfl_xor_sync(all_lanes, sum, 2);
  return sqrt(sum) * (1 + static_cast<double>(d + 8) * 0x1p-52);
}

template <bool whole>
__global__ void __launch_bounds__(pack_threads) pack(Packing work) {
  constexpr double longest = 0x1p60;
  constexpr std::uint32_t group_values = whole ? 4 : 2, value_bits = 32 / group_values;
  const std::uint32_t query = (blockIdx.x * pack_threads + threadIdx.x) / warp_lanes,
                      lane = threadIdx.x % warp_lanes;
  if (query >= work.room) return;
  const bool exists = query < work.nq;
  const float* x = work.vectors + std::size_t(exists ? query : 0) * work.d;
  float largest = 0;
  for (std::uint32_t c = lane; c < work.d; c += warp_lanes) largest = fmaxf(largest, fabsf(x[c]));
  for (int distance = 16; distance > 0; distance /= 2)
    largest = fmaxf(largest, __shfl_xor_sync(all_lanes, largest, distance));
  Rounding<whole> rounding{0, !exists};
  float scale = 1;
  if (whole && largest < 0x1p-60f) {
    rounding.zeros = true;
    scale = 0;
  } else if (whole) {
    rounding.inverse = 127 / largest;
    scale = largest / 127;
  }
  const double length = lengths<whole>(x, work.d, rounding, static_cast<double>(scale));
  const double all = __shfl_sync(all_lanes, length, 0), rounded = __shfl_sync(all_lanes, length, 8),
               lost = __shfl_sync(all_lanes, length, 16);
  const bool usable = all <= longest;
  rounding.zeros = rounding.zeros || !usable;
  for (std::uint32_t group = lane; group < work.tiles * quantized::tile_lines;
       group += warp_lanes) {
    std::uint32_t word = 0;
    for (std::uint32_t i = 0; i < group_values; ++i) {
      const std::uint32_t c = group * group_values + i;
      if (c < work.d) word |= rounding.bits(x[c]) << (value_bits * i);
    }
    const std::size_t line =
        (std::size_t(query / quantized::panel_rows) * work.tiles * quantized::tile_lines + group) *
        quantized::line_bytes;
    *reinterpret_cast<std::uint32_t*>(work.lines + line + query % quantized::panel_rows * 4) = word;
  }
  if (lane != 0) return;
  const double d = work.d, canonical = (d / 2 + 8) * 0x1p-24 * (1 + 0x1p-6), inflated = 1 + 0x1p-20;
  const double summed = whole ? 8 * 0x1p-24 : (d + 12) * 0x1p-24 * (1 + 0x1p-6);
  const float alpha =
      fmaxf(usable ? not_less(all * (1 + canonical) * inflated) : 0.0f, 1.17549435e-38f);
  const float beta =
      usable ? not_less((lost + canonical * all + summed * rounded) * inflated) : 0.0f;
  // Tensor cores truncate instead of rounding, and add several products at once: four times the
  // contract's P, and |q^| <= 2 alpha.
  const float cut = whole ? 0 : 6 * (static_cast<float>(work.d) + 12) * 0x1p-24f * alpha;
  work.scale[query] = !exists ? 0 : usable ? scale : 1.0f;
  work.alpha[query] = exists ? alpha : 0;
  work.beta[query] = exists ? beta + cut : 0;
  work.omega[query] = !exists ? 0 : usable ? static_cast<float>(work.d + 8) * 0x1p-124f : INFINITY;
}

}  // namespace asof::cuda::products
