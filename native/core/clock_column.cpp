// Chooses, packs and compares ticks. See clock_column.hpp.
#include "core/clock_column.hpp"

#include <algorithm>
#include <cmath>

namespace asof {
namespace {

constexpr double units_ms[] = {86'400'000, 60'000, 1'000};
constexpr double millisecond = 1;

template <typename Tick>
constexpr double lowest = static_cast<double>(std::numeric_limits<Tick>::min() + 2);
template <typename Tick>
constexpr double highest = static_cast<double>(std::numeric_limits<Tick>::max() - 1);
// An i64 tick is a millisecond of a JavaScript date (+-8.64e15), which a double holds exactly.
template <>
constexpr double lowest<std::int64_t> = -9007199254740991.0;
template <>
constexpr double highest<std::int64_t> = 9007199254740991.0;

bool fits(std::span<const double> values, double unit) {
  return std::ranges::all_of(values, [unit](double value) {
    const double tick = value / unit;
    return !std::isfinite(value) || (std::floor(tick) == tick && tick >= lowest<std::int32_t> &&
                                     tick <= highest<std::int32_t>);
  });
}

template <typename Tick>
Tick clamped(double tick) {
  if (tick < lowest<Tick>) return static_cast<Tick>(lowest<Tick>);
  if (tick > highest<Tick>) return static_cast<Tick>(highest<Tick>);
  return static_cast<Tick>(tick);
}

}  // namespace

ClockChoice choose_encoding(std::span<const double> milliseconds, std::span<const double> more) {
  for (double unit : units_ms) {
    if (fits(milliseconds, unit) && fits(more, unit)) return {{unit, 0}, false};
  }
  return {{millisecond, 0}, true};
}

template <typename Tick>
std::vector<Tick> pack_ticks(std::span<const double> milliseconds, const ClockEncoding& encoding) {
  std::vector<Tick> packed(milliseconds.size());
  for (std::size_t i = 0; i < packed.size(); ++i) {
    double value = milliseconds[i];
    if (std::isnan(value))
      packed[i] = ticks<Tick>::absent;
    else if (std::isinf(value))
      packed[i] = value < 0 ? ticks<Tick>::past : ticks<Tick>::future;
    else
      packed[i] = clamped<Tick>(std::floor((value - encoding.origin_ms) / encoding.unit_ms));
  }
  return packed;
}

template <typename Tick>
Tick floor_tick(double milliseconds, const ClockEncoding& encoding) {
  if (std::isinf(milliseconds)) return milliseconds < 0 ? ticks<Tick>::past : ticks<Tick>::future;
  return clamped<Tick>(std::floor((milliseconds - encoding.origin_ms) / encoding.unit_ms));
}

template <typename Tick>
Tick ceil_tick(double milliseconds, const ClockEncoding& encoding) {
  if (std::isinf(milliseconds)) return milliseconds < 0 ? ticks<Tick>::past : ticks<Tick>::future;
  return clamped<Tick>(std::ceil((milliseconds - encoding.origin_ms) / encoding.unit_ms));
}

template std::vector<std::int32_t> pack_ticks(std::span<const double>, const ClockEncoding&);
template std::vector<std::int64_t> pack_ticks(std::span<const double>, const ClockEncoding&);
template std::int32_t floor_tick(double, const ClockEncoding&);
template std::int64_t floor_tick(double, const ClockEncoding&);
template std::int32_t ceil_tick(double, const ClockEncoding&);
template std::int64_t ceil_tick(double, const ClockEncoding&);

}  // namespace asof
