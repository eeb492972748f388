// One step of a matrix product on a warp's tensor cores: 16 rows by 8 queries over 32 bytes of
// each. The layouts are PTX's (mma.m16n8k32 for int8, mma.m16n8k16 for bf16): with l the lane, and
// words of four bytes,
//   rows      word 0: row l / 4, bytes 4 (l % 4) ..    word 1: row l / 4 + 8
//             words 2, 3: the same, 16 bytes on
//   queries   word 0: query l / 4, bytes 4 (l % 4) ..  word 1: 16 bytes on
//   sums      0, 1: row l / 4, queries 2 (l % 4) and the next    2, 3: row l / 4 + 8
// A panel's line (kernels/quantized) is a group of four bytes of 16 rows, so a word of a fragment
// is a word of a line.
//
// The host has a scalar twin that reads the lanes' words by the table above; a parity run on a
// device verifies that the hardware's layout is the table's. Turing multiplies int8 in smaller
// steps and has none for bf16, which is computed by shuffles there.
#pragma once

#include "cuda/target.hpp"

namespace asof::cuda::products {

struct RowWords {
  std::uint32_t word[4];
};
struct QueryWords {
  std::uint32_t word[2];
};

inline constexpr unsigned fragment_queries = 8, fragment_bytes = 32,
                          fragment_groups = fragment_bytes / 4;

/// Sums of int8 products are exact integers; sums of bf16 products are floats, in the hardware's
/// order of rounding.
template <bool whole>
using Sum = std::conditional_t<whole, std::int32_t, float>;

/// Adds the products of four bytes of a row and of a query.
__device__ inline void add_group(std::int32_t& sum, std::uint32_t row, std::uint32_t query) {
  for (int byte = 0; byte < 32; byte += 8) {
    sum += static_cast<std::int32_t>(static_cast<std::int8_t>(row >> byte)) *
           static_cast<std::int32_t>(static_cast<std::int8_t>(query >> byte));
  }
}
__device__ inline void add_group(float& sum, std::uint32_t row, std::uint32_t query) {
  sum += __uint_as_float(row << 16) * __uint_as_float(query << 16);
  sum += __uint_as_float(row & 0xffff0000u) * __uint_as_float(query & 0xffff0000u);
}

/// The twin: word_of(l, w) is word w of lane l, four of a row followed by two of a query.
template <typename Value, typename WordOf>
__device__ inline void add_by_table(Value (&sums)[4], unsigned lane, WordOf word_of) {
  for (unsigned at = 0; at < 4; ++at) {
    const unsigned upper = at / 2, query = 2 * (lane % 4) + at % 2;
    for (unsigned group = 0; group < fragment_groups; ++group) {
      const unsigned half = group / 4, row_lane = lane / 4 * 4 + group % 4,
                     query_lane = query * 4 + group % 4;
      add_group(sums[at], word_of(row_lane, upper + 2 * half), word_of(query_lane, 4 + half));
    }
  }
}

#if !defined(__CUDACC__)

template <typename Value>
inline void multiply_add(Value (&sums)[4], const RowWords& rows, const QueryWords& queries) {
  emulation::Words given;
  std::copy(rows.word, rows.word + 4, given.word);
  std::copy(queries.word, queries.word + 2, given.word + 4);
  const emulation::Words* all = emulation::meet(emulation::Meeting::matrix, all_lanes, given);
  add_by_table(sums, emulation::lane(),
               [&](unsigned lane, unsigned word) { return all[lane].word[word]; });
}

#else

__device__ inline void multiply_add(std::int32_t (&sums)[4], const RowWords& rows,
                                    const QueryWords& queries) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, "
      "%9}, {%0, %1, %2, %3};"
      : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
      : "r"(rows.word[0]), "r"(rows.word[1]), "r"(rows.word[2]), "r"(rows.word[3]),
        "r"(queries.word[0]), "r"(queries.word[1]));
#else
  for (int half = 0; half < 2; ++half) {
    for (int upper = 0; upper < 2; ++upper) {
      asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};"
                   : "+r"(sums[2 * upper]), "+r"(sums[2 * upper + 1])
                   : "r"(rows.word[2 * half + upper]), "r"(queries.word[half]));
    }
  }
#endif
}

#if __CUDA_ARCH__ < 800
/// Not inlined: it is long, and called 32 times in a kernel.
__device__ __noinline__ inline float4 add_by_shuffles(float4 before, uint4 row, uint2 query) {
  const std::uint32_t words[6] = {row.x, row.y, row.z, row.w, query.x, query.y};
  float sums[4] = {before.x, before.y, before.z, before.w};
  add_by_table(sums, threadIdx.x % warp_lanes, [&](unsigned lane, unsigned word) {
    return __shfl_sync(all_lanes, words[word], lane);
  });
  return {sums[0], sums[1], sums[2], sums[3]};
}
#endif

__device__ inline void multiply_add(float (&sums)[4], const RowWords& rows,
                                    const QueryWords& queries) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sums[0]), "+f"(sums[1]), "+f"(sums[2]), "+f"(sums[3])
      : "r"(rows.word[0]), "r"(rows.word[1]), "r"(rows.word[2]), "r"(rows.word[3]),
        "r"(queries.word[0]), "r"(queries.word[1]));
#else
  const float4 after = add_by_shuffles({sums[0], sums[1], sums[2], sums[3]},
                                       {rows.word[0], rows.word[1], rows.word[2], rows.word[3]},
                                       {queries.word[0], queries.word[1]});
  sums[0] = after.x, sums[1] = after.y, sums[2] = after.z, sums[3] = after.w;
#endif
}

#endif

}  // namespace asof::cuda::products
