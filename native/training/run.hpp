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
  /// All steps of the run, over which the rate decays.
  std::uint64_t steps = 0;
  std::uint64_t warmup = 0;
  double rate = 1e-3;
  double decay = 0.01;
};

/// The rate of step `step` from 0: linear increase over the first `warmup` steps, then linear decay
/// to zero after the last.
double rate_of(const Settings& settings, std::uint64_t step);

class Run {
 public:
  /// `elsewhere` creates the objective's stepper at the first steps; without it the run itself
  /// steps.
  Run(std::unique_ptr<const Objective> objective, Settings settings,
      std::function<std::unique_ptr<Stepper>(const Objective&)> elsewhere = {});
  const Objective& objective() const { return *objective_; }
  const Settings& settings() const { return settings_; }
  const State& state() const { return state_; }
  /// Throws ERR_INVALID_ARGUMENT for a state of other sizes, or of a step outside the run.
  void restore(State state);
  /// Up to `steps` further steps; returns the mean of their losses (0 if none was left). Polls the
  /// cancellation between steps: ERR_ABORTED leaves the state of the last complete one. Throws
  /// ERR_INVALID_ARGUMENT if the loss is not finite. If the stepper fails, the state is the one
  /// before the call, and further steps create another stepper.
  double advance(std::uint64_t steps, const Cancel& cancel);
  /// Destroys the stepper; further steps create another.
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
