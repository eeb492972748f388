// The model behind a StaticEncoderHandle.
#pragma once

#include <napi.h>

#include <memory>

#include "encoder/static_model.hpp"

namespace asof::boundary {

/// Throws ERR_INVALID_ARGUMENT if `value` is not a handle from openStaticEncoder.
std::shared_ptr<const StaticModel> static_model_of(const Napi::Value& value);

}  // namespace asof::boundary
