// Training of a time encoder on a CUDA device (device/interface.hpp): views of an objective's rows,
// dates and examples, borrowed while the library copies them.
#pragma once

#include <vector>

#include "device/interface.hpp"
#include "training/time_encoder.hpp"

namespace asof::training {

class DeviceTraining {
 public:
  /// The arguments must outlive this.
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
