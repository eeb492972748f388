// Certified scan of f32 vectors by fused multiply-adds: calls take(query, row, product, upper) for
// every row whose upper bound reaches the query's threshold. Values are not rounded; the bound is
// that of two orders of summation:
//   |canonical f32 inner product - product| <= beta rho + omega
//   beta = (C + P) |q| (1 + 2^-20)    P = (d + 12) u (1 + 2^-6)
// with C, u, rho and omega of kernels/quantized/contract.hpp. A row that is not finite, or longer
// than 2^60, has an infinite error and survives every threshold with the product 0. (Tensor cores
// would multiply f32 as tf32, with 13 bits less: a thousand times more rows would survive. That
// would pay for large batches only, for which int8 and bf16 panels pay more.)
//
// A block multiplies 128 rows by 16 or 64 queries, a thread 8 rows by 1 or 4, with K in steps of 16
// through shared memory; the next step's values are loaded before this step's are multiplied.
#pragma once

#include "cuda/target.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::cuda::products {

struct FloatRows {
  const float* vectors;
  const float* length;        // rho, rounded up; infinite if the row always survives
  std::uint32_t n, d, first;  // first: the page's first row
};

struct FloatQueries {
  const float* vectors;  // d each; zeros where omega is infinite
  const float *beta, *omega, *thresholds;
  std::uint32_t nq;
};

struct FloatPass {
  FloatRows rows;
  FloatQueries queries;
  const std::uint64_t* live_groups;   // as Pass::live_groups
  std::uint32_t first_row, last_row;  // first_row is a multiple of 64
};

inline constexpr unsigned float_threads = 256, float_rows = 128, float_step = 16, thread_rows = 8;
inline constexpr float longest_row = 0x1p60f;

