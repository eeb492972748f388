// The time encoder behind a TimeEncoderHandle.
#pragma once

#include <napi.h>

#include <memory>

#include "encoder/time_encoder.hpp"

namespace asof::boundary {

/// What openTimeEncoder gave. Throws ERR_INVALID_ARGUMENT for anything else.
std::shared_ptr<const TimeEncoder> time_encoder_of(const Napi::Value& value);

}  // namespace asof::boundary
