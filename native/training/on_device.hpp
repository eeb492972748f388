// A time encoder's training as the CUDA library takes it (native/cuda/interface.hpp): the rows, dates and examples of an objective, and the features that
// no parameter makes. Plain data that is borrowed while the library copies it; it opens no device and makes no step.
#pragma once

#include <vector>

#include "cuda/interface.hpp"
#include "training/time_encoder.hpp"

namespace asof::training {

class DeviceTraining {
 public:
  /// Everything given stays as long as this does.
  DeviceTraining(const Rows& rows, const Dates& dates, const TimeNetwork& network, const TimeExamples& examples, const TimeLoss& loss);

  const cuda::TrainerData& data() const { return data_; }

 private:
  std::vector<float> fixed_;
  cuda::TrainerData data_;
};

}  // namespace asof::training
