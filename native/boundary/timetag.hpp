// The tagger's result as JavaScript receives it.
#pragma once

#include <napi.h>

#include <cstdint>
#include <vector>

#include "timetag/tagger.hpp"

namespace asof::boundary {

struct Tagged {
  std::vector<std::uint32_t> counts;  // mentions of each text
  std::vector<timetag::Mode> modes;   // of each text
  timetag::Tags tags;
};

/// TaggedTimes of binding.d.ts.
Napi::Value value_of(Napi::Env env, const Tagged& tagged);

}  // namespace asof::boundary
