// Inner products of a batch of queries with f32 rows that keep only the pairs at or above each
// query's threshold, compared while sums are in registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"

//   product = sum over c of q_c r_c, one accumulator a pair, c ascending, one multiply_add each;
//             the reference adds in double and rounds once
//   |product - exact| <= (d + 2) 2^-24 (1 + 2^-6) sum |q_c r_c| + d 2^-149
//             for d <= 65536 and while no sum of |q_c r_c| overflows
//
// Sums are in the fastest order; a caller that needs the bits of kernels/inner_product computes
// them again for the pairs it receives. A pair is kept where its product is not less than the
// threshold, NaN included; the threshold +infinity keeps infinite and NaN products.
//
// Layout. Queries lie in groups of sixteen, component by component: component c of query i at ((i /
// 16) * d + c) * 16 + i % 16, the last group padded with zeros. Rows are contiguous, d floats each,
// aligned or not.
//
// Speed: a tile's rows stay in L1 while all queries pass over them, so that a row is read from
// memory once; a loaded vector of sixteen queries serves all rows of the tile, a row component two
// vectors. No sum crosses lanes.

namespace asof::threshold_products {

inline constexpr std::size_t group = 16;

/// Floats that packed queries take.
inline std::size_t packed_floats(std::size_t nq, std::size_t d) {
  return (nq + group - 1) / group * group * d;
}

struct Candidate {
  std::uint32_t query, row;
  float product;
};

struct Scan {
  const float* rows;
  std::size_t n, d;
  const float* queries;  // packed
  std::size_t nq;
  const float* thresholds;  // one a query; may be raised by `take`, which counts for pairs that are
                            // yet to be compared
  /// Receives candidates, in no order, each pair once. It may throw.
  void (*take)(void* context, const Candidate* candidates, std::size_t count);
  void* context;
};

struct Kernels {
  void (*scan)(const Scan& scan);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

/// Packs queries, query i of which starts at i * ldq.
void pack(const float* queries, std::size_t nq, std::size_t ldq, std::size_t d, float* packed);

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::threshold_products