/// The lengths of rows, rounded up. A warp per row.
ASOF_KERNEL void __launch_bounds__(float_threads)
    measure(const float* vectors, std::uint32_t n, std::uint32_t d, float* length) {
  const std::size_t row = (std::size_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_lanes;
  const unsigned lane = threadIdx.x % warp_lanes;
  if (row >= n) return;
  double squares = 0;
  for (std::uint32_t c = lane; c < d; c += warp_lanes)
    squares +=
        static_cast<double>(vectors[row * d + c]) * static_cast<double>(vectors[row * d + c]);
  for (int distance = 16; distance > 0; distance /= 2)
    squares = squares + __shfl_xor_sync(all_lanes, squares, distance);
  const double exact = sqrt(squares) * (1 + 0x1p-30);  // more than the rounding of the sum
  if (lane == 0)
    length[row] = exact <= static_cast<double>(longest_row)
                      ? static_cast<float>(exact) * (1 + 0x1p-23f) + 0x1p-149f
                      : INFINITY;
}

/// The values of a step, in registers.
template <int columns>
struct FloatStep {
  static constexpr unsigned queries = 16 * columns,
                            row_values = float_rows * float_step / float_threads,
                            query_values = queries * float_step / float_threads;
  float row[row_values], query[query_values];
};

template <int columns>
__device__ inline FloatStep<columns> read_floats(const FloatPass& pass, std::uint32_t first_row,
                                                 std::uint32_t first_query,
                                                 std::uint32_t component) {
  FloatStep<columns> read;
  const std::uint32_t c = component + threadIdx.x % float_step, d = pass.rows.d;
  ASOF_UNROLL
  for (unsigned j = 0; j < FloatStep<columns>::row_values; ++j) {
    const std::uint32_t row = first_row + (threadIdx.x + j * float_threads) / float_step;
    read.row[j] = c < d && row < pass.last_row
                      ? pass.rows.vectors[std::size_t(row - pass.rows.first) * d + c]
                      : 0.0f;
  }
  ASOF_UNROLL
  for (unsigned j = 0; j < FloatStep<columns>::query_values; ++j) {
    const std::uint32_t query = first_query + (threadIdx.x + j * float_threads) / float_step;
    read.query[j] =
        c < d && query < pass.queries.nq ? pass.queries.vectors[std::size_t(query) * d + c] : 0.0f;
  }
  return read;
}

inline constexpr unsigned float_row_stride = float_rows + 4;
template <int columns>
inline constexpr unsigned float_query_stride = 16 * columns + 4;

template <int columns>
__device__ inline void put_floats(const FloatStep<columns>& read, float* rows, float* queries) {
  const unsigned k = threadIdx.x % float_step;
  ASOF_UNROLL
  for (unsigned j = 0; j < FloatStep<columns>::row_values; ++j)
    rows[k * float_row_stride + (threadIdx.x + j * float_threads) / float_step] = read.row[j];
  ASOF_UNROLL
  for (unsigned j = 0; j < FloatStep<columns>::query_values; ++j)
    queries[k * float_query_stride<columns> + (threadIdx.x + j * float_threads) / float_step] =
        read.query[j];
}

template <int columns>
__device__ inline void multiply_floats(const float* rows, const float* queries,
                                       float (&sums)[thread_rows][columns]) {
  const unsigned own_rows = threadIdx.x / 16 * thread_rows,
                 own_queries = threadIdx.x % 16 * columns;
  ASOF_UNROLL
  for (unsigned k = 0; k < float_step; ++k) {
    float row[thread_rows], query[columns];
    ASOF_UNROLL
    for (unsigned i = 0; i < thread_rows; ++i) row[i] = rows[k * float_row_stride + own_rows + i];
    ASOF_UNROLL
    for (int j = 0; j < columns; ++j)
      query[j] = queries[k * float_query_stride<columns> + own_queries + j];
    ASOF_UNROLL
    for (unsigned i = 0; i < thread_rows; ++i) {
      ASOF_UNROLL
      for (int j = 0; j < columns; ++j) sums[i][j] = fmaf(row[i], query[j], sums[i][j]);
    }
  }
}

template <int columns, typename Take>
__device__ inline void test_floats(const FloatPass& pass, const Take& take, std::uint32_t first_row,
                                   std::uint32_t first_query,
                                   const float (&sums)[thread_rows][columns]) {
  ASOF_UNROLL
  for (unsigned i = 0; i < thread_rows; ++i) {
    const std::uint32_t row = first_row + threadIdx.x / 16 * thread_rows + i;
    if (row >= pass.last_row || row >= pass.rows.n) continue;
    const float length = pass.rows.length[row - pass.rows.first];
    ASOF_UNROLL
    for (int j = 0; j < columns; ++j) {
      const std::uint32_t query = first_query + threadIdx.x % 16 * columns + j;
      if (query >= pass.queries.nq) continue;
      const float omega = pass.queries.omega[query];
      const bool bounded = length < INFINITY && omega < INFINITY;
      const float product = bounded ? sums[i][j] : 0.0f,
                  upper =
                      bounded ? product + (pass.queries.beta[query] * length + omega) : INFINITY;
      if (!(upper < pass.queries.thresholds[query])) take(query, row, product, upper);
    }
  }
}

/// Block (x, y): rows from 128 x in a grid-stride loop, queries from 16 * columns * y.
template <int columns, typename Take>
__global__ void __launch_bounds__(float_threads)
    floats(const ASOF_STAYS FloatPass pass, const ASOF_STAYS Take take) {
  __shared__ float rows[float_step * float_row_stride],
      queries[float_step * float_query_stride<columns>];
  const std::uint32_t first_query = blockIdx.y * 16 * columns;
  for (std::uint32_t first = pass.first_row + blockIdx.x * float_rows; first < pass.last_row;
       first += gridDim.x * float_rows) {
    const std::uint32_t group = first / 64;
    const bool reads = pass.live_groups == nullptr ||
                       (pass.live_groups[group / 64] >> (group % 64) & 1) != 0 ||
                       (pass.live_groups[(group + 1) / 64] >> ((group + 1) % 64) & 1) != 0;
    if (!reads) continue;
    float sums[thread_rows][columns] = {};
    FloatStep<columns> next = read_floats<columns>(pass, first, first_query, 0);
    for (std::uint32_t c = 0; c < pass.rows.d; c += float_step) {
      __syncthreads();  // all threads have read the previous step
      put_floats<columns>(next, rows, queries);
      __syncthreads();
      if (c + float_step < pass.rows.d)
        next = read_floats<columns>(pass, first, first_query, c + float_step);
      multiply_floats<columns>(rows, queries, sums);
    }
    test_floats<columns>(pass, take, first, first_query, sums);
  }
}

}  // namespace asof::cuda::products
