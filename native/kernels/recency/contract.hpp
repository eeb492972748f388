// TempRALM's recency (equation 2) before standardization: inverse age in days.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"
#include "core/ticks.hpp"

//   tau = 1 / max(floor_days, (at_ms - published_ms) / 86400000)          in (0, 1 / floor_days]
//
// A row published after `at` counts as floor_days old; masking it is the caller's business. NaN
// where the row has no clock (NaN, the reserved tick); 0 for an infinite past. at_ms is finite,
// floor_days > 0.
//
// Accumulator: double, rounded once to float: |out - exact| <= (2^-24 + 2^-51) |exact| for results
// that are not denormal, the same bits at every level and for ticks and milliseconds.

namespace asof::recency {

struct Decay {
  double at_ms;
  double floor_days;
};

template <typename Instant>
using Rows = void (*)(const Instant* published, std::size_t n, const TickScale& scale,
                      const Decay& decay, float* out);

struct Kernels {
  Rows<double> milliseconds;  // scale is not read
  Rows<std::int32_t> ticks32;
  Rows<std::int64_t> ticks64;
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::recency
