// Re3's training objective (section 3.3, equations 10 to 13) for a time encoder over frozen
// vectors: questions, their passages, and passages about the same at another time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "encoder/time_network.hpp"
#include "training/adapter.hpp"
#include "training/objective.hpp"

// With u the fused rows of a batch of B examples and s_ij = u_q(i) . u_p(j):
//
//   nce    (CE over rows + CE over columns of s / temperature) / 2, the diagonal as positives (10)
//   hard   mean over i of max(0, margin + max over j != i of s_ij - s_ii)                     (11)
//   time   mean over i of max(0, margin + u_q(i) . u_n(i) - s_ii), 0 where i has no negative  (12)
//   loss   nce + lambda_hard hard + lambda_time time                                          (13)
//
// The paper leaves open how a batch treats two examples of one question or one passage: neither is
// the other's negative. Its margins compare inner products, not divided by the temperature, which
// is fixed: the fusion itself can scale the effect of time.
//
// Gamma and beta are initially zero, so that an untrained time encoder changes nothing; the year's
// waves have periods of 2.5 to 250 years.

namespace asof::training {

inline constexpr std::uint32_t no_negative = 0xffffffff;

/// Columns of equal length: numbers of rows; `negative` may be no_negative.
struct TimeExamples {
  std::vector<std::uint32_t> question, positive, negative;
};

struct TimeLoss {
  double temperature = 0.1;
  double margin = 0.2;
  double hard = 0.1;
  double time = 0.1;
};

class TimeEncoderObjective : public Objective {
 public:
  /// `dates` has one per row. Throws ERR_INVALID_ARGUMENT for columns of different lengths and row
  /// numbers out of range.
  TimeEncoderObjective(std::shared_ptr<const Rows> rows, Dates dates, const TimeNetwork& network,
                       TimeExamples examples, const TimeLoss& loss);
  std::size_t parameters() const override { return layout_.total; }
  std::size_t examples() const override { return examples_.question.size(); }
  void initialise(std::uint64_t seed, std::span<float> parameters) const override;
  double gradient(std::span<const float> parameters, std::span<const std::uint32_t> examples,
                  std::span<float> gradient) const override;

  // The constructor's arguments.
  const Rows& rows() const { return *rows_; }
  const Dates& dates() const { return dates_; }
  const TimeNetwork& network() const { return network_; }
  const TimeExamples& time_examples() const { return examples_; }
  const TimeLoss& time_loss() const { return loss_; }

 private:
  struct Batch;
  double loss(Batch& batch) const;
  double contrast(Batch& batch) const;
  double margins(Batch& batch) const;
  void pull(Batch& batch) const;

  std::shared_ptr<const Rows> rows_;
  Dates dates_;
  TimeNetwork network_;
  TimeLayout layout_;
  TimeExamples examples_;
  TimeLoss loss_;
};

}  // namespace asof::training
