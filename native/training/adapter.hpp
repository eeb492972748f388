// Low-rank adapter over frozen vectors, trained with a triplet margin loss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "training/objective.hpp"

//   y = x + B A x, A of r x d, B of d x r;   u = y / |y|       a zero vector stays zero
//   loss = max(0, margin - (u_q . u_p - u_q . u_n))            MarginRankingLoss over cosines
//
// One set of A and B serves both sides, or questions and passages have one each. Parameters are A
// (r x d, row-major), then B transposed (r x d), set after set, the question's first. A starts as
// uniform numbers of variance 1/d and B as zeros: an untrained adapter is the identity.

namespace asof::training {

/// A x B of one side, borrowed.
struct Adapter {
  const float* a;
  const float* b_transposed;
  std::size_t dimensions;
  std::size_t rank;
};

/// out = the n rows adapted and normalized to length one (zeros stay; a row that is not finite is
/// copied). Tiles of rows on the pool's threads; a row's bits do not depend on other rows.
void adapt(const Adapter& adapter, std::span<const float> rows, std::span<float> out,
           const Cancel& cancel);

/// Rows that triplets refer to by number.
struct Rows {
  std::size_t dimensions = 0;
  std::vector<float> values;
  std::size_t count() const { return dimensions == 0 ? 0 : values.size() / dimensions; }
};

/// Columns of equal length; numbers of rows, and the margin of each.
struct Triplets {
  std::vector<std::uint32_t> question, positive, negative;
  std::vector<float> margin;
};

class AdapterObjective : public Objective {
 public:
  /// Throws ERR_INVALID_ARGUMENT for row numbers out of range and margins that are not finite.
  AdapterObjective(std::shared_ptr<const Rows> rows, Triplets triplets, std::size_t rank,
                   bool shared);
  std::size_t parameters() const override {
    return 2 * rank_ * rows_->dimensions * (shared_ ? 1 : 2);
  }
  std::size_t examples() const override { return triplets_.margin.size(); }
  void initialise(std::uint64_t seed, std::span<float> parameters) const override;
  double gradient(std::span<const float> parameters, std::span<const std::uint32_t> batch,
                  std::span<float> gradient) const override;

 private:
  struct Scratch;
  double tile(std::span<const float> parameters, std::span<const std::uint32_t> batch, float weight,
              Scratch& scratch, float* gradient) const;
  std::shared_ptr<const Rows> rows_;
  Triplets triplets_;
  std::size_t rank_;
  bool shared_;
};

}  // namespace asof::training
