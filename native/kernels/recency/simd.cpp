// Inverse ages by vectors: floats for whole days, else a reciprocal correct to 2^-45 unless it is
// near a rounding boundary, else the two divisions of the contract, so that all levels agree
// bitwise.
#include "kernels/recency/contract.hpp"

#include "core/lanes_ticks.hpp"

namespace asof::ASOF_LEVEL::recency {
namespace {

using ::asof::TickScale;
using ::asof::recency::Decay;

constexpr double day_ms = 86'400'000;
constexpr std::size_t group = 8 * wide_width;  // rows between two tests of whether all are decided
constexpr bool worthwhile = width > 4;  // two divisions of two doubles cost less than to avoid them

struct Ages {
  double at_ms, floor_days, floor_ms;
};

ASOF_INLINE Wides divided(Wides published, const Ages& ages) {
  Wides age = (ages.at_ms - published) / day_ms;
  Wides tau = 1.0 / (age > ages.floor_days ? age : spread_wide(ages.floor_days));
  return published == published ? tau : published;  // NaN stays NaN
}

// Inverse ages within 2^-45 of the contract's double, for ages that a float can hold, and whether
// they leave a float open.
class Inverse {
 public:
  ASOF_INLINE explicit Inverse(double floor_ms) : floor_ms_(spread_wide(floor_ms)) {}
  ASOF_INLINE Wides of(Wides age_ms) {
    Wides age = age_ms > floor_ms_ ? age_ms : floor_ms_;
    Wides near = widen(1.0f / __builtin_convertvector(age, HalfLanes));
    Wides error =
        multiply_add(-age, near, spread_wide(1));  // up to 2^-22; one step of Newton squares it
    Wides scaled = near * day_ms;
    Wides tau = multiply_add(scaled, error, scaled);
    // How far the bits that a float drops are above the lower end of the doubtful middle, over all
    // ones.
    Words above =
        reinterpret_cast<Words>((reinterpret_cast<WideMasks>(tau) + (reach - middle)) | ~dropped);
    least_ = above < least_ ? above : least_;
    return tau;
  }
  ASOF_INLINE bool open() const {
    // The cast: where long has 32 bits, Clang's comparison has lanes of it, which are no Masks.
    return any(reinterpret_cast<Masks>(least_ < static_cast<std::uint32_t>(~dropped) +
                                                    static_cast<std::uint32_t>(2 * reach)));
  }

