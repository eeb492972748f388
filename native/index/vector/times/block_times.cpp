// Bounds of temporal factors from block times.
#include "index/vector/times/block_times.hpp"

#include <algorithm>
#include <cmath>

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

double BlockTimes::max_factor(const temporal::Form& form) const {
  if (form.combine != temporal::Combine::product) return 1;
  if (form.decays()) return max_decay(form.clock, form.curve);
  double most = form.outside;
  auto meet = [&](const temporal::Window& span) {
    for (std::size_t l = 0; l < form.line_count; ++l) {
      const temporal::Line& line = form.lines[l];
      const temporal::Window window = opened(line.window);
      if (!(span.start < window.end && span.end >= window.start)) continue;
      // A line is best at an end of what it shares with the blocks' times.
      double best = std::max(line.at_start, line.at_end);
      const double length = window.end - window.start;
      if (std::isfinite(length) && length > 0) {
        const double at = line.at_end > line.at_start ? std::min(span.end, window.end)
                                                      : std::max(span.start, window.start);
        const double p = (at - window.start) / length,
                     value = (1 - p) * line.at_start + p * line.at_end;
        best = std::min(best,
                        value + rounding_slack * (std::abs(line.at_start) + std::abs(line.at_end)));
      }
      most = std::max(most, best);
    }
  };
  meet(of(form.clock));
  if (form.validity_first) meet(of(temporal::Clock::validity));
  return most;
}

double BlockTimes::max_decay(temporal::Clock clock, const decay::Curve& curve) const {
  const temporal::Window& span = of(clock);
  if (!(span.start <= span.end)) return curve.outside;
  const double nearest =
      decay::value_of(curve, decay::distance_of(span.start, span.end, curve.at_ms));
  return std::max(curve.outside, std::min(1.0, nearest * (1 + rounding_slack)));
}

}  // namespace asof::vector
