// A window in the ticks of one column, and its test of a row's time: integer comparisons, exact to
// the millisecond. Plain functions, for devices as well.
#pragma once

#include "temporal/forms.hpp"

namespace asof::temporal {

/// Window bounds in the ticks of one column. For a tick t: t < end iff t < end_ceil, t <= end iff t
/// <= end_floor, and so on.
template <typename Tick>
struct WindowTicks {
  Tick start_floor, start_ceil, end_floor, end_ceil;
  Tick last_ceil;  // end less a millisecond: the last instant of the window
};

template <typename Tick>
constexpr bool satisfies(Relation relation, const WindowTicks<Tick>& window, Tick start, Tick end) {
  if (start == end) {
    if (relation == Relation::contains)
      return start <= window.start_floor && start >= window.last_ceil;
    return start >= window.start_ceil && start < window.end_ceil;
  }
  switch (relation) {
    case Relation::overlaps:
      return start < window.end_ceil && end > window.start_floor;
    case Relation::within:
      return start >= window.start_ceil && end <= window.end_floor;
    case Relation::contains:
      return start <= window.start_floor && end >= window.end_ceil;
  }
  return false;
}

}  // namespace asof::temporal
