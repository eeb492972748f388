// Inner products of one query with the rows of a block that are asked for, wherever they lie in it.
#pragma once

#include "index/vector/times/mask.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

/// out[i] = the product of the components [from, to) with those of row i of the block, for the rows
/// in `bits`; `vectors` is the block's first row, of d components. The same bits as in any other
/// company (the kernel's contract).
void multiply_rows(const inner_product::Kernels& kernels, const float* query, const float* vectors,
                   std::size_t d, std::size_t from, std::size_t to, const BlockBits& bits,
                   float* out);

/// out[q * schema::block_rows + i] = the product of query q with row i of the block, for the rows
/// in `seen` at least; where those are few, of their runs alone. (The kernel gives a pair the same
/// bits in any company.)
void multiply_block(const inner_product::Kernels& kernels, const float* queries, std::size_t nq,
                    const float* vectors, std::size_t count, std::size_t d, const BlockBits& seen,
                    float* out);

/// Calls visit(i) for every row in `bits`.
template <typename Visit>
void for_each(const BlockBits& bits, Visit visit) {
  for (std::size_t word = 0; word < block_words; ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1)
      visit(word * 64 + static_cast<std::size_t>(__builtin_ctzll(left)));
  }
}

inline std::size_t count_of(const BlockBits& bits) {
  std::size_t count = 0;
  for (std::uint64_t word : bits) count += static_cast<std::size_t>(__builtin_popcountll(word));
  return count;
}

}  // namespace asof::vector
