// Inner products of queries with the rows of a block that a bitmap selects.
#pragma once

#include "index/rows/flat_rows.hpp"
#include "index/rows/mask.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

/// The vectors of the block that begins at row `first`; of the rows in `bits`, verified.
const float* block_vectors(const FlatRows& rows, std::size_t first, const BlockBits& bits);

/// Components [from, to) of a query and of a block's rows, each of d components.
struct BlockProduct {
  const float* query;
  const float* vectors;
  std::size_t d, from, to;
};

/// out[i] = the product with row i of the block, for the rows in `bits`. A pair has the same bits
/// as in any other call of the kernel.
void multiply_rows(const inner_product::Kernels& kernels, const BlockProduct& product,
                   const BlockBits& bits, float* out);

/// Queries and the rows of a block, each of d components.
struct BlockProducts {
  const float* queries;
  std::size_t query_count;
  const float* vectors;
  std::size_t row_count, d;
};

/// out[q * block_rows + i] = the product of query q with row i, for the rows in `bits` at
/// least.
void multiply_block(const inner_product::Kernels& kernels, const BlockProducts& products,
                    const BlockBits& bits, float* out);

inline std::size_t count_of(const BlockBits& bits) {
  std::size_t count = 0;
  for (std::uint64_t word : bits) count += static_cast<std::size_t>(__builtin_popcountll(word));
  return count;
}

}  // namespace asof::vector
