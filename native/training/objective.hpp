// Interface between the training loop (order, optimizer, schedule, checkpoints) and a model with
// its loss and examples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace asof::training {

class Objective {
 public:
  virtual ~Objective() = default;
  virtual std::size_t parameters() const = 0;
  virtual std::size_t examples() const = 0;
  /// Initial parameters, by seed; the same on every machine.
  virtual void initialise(std::uint64_t seed, std::span<float> parameters) const = 0;
  /// The mean loss of a batch of examples (numbers below examples()) and its gradient. The bits
  /// depend on the batch, its order and the level in use, never on the number of threads.
  virtual double gradient(std::span<const float> parameters, std::span<const std::uint32_t> batch,
                          std::span<float> gradient) const = 0;
};

struct AdamStep;  // kernels/training/contract.hpp

/// State of a run: equal states and options continue equally.
struct State {
  std::uint64_t step = 0;
  std::vector<float> parameters, first, second;
};

/// Training steps in place of the runner's, by a device with its own copy of parameters and
/// moments. Sums are in another order than the runner's. Any call may throw.
class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual void write(const State& state) = 0;
  /// Parameters and moments.
  virtual void read(State& state) const = 0;
  /// The batch's mean loss. Parameters are unchanged if it is not finite.
  virtual double step(const AdamStep& how, std::span<const std::uint32_t> batch) = 0;
};

}  // namespace asof::training
