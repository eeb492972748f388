// Lengths of the longest vectors of blocks, which bound inner products and the rounding of their
// sums. Measured when a block is first read; nothing is stored in files.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "kernels/quantized/contract.hpp"

namespace asof {

/// Upper bound of the lengths of the panels' rows.
float max_norm(std::span<const quantized::PanelRecord> records);

/// One value a block of block_rows; concurrent calls measure the same.
class BlockLengths {
 public:
  BlockLengths(std::size_t rows, std::size_t dimensions);

  /// Upper bound of the lengths of the block's vectors, of which `vectors` are all; none where one
  /// is not finite.
  std::optional<float> longest(std::size_t number, const float* vectors, std::size_t count);

  /// The same by the records of the block's panels, which are read at the first call.
  float longest_by(std::size_t number, std::span<const quantized::PanelRecord> records);

 private:
  using Lengths = std::unique_ptr<std::atomic<float>[]>;  // one a block; below 0 until it is known

  std::size_t dimensions_;
  Lengths by_vectors_, by_panels_;
};

}  // namespace asof
