// Upper bounds of decays of rows: the functions of Elasticsearch's function_score and of Milvus's
// decay ranker at decay = 0.5, whose scale is then the half-life.
#pragma once

#include "core/isa.hpp"
#include "core/ticks.hpp"
#include "kernels/spline/contract.hpp"
#include "temporal/forms.hpp"

// The distance of a row is that of the nearest of its intervals from `at`, 0 within one. With
//   u = max(0, distance - offset) / half_life
// the value is the kind's at u half-lives (temporal/forms.hpp), and not below the floor; `outside`
// for a row without an interval. Rows and offsets are those of the spline.
//
// Choices. s = e is the instant s; starts == ends is allowed, and quicker. An end is absent where
// its start is; no interval is backward. Open ends are infinitely far, but those of 64-bit ticks
// and of instants may count as any distance that is not beyond, or as absent.
//
// Tolerance: value <= out <= value (1 + 2^-20 + 2^-22 x) + 2^-49 where the value is 2^-x, and
// out >= 2^-100, by which scales of vectors can be multiplied without loss. `at` is finite; where
// it is no whole number below 2^53, a distance may count as 16 ms less. Bits may differ between
// levels.

namespace asof::decay {

/// Writes out[0..n) by a form that is a decay.
template <typename Tick>
using Rows = void (*)(const spline::Intervals<Tick>& intervals, const TickScale& scale,
                      const temporal::Form& form, float* out);

struct Kernels {
  Rows<std::int32_t> ticks32;
  Rows<std::int64_t> ticks64;
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::decay
