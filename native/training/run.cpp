// Training loop and learning-rate schedule.
#include "training/run.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/error.hpp"
#include "kernels/training/contract.hpp"

namespace asof::training {
namespace {

constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;

// By squaring, so that the bits do not depend on a mathematics library.
double power(double base, std::uint64_t exponent) {
  double result = 1;
  for (; exponent > 0; exponent >>= 1, base *= base) {
    if (exponent & 1) result *= base;
  }
  return result;
}

}  // namespace

double rate_of(const Settings& settings, std::uint64_t step) {
  if (step < settings.warmup)
    return settings.rate * static_cast<double>(step + 1) / static_cast<double>(settings.warmup);
  if (step >= settings.steps) return 0;
  return settings.rate * static_cast<double>(settings.steps - step) /
         static_cast<double>(settings.steps - std::min(settings.warmup, settings.steps));
}

Run::Run(std::unique_ptr<const Objective> objective, Settings settings,
         std::function<std::unique_ptr<Stepper>(const Objective&)> elsewhere)
    : objective_(std::move(objective)),
      settings_(std::move(settings)),
      elsewhere_(std::move(elsewhere)),
      order_(settings_.seed, settings_.groups, settings_.batch) {
  std::size_t count = objective_->parameters();
  state_.parameters.resize(count);
  state_.first.resize(count);
  state_.second.resize(count);
  gradient_.resize(count);
  batch_.resize(settings_.batch);
  objective_->initialise(settings_.seed, state_.parameters);
}

void Run::restore(State state) {
  std::size_t count = objective_->parameters();
  if (state.parameters.size() != count || state.first.size() != count ||
      state.second.size() != count) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected a state of " + std::to_string(count) +
                    " parameters and two moments of each, received one of " +
                    std::to_string(state.parameters.size()) +
                    ". Go on with the settings that the state was made with.");
  }
  if (state.step > settings_.steps) {
    throw Error("ERR_INVALID_ARGUMENT",
                "Expected a state of one of the run's " + std::to_string(settings_.steps) +
                    " steps, received one of step " + std::to_string(state.step) +
                    ". Go on with the settings that the state was made with.");
  }
  state_ = std::move(state);
}

/// The batch's loss; steps if it is finite.
double Run::step(const AdamStep& how) {
  if (stepper_) return stepper_->step(how, batch_);
  const double loss = objective_->gradient(state_.parameters, batch_, gradient_);
  if (std::isfinite(loss)) {
    training::kernels().adamw(
        how, gradient_.data(), gradient_.size(),
        {state_.parameters.data(), state_.first.data(), state_.second.data()});
  }
  return loss;
}

double Run::advance(std::uint64_t steps, const Cancel& cancel) {
  const std::uint64_t first = state_.step, end = first + std::min(steps, settings_.steps - first);
  if (elsewhere_ && !stepper_) stepper_ = elsewhere_(*objective_);
  bool whole = !stepper_;  // parameters and moments are those of the state's step
  // The stepper's state is read back however the steps end.
  const auto back = [&] {
    if (!stepper_) return;
    State reached = state_;
    stepper_->read(reached);
    state_ = std::move(reached);
    whole = true;
  };
  double total = 0;
  try {
    if (stepper_) stepper_->write(state_);
    while (state_.step < end) {
      if (cancel.requested()) back();
      cancel.throw_if_requested();
      order_.batch(state_.step, batch_);
      const std::uint64_t t = state_.step + 1;
      const AdamStep how{static_cast<float>(rate_of(settings_, state_.step)),
                         static_cast<float>(beta1),
                         static_cast<float>(beta2),
                         static_cast<float>(1 / (1 - power(beta1, t))),
                         static_cast<float>(1 / (1 - power(beta2, t))),
                         static_cast<float>(epsilon),
                         static_cast<float>(settings_.decay)};
      const double loss = step(how);
      if (!std::isfinite(loss)) {
        back();
        throw Error("ERR_INVALID_ARGUMENT",
                    "Expected a loss that is a number at step " + std::to_string(state_.step) +
                        ", received none: training ran away. Start again with a lower rate.");
      }
      total += loss;
      state_.step = t;
    }
    back();
  } catch (...) {
    if (!whole) {
      state_.step = first;
      stepper_.reset();
    }
    throw;
  }
  return end > first ? total / static_cast<double>(end - first) : 0;
}

}  // namespace asof::training
