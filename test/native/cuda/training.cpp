// Training of the time encoder on a device against the host's: the loss and the gradient of a batch
// within the bound that trainer.hpp states, for every kind of network and awkward sizes, and
// AdamW's step bit for bit. ASOF_CUDA_LIBRARY in the environment says which library is asked.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "../check.hpp"
#include "kernels/training/contract.hpp"
#include "library.hpp"
#include "training/on_device.hpp"
#include "training/order.hpp"

using namespace asof;
using namespace asof::training;

namespace {

constexpr double bound = 0x1p-18;  // of the greatest component: native/cuda/training/trainer.hpp

struct World {
  std::shared_ptr<Rows> rows = std::make_shared<Rows>();
  Dates dates;
  TimeExamples examples;
  TimeNetwork network;
  TimeLoss loss;
};

World world_of(TimeNetwork::Kind kind, std::size_t d, std::size_t width, std::size_t waves,
               std::size_t count, std::size_t examples) {
  World world;
  world.network = {kind, d, waves, width, 1990, 17};
  world.loss.temperature = 0.2;
  world.loss.hard = world.loss.time = 0.3;
  world.rows->dimensions = d;
  Random random(d + width);
  for (std::size_t i = 0; i < count * d; ++i) world.rows->values.push_back(random.unit() - 0.5f);
  for (std::size_t c = 0; c < d; ++c) world.rows->values[c] = 0;
  if (count > 2)
    std::fill_n(world.rows->values.begin() + static_cast<std::ptrdiff_t>(2 * d), d,
                0x1p-140f);  // denormal
  for (std::size_t i = 0; i < count; ++i) {
    world.dates.year.push_back(static_cast<std::int32_t>(1900 + random.below(140)));
    world.dates.month.push_back(static_cast<std::uint8_t>(1 + random.below(12)));
    world.dates.day.push_back(static_cast<std::uint8_t>(1 + random.below(31)));
    world.dates.day_of_year.push_back(static_cast<std::uint16_t>(1 + random.below(366)));
    world.dates.mask.push_back(i % 3 == 0 ? 15 : static_cast<std::uint8_t>(random.below(16)));
  }
  for (std::size_t i = 0; i < examples; ++i) {
    world.examples.question.push_back(static_cast<std::uint32_t>(random.below(count)));
    world.examples.positive.push_back(static_cast<std::uint32_t>(random.below(count)));
    world.examples.negative.push_back(
        random.below(3) == 0 ? no_negative : static_cast<std::uint32_t>(random.below(count)));
  }
  return world;
}

void within_bound(const std::vector<float>& host, const std::vector<float>& device) {
  double most = 0, worst = 0;
  for (const float value : host) most = std::max(most, std::abs(static_cast<double>(value)));
  for (std::size_t i = 0; i < host.size(); ++i)
    worst =
        std::max(worst, std::abs(static_cast<double>(host[i]) - static_cast<double>(device[i])));
  if (!(worst <= bound * most)) std::fprintf(stderr, "worst %g of %g\n", worst, most);
  CHECK(worst <= bound * most);
}

void compare(const cuda::test::Library& library, TimeNetwork::Kind kind, std::size_t d,
             std::size_t width, std::size_t waves, std::size_t count, std::size_t examples,
             std::size_t batch_size) {
  const World world = world_of(kind, d, width, waves, count, examples);
  const TimeEncoderObjective objective(world.rows, world.dates, world.network, world.examples,
                                       world.loss);
  std::vector<float> parameters(objective.parameters()), first(parameters.size()),
      second(parameters.size());
  objective.initialise(3, parameters);
  Random random(11);
  for (float& value : parameters) value += 0.05f * (random.unit() - 0.5f);
  const DeviceTraining given(*world.rows, world.dates, world.network, world.examples, world.loss);
  cuda::Failure failure;
  cuda::Trainer* trainer = nullptr;
  library.expect(library.table->create_trainer(library.device, &given.data(), &trainer, &failure),
                 failure);
  library.expect(library.table->write_state(trainer, parameters.data(), nullptr, nullptr, &failure),
                 failure);
  std::vector<float> host(parameters.size()), device(parameters.size()), there(parameters.size());
  for (std::uint64_t step = 0; step < 3; ++step) {
    std::vector<std::uint32_t> batch;
    for (std::size_t i = 0; i < batch_size; ++i)
      batch.push_back(static_cast<std::uint32_t>(random.below(examples)));
    if (batch.size() > 2) batch[2] = batch[0];  // an example twice: neither is the other's negative
    const double wanted = objective.gradient(parameters, batch, host);
    const AdamStep adam{0.01f, 0.9f, 0.999f, 1 / (1 - 0.9f), 1 / (1 - 0.999f), 1e-8f, 0.01f};
    const cuda::TrainStep how{batch.data(),
                              static_cast<std::uint32_t>(batch.size()),
                              1,
                              adam.rate,
                              adam.beta1,
                              adam.beta2,
                              adam.correction1,
                              adam.correction2,
                              adam.epsilon,
                              adam.decay};
    double loss = 0;
    library.expect(library.table->step(trainer, &how, &loss, device.data(), &failure), failure);
    CHECK(std::abs(loss - wanted) <= 1e-6 * (1 + std::abs(wanted)));
    within_bound(host, device);
    // The step has the host's bits for the same gradient; and from there both go on.
    kernels().adamw(adam, device.data(), device.size(),
                    {parameters.data(), first.data(), second.data()});
    library.expect(library.table->read_state(trainer, there.data(), nullptr, nullptr, &failure),
                   failure);
    CHECK(std::memcmp(there.data(), parameters.data(), parameters.size() * sizeof(float)) == 0);
  }
  library.table->destroy_trainer(trainer);
}

void a_loss_that_is_no_number_moves_nothing(const cuda::test::Library& library) {
  const World world = world_of(TimeNetwork::Kind::film, 8, 4, 3, 10, 6);
  const DeviceTraining given(*world.rows, world.dates, world.network, world.examples, world.loss);
  std::vector<float> parameters(given.data().layout.total, std::nanf("")), there(parameters.size());
  parameters[0] = 5;
  cuda::Failure failure;
  cuda::Trainer* trainer = nullptr;
  library.expect(library.table->create_trainer(library.device, &given.data(), &trainer, &failure),
                 failure);
  library.expect(library.table->write_state(trainer, parameters.data(), nullptr, nullptr, &failure),
                 failure);
  const std::uint32_t batch[] = {0, 1, 2, 3};
  const cuda::TrainStep how{batch, 4, 1, 0.1f, 0.9f, 0.999f, 10, 1000, 1e-8f, 0};
  double loss = 0;
  library.expect(library.table->step(trainer, &how, &loss, nullptr, &failure), failure);
  CHECK(!std::isfinite(loss));
  library.expect(library.table->read_state(trainer, there.data(), nullptr, nullptr, &failure),
                 failure);
  CHECK(std::memcmp(there.data(), parameters.data(), parameters.size() * sizeof(float)) == 0);
  const std::uint32_t beyond[] = {6};
  const cuda::TrainStep wrong{beyond, 1};
  CHECK(!library.table->step(trainer, &wrong, &loss, nullptr, &failure) &&
        failure.cause == cuda::Cause::argument);
  library.table->destroy_trainer(trainer);
}

}  // namespace

int main() {
  {
    const cuda::test::Library library(0);
    using Kind = TimeNetwork::Kind;
    compare(library, Kind::film, 37, 19, 7, 60, 50, 24);
    compare(library, Kind::film, 1, 1, 1, 5, 4, 1);
    compare(library, Kind::film, 130, 33, 16, 100, 80, 40);
    compare(library, Kind::concatenated, 33, 9, 5, 50, 40, 13);
    compare(library, Kind::direct, 20, 6, 0, 50, 40, 17);
    compare(library, Kind::absolute, 45, 12, 0, 50, 40, 9);
    a_loss_that_is_no_number_moves_nothing(library);
  }
  cuda::test::nothing_is_left();
  return 0;
}
