// What a training run minimises: the seam between the runner (order, optimiser, schedule, checkpoints) and a model with its
// loss and its examples. An objective holds its examples and no parameters; the runner knows neither.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace asof::training {

class Objective {
 public:
  virtual ~Objective() = default;
  virtual std::size_t parameters() const = 0;
  virtual std::size_t examples() const = 0;
  /// Where training starts, by seed; the same on every machine.
  virtual void initialise(std::uint64_t seed, std::span<float> parameters) const = 0;
  /// The mean loss of a batch of examples (numbers below examples()) and its gradient. The bits depend on the batch, its
  /// order and the level in use, never on the number of threads.
  virtual double gradient(std::span<const float> parameters, std::span<const std::uint32_t> batch, std::span<float> gradient) const = 0;
};

}  // namespace asof::training
