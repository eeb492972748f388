// Mergeable moments, and the map from one mean and deviation to another (TempRALM, equations 3 and
// 4).
#pragma once

#include <cstddef>

#include "core/isa.hpp"
#include "temporal/forms.hpp"

//   moments  count, mean = sum x / count, squares = sum (x - mean)^2
//            the deviation is sqrt(squares / count), of the whole population
//   merged   delta = mean_b - mean_a;  mean = mean_a + delta count_b / count
//            squares = squares_a + squares_b + delta^2 count_a count_b / count
//   map      out = (x - mean_from) (deviation_to / deviation_from) + mean_to
//
// A NaN is a row without the value: moments skip it and the map gives it mean_to. Where
// deviation_from is zero, or nothing was counted, every row gets mean_to. Moments of equal floats
// are exact, so that their deviation is exactly zero. Infinities make the moments NaN.
//
// Accumulator: double, two passes over blocks of 512 values that are then merged in order (for n <=
// 2^29 the mean errs by at most 2^-43 of the mean magnitude; squares by 2^-40 of itself plus 2^-80
// of count x mean^2, loosely); the map rounds once to float after three roundings in double. The
// last bits of moments depend on how values were split into calls and on the level, so a caller
// that needs the same bits with any number of threads splits and merges in a fixed order.

namespace asof::standardize {

struct Moments {
  double count = 0;
  double mean = 0;
  double squares = 0;
};

/// The moments of both sets together.
Moments merge(const Moments& a, const Moments& b);

/// sqrt(squares / count); 0 where nothing was counted.
double deviation(const Moments& moments);

/// A map with its division done once: out = mean_to + (x - mean_from) * factor, factor 0 where the
/// deviation is zero.
using Map = temporal::Standard;

Map map_of(const Moments& from, const Moments& to);

struct Kernels {
  Moments (*moments)(const float* values, std::size_t n);
  /// `out` may be `values`.
  void (*apply)(const float* values, std::size_t n, const Map& map, float* out);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::standardize
