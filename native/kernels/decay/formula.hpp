// Decay with the distance from an instant, in double: for the reference, single rows of the scan
// and devices. Without fused operations, so that a value has the same bits everywhere.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace asof::decay {

enum class Shape : std::uint8_t { none, exponential, gaussian, linear };

struct Curve {
  Shape shape = Shape::none;
  double at_ms = 0;
  double half_life_ms = 1;  // finite, above 0
  double offset_ms = 0;     // finite, from 0
  double floor = 0;         // from 0 to less than 1
  double outside = 0;       // of rows without a time: from the floor to 1
  bool operator==(const Curve&) const = default;
};

/// 2^x for x <= 0, within 2^-50 of itself; 0 from 2^-1000 down.
constexpr double power_of_two(double x) {
  constexpr double ln2 = 0.693147180559945309417;
  constexpr std::size_t terms = 14;  // of the exponential's series: the next is below 2^-60
  constexpr auto inverse_factorials = [] {
    std::array<double, terms> values{1};
    for (std::size_t i = 1; i < terms; ++i) values[i] = values[i - 1] / static_cast<double>(i);
    return values;
  }();
  if (!(x > -1000)) return 0;
  const int whole = static_cast<int>(x - 0.5);
  const double y = (x - whole) * ln2;
  double sum = inverse_factorials[terms - 1];
  for (std::size_t i = terms - 1; i-- > 0;) sum = sum * y + inverse_factorials[i];
  return sum * std::bit_cast<double>(static_cast<std::uint64_t>(1023 + whole) << 52);
}

/// Milliseconds from an instant to a time; 0 within it and at its ends.
constexpr double distance_of(double start, double end, double at) {
  return start > at ? start - at : end < at ? at - end : 0;
}

/// The value at a distance in milliseconds, from 0; of an infinite distance, the limit.
constexpr double value_of(const Curve& curve, double distance) {
  const double beyond = distance > curve.offset_ms ? distance - curve.offset_ms : 0,
               u = beyond / curve.half_life_ms;
  double value = 0;
  if (curve.shape == Shape::exponential) value = power_of_two(-u);
  if (curve.shape == Shape::gaussian) value = power_of_two(-(u * u));
  if (curve.shape == Shape::linear) value = u < 2 ? 1 - u / 2 : 0;
  return value > curve.floor ? value : curve.floor;
}

}  // namespace asof::decay
