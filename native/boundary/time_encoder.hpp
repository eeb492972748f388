// The time encoder behind a TimeEncoderHandle.
#pragma once

#include <napi.h>

#include <memory>

#include "encoder/time_encoder.hpp"

namespace asof::boundary {

/// Throws ERR_INVALID_ARGUMENT if `value` is not a handle from openTimeEncoder.
std::shared_ptr<const TimeEncoder> time_encoder_of(const Napi::Value& value);

}  // namespace asof::boundary
