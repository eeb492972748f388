// Measurement of suffix norms, once per block.
#include "index/rows/suffix_norms.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "index/rows/block.hpp"

namespace asof {
namespace {

/// Whole lanes of every kernel where there are many components.
std::array<std::size_t, SuffixNorms::splits> splits_of(std::size_t dimensions) {
  std::array<std::size_t, SuffixNorms::splits> before;
  const std::size_t eighth = std::max<std::size_t>(16, dimensions / 8 / 16 * 16);
  for (std::size_t split = 0; split < before.size(); ++split) {
    const std::size_t parts = std::size_t{8} >> split;
    before[split] = dimensions < 64 ? (dimensions + parts - 1) / parts : eighth << split;
  }
  return before;
}

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

/// The root, rounded up past every error of the sum.
float length_of(double squares) {
  return std::nextafter(static_cast<float>(std::sqrt(squares) * (1 + 1e-9)),
                        std::numeric_limits<float>::infinity());
}

}  // namespace

float max_norm(std::span<const quantized::PanelRecord> records) {
  float norm = 0;
  for (const quantized::PanelRecord& record : records)
    norm = std::max(norm, record.most_length + record.most_error);
  return norm;
}

SuffixNorms::SuffixNorms(std::size_t rows, std::size_t dimensions)
    : dimensions_(dimensions), before_(splits_of(dimensions)) {
  const std::size_t blocks = (rows + block_rows - 1) / block_rows;
  state_ = std::make_unique<std::atomic<std::uint8_t>[]>(blocks);
  longest_ = std::make_unique_for_overwrite<float[]>(blocks);
  by_panels_ = std::make_unique<std::atomic<float>[]>(blocks);
  for (std::size_t block = 0; block < blocks; ++block)
    by_panels_[block].store(-1, std::memory_order_relaxed);
  for (auto& lengths : after_) lengths = std::make_unique_for_overwrite<float[]>(rows);
}

std::optional<SuffixNorms::Block> SuffixNorms::block(std::size_t number) const {
  if (state_[number].load(std::memory_order_acquire) != known) return std::nullopt;
  Block block;
  for (std::size_t split = 0; split < splits; ++split)
    block.after[split] = &after_[split][number * block_rows];
  block.longest = longest_[number];
  return block;
}

float SuffixNorms::longest_by(std::size_t number, std::span<const quantized::PanelRecord> records) {
  const float known = by_panels_[number].load(std::memory_order_relaxed);
  if (known >= 0) return known;
  const float longest = max_norm(records);
  by_panels_[number].store(longest,
                           std::memory_order_relaxed);  // concurrent calls store the same
  return longest;
}

void SuffixNorms::measure(std::size_t number, const float* vectors, std::size_t count) {
  std::uint8_t expected = unknown;
  if (!state_[number].compare_exchange_strong(expected, computing, std::memory_order_acq_rel))
    return;
  const std::size_t begin = number * block_rows;
  float longest = 0;
  bool finite = true;
  for (std::size_t i = 0; i < count; ++i, vectors += dimensions_) {
    double squares = 0;
    std::size_t end = dimensions_;
    for (std::size_t split = splits; split-- > 0; end = before_[split]) {
      squares += sum_of_squares(vectors + before_[split], end - before_[split]);
      after_[split][begin + i] = length_of(squares);
    }
    const float whole = length_of(squares + sum_of_squares(vectors, end));
    finite = finite && std::isfinite(whole);
    longest = std::max(longest, whole);
  }
  longest_[number] = longest;
  state_[number].store(finite ? known : unusable, std::memory_order_release);
}

}  // namespace asof
