// Kernel calls on runs of selected rows.
#include "index/vector/masked_products.hpp"

#include <bit>

namespace asof::vector {
namespace {

/// Prefetches the rows of one word of bits, which are scattered in memory.
void prefetch(const BlockProduct& product, const BlockBits& bits, std::size_t word) {
  constexpr std::size_t line = 16;  // floats
  if (word >= block_words) return;
  for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
    const std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
    const float* row = product.vectors + i * product.d;
    for (std::size_t c = product.from; c < product.to; c += line) __builtin_prefetch(row + c);
  }
}

}  // namespace

const float* block_vectors(const FlatRows& rows, std::size_t first, const BlockBits& bits) {
  if (!rows.vectors.is_verified())
    for_each(bits, [&](std::size_t i) { rows.vectors_at(first + i); });
  return rows.vectors.address(first * rows.dimensions);
}

void multiply_rows(const inner_product::Kernels& kernels, const BlockProduct& product,
                   const BlockBits& bits, float* out) {
  const auto& [query, vectors, d, from, to] = product;
  prefetch(product, bits, 0);
  for (std::size_t word = 0; word < block_words; ++word) {
    prefetch(product, bits, word + 1);
    for (std::uint64_t left = bits[word]; left != 0;) {
      const int first = std::countr_zero(left), length = std::countr_one(left >> first);
      const std::size_t row = word * 64 + static_cast<std::size_t>(first);
      kernels.block({query + from, 1, d},
                    {vectors + row * d + from, static_cast<std::size_t>(length), d}, to - from,
                    out + row, block_rows);
      left &= first + length == 64 ? 0 : ~std::uint64_t{0} << (first + length);
    }
  }
}

void multiply_block(const inner_product::Kernels& kernels, const BlockProducts& products,
                    const BlockBits& bits, float* out) {
  const auto& [queries, nq, vectors, count, d] = products;
  auto run = [&, queries = queries, nq = nq, vectors = vectors, d = d](std::size_t first,
                                                                       std::size_t length) {
    kernels.block({queries, nq, d}, {vectors + first * d, length, d}, d, out + first, block_rows);
  };
  const std::size_t some = count_of(bits);
  if (some == 0) return;
  if (2 * some > count) return run(0, count);
  auto is_set = [&](std::size_t i) { return (bits[i / 64] >> (i % 64) & 1) != 0; };
  for (std::size_t i = 0, first = 0; i < count; ++i) {
    if (!is_set(i))
      first = i + 1;
    else if (i + 1 == count || !is_set(i + 1))
      run(first, i + 1 - first);
  }
}

}  // namespace asof::vector
