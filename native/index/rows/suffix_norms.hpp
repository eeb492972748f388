// Suffix norms: lengths of rows' vectors behind their first components, which bound the rest of an
// inner product (Cauchy-Schwarz). A block is measured when it is first read in full; nothing is
// stored in files.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "kernels/quantized/contract.hpp"

namespace asof {

/// Upper bound of the lengths of the panels' rows.
float max_norm(std::span<const quantized::PanelRecord> records);

class SuffixNorms {
 public:
  SuffixNorms(std::size_t rows, std::size_t dimensions);

  static constexpr std::size_t splits = 3;

  /// Components before each split: about an eighth, a quarter and half of d.
  const std::array<std::size_t, splits>& before() const { return before_; }

  /// Of one block of block_rows: lengths, rounded up.
  struct Block {
    std::array<const float*, splits> after;  // one a row
    float longest;                           // of the whole vectors
  };

  /// None before the block is measured, and for vectors that are not finite.
  std::optional<Block> block(std::size_t number) const;

  /// Upper bound of the lengths of the block's vectors by the records of its panels, which are read
  /// at the first call.
  float longest_by(std::size_t number, std::span<const quantized::PanelRecord> records);

  /// Measures a block; of concurrent calls, the first does. `vectors` are all its rows.
  void measure(std::size_t number, const float* vectors, std::size_t count);

 private:
  enum State : std::uint8_t { unknown, computing, known, unusable };
  std::size_t dimensions_;
  std::array<std::size_t, splits> before_;
  std::unique_ptr<std::atomic<std::uint8_t>[]> state_;  // one a block
  std::unique_ptr<float[]> longest_;                    // one a block
  std::unique_ptr<std::atomic<float>[]> by_panels_;     // one a block; below 0 until it is known
  std::array<std::unique_ptr<float[]>, splits>
      after_;  // one a row; pages are allocated when blocks are written
};

}  // namespace asof
