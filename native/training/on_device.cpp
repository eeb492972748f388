// Training of a time encoder on a CUDA device.
#include "training/on_device.hpp"

#include <algorithm>

#include "device/cache.hpp"
#include "kernels/inner_product/summing.hpp"
#include "kernels/training/contract.hpp"

namespace asof::training {
namespace {

/// The fixed features of all dates, as in time_rows.cpp.
std::vector<float> fixed_features(const TimeNetwork& network, const Dates& dates) {
  if (network.learns_features()) return {};
  constexpr std::uint8_t bits[] = {calendar::has_year, calendar::has_month, calendar::has_day,
                                   calendar::has_day_of_year};
  const std::size_t across = network.features();
  const calendar::Parts all = dates.parts();
  std::vector<float> fixed(dates.count() * across);
  std::vector<double> row(across);
  for (std::size_t i = 0; i < dates.count(); ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    const double values[] = {static_cast<double>(all.year[i]), static_cast<double>(all.month[i]),
                             static_cast<double>(all.day[i]),
                             static_cast<double>(all.day_of_year[i])};
    if (network.kind == TimeNetwork::Kind::absolute) absolute_features(all, i, row);
    for (std::size_t k = 0; network.kind == TimeNetwork::Kind::direct && k < 4; ++k) {
      if ((known_parts(all, i) & bits[k]) != 0)
        time_part(network, nullptr, k, values[k], std::span(row).subspan(2 * k, 2));
    }
    std::transform(row.begin(), row.end(), fixed.begin() + static_cast<std::ptrdiff_t>(i * across),
                   [](double value) { return static_cast<float>(value); });
  }
  return fixed;
}

}  // namespace

DeviceTraining::DeviceTraining(const Rows& rows, const Dates& dates, const TimeNetwork& network,
                               const TimeExamples& examples, const TimeLoss& loss)
    : fixed_(fixed_features(network, dates)) {
  data_.network = network;
  data_.layout = layout_of(network);
  data_.rows = rows.count();
  data_.examples = examples.question.size();
  data_.vectors = rows.values.data();
  data_.dates = dates.parts();
  data_.tables = &calendar::feature_tables();
  data_.fixed = fixed_.empty() ? nullptr : fixed_.data();
  data_.question = examples.question.data();
  data_.positive = examples.positive.data();
  data_.negative = examples.negative.data();
  data_.temperature = loss.temperature;
  data_.margin = loss.margin;
  data_.hard = loss.hard;
  data_.time = loss.time;
  data_.summing = inner_product::summing_of(isa());
}

namespace {

class DeviceStepper : public Stepper {
 public:
  DeviceStepper(DeviceCache& device, const cuda::TrainerData& data) : device_(device) {
    cuda::Failure failure;
    if (!library().create_trainer(device.handle().device, &data, &trainer_, &failure))
      throw_device_error(failure);
  }
  /// Asynchronous, so that destruction does not block on the device.
  ~DeviceStepper() override {
    device_.release_async(std::shared_ptr<cuda::Trainer>(trainer_, library().destroy_trainer));
  }
  DeviceStepper(const DeviceStepper&) = delete;

  void write(const State& state) override {
    cuda::Failure failure;
    if (!library().write_state(trainer_, state.parameters.data(), state.first.data(),
                               state.second.data(), &failure))
      throw_device_error(failure);
  }
  void read(State& state) const override {
    cuda::Failure failure;
    if (!library().read_state(trainer_, state.parameters.data(), state.first.data(),
                              state.second.data(), &failure))
      throw_device_error(failure);
  }
  double step(const AdamStep& how, std::span<const std::uint32_t> batch) override {
    const cuda::TrainStep step{batch.data(),
                               static_cast<std::uint32_t>(batch.size()),
                               1,
                               how.rate,
                               how.beta1,
                               how.beta2,
                               how.correction1,
                               how.correction2,
                               how.epsilon,
                               how.decay};
    cuda::Failure failure;
    double loss = 0;
    if (!library().step(trainer_, &step, &loss, nullptr, &failure)) throw_device_error(failure);
    return loss;
  }

 private:
  const cuda::Interface& library() const { return *device_.handle().library; }
  DeviceCache& device_;
  cuda::Trainer* trainer_ = nullptr;
};

}  // namespace

std::unique_ptr<Stepper> stepper_on_device(std::uint32_t ordinal,
                                           const TimeEncoderObjective& objective) {
  DeviceCache& device = device_cache(ordinal);
  const DeviceTraining training(objective.rows(), objective.dates(), objective.network(),
                                objective.time_examples(), objective.time_loss());
  return std::make_unique<DeviceStepper>(device, training.data());
}

}  // namespace asof::training
