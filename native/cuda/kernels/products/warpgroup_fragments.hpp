// One step of a matrix product on the tensor cores of a Hopper warpgroup (wgmma): 64 rows by 16 to
// 256 queries, over 32 bytes of each. Rows come from registers, 16 a warp in the layout of
// fragments.hpp; queries from shared memory. With l the lane, sums 4 i and 4 i + 1 are row l / 4 by
// queries 8 i + 2 (l % 4) and the next, sums 4 i + 2 and 4 i + 3 row l / 4 + 8 by the same.
//
// A step's queries are cores of eight queries by 16 bytes, 128 contiguous bytes each: the first 16
// bytes of all queries, then the second. The host has a scalar twin that reads lanes' words and
// cores in this order; a parity run on a device verifies the hardware's.
#pragma once

#include <algorithm>

#include "cuda/kernels/products/fragments.hpp"

namespace asof::cuda::products {

inline constexpr unsigned warpgroup_threads = 128, core_queries = 8, core_bytes = 128,
                          core_row_bytes = 16;

/// Index of a group of four bytes of a query among the words of a step of `width` queries.
__device__ inline std::uint32_t step_word(std::uint32_t width, std::uint32_t query,
                                          std::uint32_t group) {
  return (group / 4 * (width / core_queries) + query / core_queries) * (core_bytes / 4) +
         query % core_queries * 4 + group % 4;
}

template <bool whole, int width>
using WideSums = Sum<whole>[width / 2];

/// Index of the first word of the queries from `query` on, a multiple of 8, in a step.
__device__ inline std::uint32_t first_word(std::uint32_t query) {
  return query / core_queries * (core_bytes / 4);
}

#if !defined(__CUDACC__)

inline void before_products() {}
inline void after_products() {}
template <int left>
inline void wait_products() {}

template <int width, int stored, typename Value>
inline void multiply_add_wide(Value (&sums)[width / 2], const RowWords& rows,
                              const std::uint32_t* queries, bool first) {
  emulation::Words given;
  std::copy(rows.word, rows.word + 4, given.word);
  const emulation::Words* all = emulation::meet(emulation::Meeting::matrix, all_lanes, given);
  const unsigned lane = emulation::lane();
  for (unsigned at = 0; at < width / 2; ++at) {
    const unsigned query = at / 4 * core_queries + 2 * (lane % 4) + at % 2;
    if (first) sums[at] = 0;
    for (unsigned group = 0; group < fragment_groups; ++group) {
      add_group(sums[at], all[lane / 4 * 4 + group % 4].word[at % 4 / 2 + group / 4 * 2],
                queries[step_word(stored, query, group)]);
    }
  }
}

#elif ASOF_WARPGROUPS

/// Before a sequence of steps: orders them after the threads' writes to registers.
__device__ inline void before_products() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
/// After a sequence of steps, which runs asynchronously.
__device__ inline void after_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits for all but the latest `left` sequences.
template <int left>
__device__ inline void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}

/// Matrix descriptor of a step's queries, of `stored` in memory: start address, distance of a
/// query's two cores, distance of the cores of adjacent queries.
template <int stored>
__device__ inline std::uint64_t matrix_descriptor(const std::uint32_t* queries) {
  constexpr std::uint64_t far = stored * core_row_bytes, next = core_bytes;
  const std::uint64_t begin = static_cast<std::uint32_t>(__cvta_generic_to_shared(queries));
  return (begin & 0x3ffff) >> 4 | far >> 4 << 16 | next >> 4 << 32;
}

// The instruction names each of its sums.
#define ASOF_TEN(tens)                                                                    \
  "%" #tens "0, %" #tens "1, %" #tens "2, %" #tens "3, %" #tens "4, %" #tens "5, %" #tens \
  "6, %" #tens "7, %" #tens "8, %" #tens "9, "
