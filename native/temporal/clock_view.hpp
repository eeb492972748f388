// One clock of rows as spans of ticks, in memory of the host or of a device, and the walk over a
// row's times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/clock_column.hpp"

namespace asof::temporal {

/// One clock of every row. An instant has `start` alone, an interval [start, end) has both; a list
/// has `offset` too, and then start and end are the intervals of all rows one after the other. No
/// `start` at all: no row has the clock.
template <typename Tick>
struct ClockView {
  ClockEncoding encoding;
  std::span<const Tick> start;
  std::span<const Tick> end;
  std::span<const std::uint32_t> offset;  // rows + 1
  std::span<const Tick> blocks;           // [min, max] of each schema::block_rows rows, or empty
};

/// Calls visit(index in the row's list, start, end) for each of the row's times until it returns
/// true; an instant is given with start == end. Offsets are checked here, row by row, since opening
/// a segment does not read them.
template <typename Tick, typename Visit>
constexpr void each_time(const ClockView<Tick>& clock, std::size_t row, Visit visit) {
  if (clock.start.empty()) return;
  if (!clock.offset.empty()) {
    std::size_t first = clock.offset[row], last = clock.offset[row + 1];
    if (last > clock.start.size()) return;
    for (std::size_t i = first; i < last; ++i) {
      if (visit(i - first, clock.start[i], clock.end[i])) return;
    }
    return;
  }
  Tick start = clock.start[row];
  if (clock.end.empty()) {
    if (start != ticks<Tick>::absent) visit(0, start, start);
    return;
  }
  Tick end = clock.end[row];
  if (start == ticks<Tick>::absent && end == ticks<Tick>::absent) return;
  visit(0, start == ticks<Tick>::absent ? ticks<Tick>::past : start,
        end == ticks<Tick>::absent ? ticks<Tick>::future : end);
}

}  // namespace asof::temporal
