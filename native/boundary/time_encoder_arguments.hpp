// Arguments of the time encoder: its shape, and date columns.
#pragma once

#include <napi.h>

#include <optional>

#include "encoder/time_network.hpp"

namespace asof::boundary {

/// { kind, dimensions, waves, width, meanYear, deviationYear }, checked.
TimeNetwork time_network(const Napi::Value& value);

/// { year, month, day, dayOfYear, mask }, copied and checked; of `count` dates if given.
Dates dates_of(const Napi::Value& value, std::optional<std::size_t> count = std::nullopt);

}  // namespace asof::boundary