#define ASOF_NAMES_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define ASOF_NAMES_16 ASOF_TEN() "%10, %11, %12, %13, %14, %15"
#define ASOF_NAMES_32 ASOF_TEN() ASOF_TEN(1) ASOF_TEN(2) "%30, %31"
#define ASOF_NAMES_64 \
  ASOF_TEN() ASOF_TEN(1) ASOF_TEN(2) ASOF_TEN(3) ASOF_TEN(4) ASOF_TEN(5) "%60, %61, %62, %63"
#define ASOF_NAMES_128 \
  ASOF_TEN()           \
  ASOF_TEN(1)          \
  ASOF_TEN(2)          \
  ASOF_TEN(3)          \
  ASOF_TEN(4)          \
  ASOF_TEN(5)          \
  ASOF_TEN(6)          \
  ASOF_TEN(7)          \
  ASOF_TEN(8) ASOF_TEN(9) ASOF_TEN(10) ASOF_TEN(11) "%120, %121, %122, %123, %124, %125, %126, " \
                                                    "%127"
#define ASOF_SUMS_8(kind, at)                                                                     \
  kind(sums[at]), kind(sums[at + 1]), kind(sums[at + 2]), kind(sums[at + 3]), kind(sums[at + 4]), \
      kind(sums[at + 5]), kind(sums[at + 6]), kind(sums[at + 7])
#define ASOF_SUMS_16(kind, at) ASOF_SUMS_8(kind, at), ASOF_SUMS_8(kind, at + 8)
#define ASOF_SUMS_32(kind, at) ASOF_SUMS_16(kind, at), ASOF_SUMS_16(kind, at + 16)
#define ASOF_SUMS_64(kind, at) ASOF_SUMS_32(kind, at), ASOF_SUMS_32(kind, at + 32)
#define ASOF_SUMS_128(kind, at) ASOF_SUMS_64(kind, at), ASOF_SUMS_64(kind, at + 64)
#define ASOF_MULTIPLY(width, types, signs, kind, count, r0, r1, r2, r3, operand, adding)         \
  asm volatile("{\n.reg .pred adds;\nsetp.ne.b32 adds, %" #adding                                \
               ", 0;\n"                                                                          \
               "wgmma.mma_async.sync.aligned.m64n" #width types " {" ASOF_NAMES_##count          \
               "}, {%" #r0 ", %" #r1 ", %" #r2 ", %" #r3 "}, %" #operand ", adds" signs ";\n}\n" \
               : ASOF_SUMS_##count(kind, 0)                                                      \
               : "r"(rows.word[0]), "r"(rows.word[1]), "r"(rows.word[2]), "r"(rows.word[3]),     \
                 "l"(matrix_descriptor<stored>(queries)), "r"(first ? 0 : 1))
#define ASOF_MULTIPLIES(value, types, signs, kind)                                        \
  template <int width, int stored>                                                        \
  __device__ inline void multiply_add_wide(value(&sums)[width / 2], const RowWords& rows, \
                                           const std::uint32_t* queries, bool first) {    \
    if constexpr (width == 16)                                                            \
      ASOF_MULTIPLY(16, types, signs, kind, 8, 8, 9, 10, 11, 12, 13);                     \
    else if constexpr (width == 32)                                                       \
      ASOF_MULTIPLY(32, types, signs, kind, 16, 16, 17, 18, 19, 20, 21);                  \
    else if constexpr (width == 64)                                                       \
      ASOF_MULTIPLY(64, types, signs, kind, 32, 32, 33, 34, 35, 36, 37);                  \
    else if constexpr (width == 128)                                                      \
      ASOF_MULTIPLY(128, types, signs, kind, 64, 64, 65, 66, 67, 68, 69);                 \
    else                                                                                  \
      ASOF_MULTIPLY(256, types, signs, kind, 128, 128, 129, 130, 131, 132, 133);          \
  }
ASOF_MULTIPLIES(std::int32_t, "k32.s32.s8.s8", "", "+r")
ASOF_MULTIPLIES(float, "k16.f32.bf16.bf16", ", 1, 1, 0", "+f")
#undef ASOF_MULTIPLIES
#undef ASOF_MULTIPLY

#endif

}  // namespace asof::cuda::products
