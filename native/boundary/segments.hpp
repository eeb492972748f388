// The JavaScript class Segment, for the files of boundary/ that search segments.
#pragma once

#include <napi.h>

#include <memory>

#include "index/segment.hpp"

namespace asof::boundary {

/// The segment behind a JavaScript Segment. Throws ERR_INVALID_ARGUMENT for anything else and ERR_CLOSED after close().
/// A task that keeps the pointer keeps the mapping, whatever the JavaScript handle does meanwhile.
std::shared_ptr<const Segment> segment_of(const Napi::Value& value);

}  // namespace asof::boundary
