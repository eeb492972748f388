// What the two halves of Coarse share: the asking of tiles (coarse.cpp) and the taking of their survivors (coarse_scores.cpp).
#pragma once

#include "index/flat/coarse.hpp"

namespace asof::flat {

// Sums of doubles, and what was rounded to float, stay far within this of their terms.
inline constexpr double coarse_slack = 1e-6;

/// From the first to the last instant of a block's times; empty where it has none.
Window span_of_block(const ClockColumn& column, std::size_t row);

/// Whether a line of a form may lie on a time of the block that holds a row.
class Met {
 public:
  Met(const FlatRows& rows, std::size_t row)
      : spans_{span_of_block(rows.content, row), span_of_block(rows.published, row), span_of_block(rows.validity, row)} {}
  bool operator()(const Form& form, const Window& hull) const {
    return touches(form.clock, hull) || (form.validity_first && touches(Clock::validity, hull));
  }

 private:
  bool touches(Clock clock, const Window& hull) const {
    const Window& span = spans_[static_cast<std::size_t>(clock)];
    return span.start < hull.end && span.end >= hull.start;
  }
  std::array<Window, 3> spans_;  // in the order of Clock
};

/// One call of the kernel, as its survivors need it.
struct Coarse::Call {
  Coarse& coarse;
  Lane& lane;
  const Tile& tile;
  std::size_t first_slot, base;  // row 0 of the call is row `base` of the segment
  Met met;
};

}  // namespace asof::flat