 private:
  typedef std::uint32_t Words __attribute__((vector_size(width * 4)));
  // A float drops 29 bits of a double; 2^10 of their units are 2^-43 of the value at most.
  static constexpr std::int64_t dropped = (std::int64_t{1} << 29) - 1,
                                middle = std::int64_t{1} << 28, reach = std::int64_t{1} << 10;
  Wides floor_ms_;
  Words least_ = ~Words{};
};

// Writes a group; false where rounding leaves a value undecided.
ASOF_INLINE bool try_group(const double* published, const TickScale&, const Ages& ages,
                           float* out) {
  Inverse inverse(ages.floor_ms);
  WideMasks strange = {};
  repeat<8>([&](auto i) ASOF_INLINE_LAMBDA {
    Wides when = load_wide(published + i() * wide_width);
    strange |= ~((when < 0x1p59) & (when > -0x1p59));
    store_wide(out + i() * wide_width, inverse.of(ages.at_ms - when));
  });
  return !inverse.open() && !any(strange);
}

template <typename Tick>
ASOF_INLINE bool try_group(const Tick* published, const TickScale& scale, const Ages& ages,
                           float* out) {
  Inverse inverse(ages.floor_ms);
  ReservedAmong<Tick> reserved;
  Wides per_tick = spread_wide(-scale.unit_ms),
        since_origin = spread_wide(ages.at_ms - scale.origin_ms);
  repeat<8>([&](auto i) ASOF_INLINE_LAMBDA {
    store_wide(
        out + i() * wide_width,
        inverse.of(multiply_add(load_ticks(published + i() * wide_width), per_tick, since_origin)));
  });
  for (std::size_t i = 0; i < group; i += reserved.step) reserved.look(published + i);
  return !inverse.open() && !reserved.any_lane();
}

// Ticks of days from an `at` that is one of them: ages are whole, and the quotient of floats is the
// rounded quotient of doubles.
struct Days {
  std::int32_t at, floor;
  float at_floor;
  bool apply;
};

template <typename Instant>
Days days_of(const TickScale& scale, const Ages& ages) {
  double at = (ages.at_ms - scale.origin_ms) / day_ms;
  bool near = sizeof(Instant) == 4 && scale.unit_ms == day_ms && at > -0x1p28 && at < 0x1p28 &&
              ages.floor_days < 0x1p20;
  if (!near ||
      static_cast<double>(static_cast<std::int32_t>(at)) * day_ms + scale.origin_ms != ages.at_ms)
    return {};
  return {static_cast<std::int32_t>(at), static_cast<std::int32_t>(ages.floor_days),
          static_cast<float>(1 / ages.floor_days), true};
}

ASOF_INLINE bool try_group(const std::int32_t* published, const Days& days, float* out) {
  typedef std::int32_t Half __attribute__((vector_size(width * 2)));
  typedef std::int32_t LooseHalf __attribute__((vector_size(width * 2), aligned(4), may_alias));
  typedef std::uint32_t Places __attribute__((vector_size(width * 2)));
  constexpr std::uint32_t
      low = 1u << 30,
      high = 1u << 22;  // between -low and high no age is of a reserved tick, and all are floats
  Places greatest = {};
  repeat<8>([&](auto i) ASOF_INLINE_LAMBDA {
    Places since =
        static_cast<std::uint32_t>(days.at) -
        reinterpret_cast<Places>(*reinterpret_cast<const LooseHalf*>(published + i() * wide_width));
    Places place = since + low;
    greatest = place > greatest ? place : greatest;
    Half age = reinterpret_cast<Half>(since);
    HalfLanes tau = 1.0f / __builtin_convertvector(age, HalfLanes);
    *reinterpret_cast<LooseHalfLanes*>(out + i() * wide_width) =
        age > days.floor ? tau : days.at_floor - HalfLanes{};
  });
  return !any(__builtin_convertvector(greatest > low + high, WideMasks));
}

// Whether a - b needs no rounding.
bool exact_difference(double a, double b) {
  double difference = a - b, other = a - difference;
  return a - (difference + other) + (other - b) == 0;
}

template <typename Instant>
void rows(const Instant* published, std::size_t n, const TickScale& tick_scale, const Decay& decay,
          float* out) {
  const double at_ms = decay.at_ms, floor_days = decay.floor_days;
  const TickScale scale = tick_scale;
  const Ages ages = {at_ms, floor_days, floor_days * day_ms};
  const Days days = days_of<Instant>(scale, ages);
  const bool bounded = ages.floor_ms > 0x1p-60 && ages.floor_ms < 0x1p60 && at_ms < 0x1p59 &&
                       at_ms > -0x1p59;  // ages up to 2^60 ms
  const bool quick =
      worthwhile && bounded &&
      (std::is_floating_point_v<Instant> || exact_difference(at_ms, scale.origin_ms));
  std::size_t i = 0;
  for (; i + group <= n; i += group) {
    if constexpr (sizeof(Instant) == 4) {
      if (days.apply && try_group(published + i, days, out + i)) continue;
    }
    if (quick && try_group(published + i, scale, ages, out + i)) continue;
    for (std::size_t k = i; k < i + group; k += wide_width)
      store_wide(out + k, divided(load_instants(published + k, scale), ages));
  }
  for (; i + wide_width <= n; i += wide_width)
    store_wide(out + i, divided(load_instants(published + i, scale), ages));
  if (std::size_t rest = n - i; rest > 0)
    store_wide_first(out + i, divided(load_instants_first(published + i, scale, rest), ages), rest);
}

}  // namespace

extern const ::asof::recency::Kernels kernels;
const ::asof::recency::Kernels kernels = {rows<double>, rows<std::int32_t>, rows<std::int64_t>};

}  // namespace asof::ASOF_LEVEL::recency
