// Bounds of values from block times.
#include "index/vector/times/block_times.hpp"

#include <algorithm>

#include "index/rows/mask.hpp"

namespace asof::vector {

temporal::Window span_of_block(const ClockColumn& column, std::size_t row) {
  return std::visit(
      [&](const auto& clock) -> temporal::Window {
        constexpr temporal::Window none{infinity, -infinity};
        if (clock.start.empty()) return none;
        if (clock.blocks.empty()) return {};
        const auto* block = &clock.blocks[2 * (row / block_rows)];
        if (block[0] > block[1]) return none;
        return {milliseconds_of(block[0], clock.encoding),
                milliseconds_of(block[1], clock.encoding)};
      },
      column);
}

BlockTimes::BlockTimes(const FlatRows& rows, std::size_t begin, std::size_t count) {
  const ClockColumn* columns[] = {&rows.content, &rows.published, &rows.validity};
  for (std::size_t clock = 0; clock < times_.size(); ++clock) {
    times_[clock] = {infinity, -infinity};
    for (std::size_t row = begin / block_rows * block_rows; row < begin + count;
         row += block_rows) {
      const temporal::Window span = span_of_block(*columns[clock], row);
      times_[clock] = {std::min(times_[clock].start, span.start),
                       std::max(times_[clock].end, span.end)};
    }
  }
}

temporal::Range BlockTimes::range(const temporal::Form& form) const {
  temporal::Range all = temporal::range_in(form, of(form.clock));
  if (!form.validity_first) return all;
  const temporal::Range stated = temporal::range_in(form, of(temporal::Clock::validity));
  return {std::min(all.least, stated.least), std::max(all.greatest, stated.greatest)};
}

}  // namespace asof::vector
