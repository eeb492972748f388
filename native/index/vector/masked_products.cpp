// See masked_products.hpp.
#include "index/vector/masked_products.hpp"

#include <bit>

namespace asof::vector {
namespace {

/// Asks for the components [from, to) of the rows in one word of bits: most are not side by side,
/// and memory is far.
void prefetch(const BlockBits& bits, std::size_t word, const float* vectors, std::size_t d,
              std::size_t from, std::size_t to) {
  constexpr std::size_t line = 16;  // floats
  if (word >= block_words) return;
  for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
    const float* row = vectors + (word * 64 + static_cast<std::size_t>(std::countr_zero(left))) * d;
    for (std::size_t c = from; c < to; c += line) __builtin_prefetch(row + c);
  }
}

}  // namespace

void multiply_rows(const inner_product::Kernels& kernels, const float* query, const float* vectors,
                   std::size_t d, std::size_t from, std::size_t to, const BlockBits& bits,
                   float* out) {
  prefetch(bits, 0, vectors, d, from, to);
  for (std::size_t word = 0; word < block_words; ++word) {
    prefetch(bits, word + 1, vectors, d, from, to);
    for (std::uint64_t left = bits[word]; left != 0;) {
      const int first = std::countr_zero(left), length = std::countr_one(left >> first);
      const std::size_t row = word * 64 + static_cast<std::size_t>(first);
      kernels.block(query + from, 1, d, vectors + row * d + from, static_cast<std::size_t>(length),
                    d, to - from, out + row, schema::block_rows);
      left &= first + length == 64 ? 0 : ~std::uint64_t{0} << (first + length);
    }
  }
}

void multiply_block(const inner_product::Kernels& kernels, const float* queries, std::size_t nq,
                    const float* vectors, std::size_t count, std::size_t d, const BlockBits& seen,
                    float* out) {
  auto run = [&](std::size_t first, std::size_t length) {
    kernels.block(queries, nq, d, vectors + first * d, length, d, d, out + first,
                  schema::block_rows);
  };
  const std::size_t some = count_of(seen);
  if (some == 0) return;
  if (2 * some > count) return run(0, count);
  auto is_seen = [&](std::size_t i) { return (seen[i / 64] >> (i % 64) & 1) != 0; };
  for (std::size_t i = 0, first = 0; i < count; ++i) {
    if (!is_seen(i))
      first = i + 1;
    else if (i + 1 == count || !is_seen(i + 1))
      run(first, i + 1 - first);
  }
}

}  // namespace asof::vector
