// A time encoder's training as the CUDA library takes it (native/device/interface.hpp): the rows,
// dates and examples of an objective, and the features that no parameter makes, which are borrowed
// while the library copies them; and who makes a run's steps there.
#pragma once

#include <vector>

#include "device/interface.hpp"
#include "training/time_encoder.hpp"

namespace asof::training {

class DeviceTraining {
 public:
  /// Everything given stays as long as this does.
  DeviceTraining(const Rows& rows, const Dates& dates, const TimeNetwork& network,
                 const TimeExamples& examples, const TimeLoss& loss);

  const cuda::TrainerData& data() const { return data_; }

 private:
  std::vector<float> fixed_;
  cuda::TrainerData data_;
};

/// A stepper on the device of that number, opened where it is not; for a TimeEncoderObjective.
/// Throws ERR_DEVICE_UNAVAILABLE with the reason.
std::unique_ptr<Stepper> stepper_on_device(std::uint32_t ordinal,
                                           const TimeEncoderObjective& objective);

}  // namespace asof::training
