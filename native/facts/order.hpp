// Order of the members of a series by a question's operator on time
// (lib/facts/members/order.ts).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "facts/question.hpp"
#include "statements/passage.hpp"

namespace asof::facts {

/// A time to be ranked, null for none, and when its passage was published, NaN where unknown.
struct Dated {
  const Time* time;
  double published_at;
};

/// Times by preference.
struct Preference {
  std::vector<std::uint32_t> order;  // places, the best first; of equal ones the earlier
  std::vector<std::int32_t> ranks;   // by place, 0 the best; equal times share one
};

/// Ranks times by preference. Without an order all times in a closed window have rank 0, and those
/// in an open one stand by their distance from its bound; behind them stand the states that may
/// still hold, what began latest before the window first. Times that the operator excludes come
/// last, and no time does unless the operator takes any. Nothing after `asked.asked_at` is the
/// latest; of equal times the latest is what was published last. `longest` as of `holding_in`.
Preference preference_of(std::span<const Dated> times, const Asked& asked, double longest);

/// Whether a unit was hardly known by the end of the window: a publication after it looks back on
/// the average of a year, as of its January; of what does not say when it was published, the
/// greater part of the unit lies after it.
bool is_later_report(const Dated& of, const Asked& asked);

/// In some part of it a state must hold.
inline const Window& held_of(const Asked& asked) {
  return asked.has_held ? asked.held : asked.window;
}

/// Whether a state of which it is unknown may hold: of what began before the time as of which a
/// state is asked for, the latest does.
inline bool may_hold_if_unknown(const Time& time, const Asked& asked) {
  return !asked.has_held || time.start == -infinity;
}

/// Whether a time meets one of a list; any does where there is none.
bool meets_alternative(const Time& time, const std::vector<Window>& alternatives);

}  // namespace asof::facts
