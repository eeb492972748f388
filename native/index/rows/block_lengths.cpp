// Measurement of blocks, once each.
#include "index/rows/block_lengths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/rows/block.hpp"

namespace asof {
namespace {

constexpr float unknown = -1;

double sum_of_squares(const float* values, std::size_t count) {
  double lanes[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t j = 0; j < 8; ++j)
      lanes[j] += static_cast<double>(values[i + j]) * static_cast<double>(values[i + j]);
  }
  double sum = 0;
  for (; i < count; ++i) sum += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  for (double lane : lanes) sum += lane;
  return sum;
}

/// The root, rounded up past every error of the sum; infinite where the sum is not finite.
float length_of(double squares) {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (!std::isfinite(squares)) return infinity;
  return std::nextafter(static_cast<float>(std::sqrt(squares) * (1 + 1e-9)), infinity);
}

}  // namespace

float max_norm(std::span<const quantized::PanelRecord> records) {
  float norm = 0;
  for (const quantized::PanelRecord& record : records)
    norm = std::max(norm, record.most_length + record.most_error);
  return norm;
}

BlockLengths::BlockLengths(std::size_t rows, std::size_t dimensions) : dimensions_(dimensions) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  for (Lengths* lengths : {&by_vectors_, &by_panels_}) {
    *lengths = std::make_unique<std::atomic<float>[]>(blocks);
    for (std::size_t block = 0; block < blocks; ++block)
      (*lengths)[block].store(unknown, std::memory_order_relaxed);
  }
}

std::optional<float> BlockLengths::longest(std::size_t number, const float* vectors,
                                           std::size_t count) {
  float longest = by_vectors_[number].load(std::memory_order_relaxed);
  if (longest < 0) {
    double squares = 0;
    for (std::size_t row = 0; row < count; ++row) {
      const double own = sum_of_squares(vectors + row * dimensions_, dimensions_);
      squares = own > squares || std::isnan(own) ? own : squares;
      if (std::isnan(own)) break;
    }
    longest = length_of(squares);
    by_vectors_[number].store(longest, std::memory_order_relaxed);
  }
  return std::isfinite(longest) ? std::optional(longest) : std::nullopt;
}

float BlockLengths::longest_by(std::size_t number,
                               std::span<const quantized::PanelRecord> records) {
  const float known = by_panels_[number].load(std::memory_order_relaxed);
  if (known >= 0) return known;
  const float longest = max_norm(records);
  by_panels_[number].store(longest, std::memory_order_relaxed);
  return longest;
}

}  // namespace asof
