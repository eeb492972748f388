// Training run: AdamW over an objective's batches with linear warm-up and decay. It can be
// checkpointed between steps and resumed with the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "core/cancel.hpp"
#include "training/objective.hpp"
#include "training/order.hpp"

namespace asof::training {

struct Settings {
  std::uint64_t seed = 1;
  /// Groups of examples that are interleaved, as Order says; together at most the objective's
  /// examples.
  std::vector<std::uint32_t> groups;
  std::size_t batch = 64;
  /// All steps of the run: what the decay is laid over.
  std::uint64_t steps = 0;
  std::uint64_t warmup = 0;
  double rate = 1e-3;
  double decay = 0.01;
};

/// The rate of step `step` from 0: up in a line over the first `warmup` steps, then down in a line
/// to zero after the last.
double rate_of(const Settings& settings, std::uint64_t step);

class Run {
 public:
  /// `elsewhere` makes who steps, for the objective, when the first steps are asked for; none: the
  /// run does.
  Run(std::unique_ptr<const Objective> objective, Settings settings,
      std::function<std::unique_ptr<Stepper>(const Objective&)> elsewhere = {});
  const Objective& objective() const { return *objective_; }
  const Settings& settings() const { return settings_; }
  const State& state() const { return state_; }
  /// Refuses (ERR_INVALID_ARGUMENT) a state of other sizes, or of a step that the run does not
  /// have.
  void restore(State state);
  /// Up to `steps` further steps; gives the mean of their losses (0 where none was left). Looks at
  /// the cancellation between steps: ERR_ABORTED leaves the state of the last whole one.
  /// ERR_INVALID_ARGUMENT where the loss is no longer a number. Where who steps elsewhere fails,
  /// the state is that from before, and further steps begin with another.
  double advance(std::uint64_t steps, const Cancel& cancel);
  /// Lets go who steps in its place, until further steps are asked for.
  void rest() { stepper_.reset(); }

 private:
  double step(const AdamStep& how);

  std::unique_ptr<const Objective> objective_;
  Settings settings_;
  std::function<std::unique_ptr<Stepper>(const Objective&)> elsewhere_;
  std::unique_ptr<Stepper> stepper_;
  Order order_;
  State state_;
  std::vector<float> gradient_;
  std::vector<std::uint32_t> batch_;
};

}  // namespace asof::training
