// What a query asks of rows beside their similarity, on a device: which rows it sees, what their
// words and times add, and what similarity it takes to reach a score. The formulas are the host's
// (temporal/row_times.hpp, window_ticks.hpp); rounding included, so scores have the host's
// bits.
#pragma once

#include "cuda/target.hpp"
#include "temporal/row_times.hpp"
#include "temporal/window_ticks.hpp"

namespace asof::cuda::candidates {

using vector::ClockView;
using vector::Form;

/// A clock of a segment in whichever of the two widths it has; no rows at all have the clock where
/// both are empty.
struct Clock {
  ClockView<std::int32_t> narrow;
  ClockView<std::int64_t> wide;

  template <typename Visit>
  constexpr auto visit(Visit visit) const {
    return wide.start.empty() ? visit(narrow) : visit(wide);
  }
};

/// A segment's columns on the device, of rows [0, n).
struct Columns {
  Clock published, validity, content;
  const std::uint32_t* row_passage;
  std::uint32_t passages;
  const std::uint8_t* visible;        // a bit a passage; null: all are
  std::uint32_t first_row, last_row;  // of the scope: [first, last)

  constexpr const Clock& clock(vector::Clock which) const {
    return which == vector::Clock::published  ? published
           : which == vector::Clock::validity ? validity
                                              : content;
  }
};

/// vector::SegmentMask with its ticks as 64 bits, whatever the column's: their order is the same.
struct Mask {
  bool has_published, has_window;
  vector::Relation relation;
  vector::Clock clock;
  std::int64_t published_until;
  vector::WindowTicks<std::int64_t> window;
};

/// A query against a segment.
struct Asked {
  double semantic_weight, lexical_weight;
  const float* lexical;  // one a row, or null
  std::uint32_t mask;
  Form form;
  standardize::Map standard;  // read where the form sums
  double max_factor;          // no row's c is greater
  double max_addend;          // no row's words and recency add more
};

__device__ inline bool shown(const Columns& columns, std::uint32_t row) {
  if (row < columns.first_row || row >= columns.last_row) return false;
  const std::uint32_t passage = columns.row_passage[row];
  if (columns.visible == nullptr) return true;
  return passage < columns.passages && (columns.visible[passage / 8] >> (passage % 8) & 1) != 0;
}

/// Whether the mask lets a row that is shown be seen.
__device__ inline bool seen(const Columns& columns, const Mask& mask, std::uint32_t row) {
  if (mask.has_published) {
    const bool late = columns.published.visit([&](const auto& clock) {
      return !clock.start.empty() &&
             static_cast<std::int64_t>(clock.start[row]) > mask.published_until;
    });
    if (late) return false;
  }
  if (!mask.has_window) return true;
  return columns.clock(mask.clock).visit([&]<typename Tick>(const ClockView<Tick>& clock) {
    bool hit = false;
    vector::each_time(clock, row, [&](std::size_t, Tick start, Tick end) {
      return hit = vector::satisfies<std::int64_t>(mask.relation, mask.window, start, end);
    });
    return hit;
  });
}

/// Which clock a form reads of a row: its author's own word on when it holds outweighs the dates
/// that its text happens to name.
__device__ inline const Clock& clock_of(const Columns& columns, const Form& form,
                                        std::uint32_t row) {
  const bool stated = form.validity_first && columns.validity.visit([&](const auto& clock) {
    return vector::has_time(clock, row);
  });
  return columns.clock(stated ? vector::Clock::validity : form.clock);
}

/// The score of a row of that similarity: what the host's scan computes of it.
__device__ inline double score(const Columns& columns, const Asked& asked, std::uint32_t row,
                               double similarity) {
  double relevance = asked.semantic_weight * similarity;
  if (asked.lexical != nullptr)
    relevance = relevance + asked.lexical_weight * static_cast<double>(asked.lexical[row]);
  switch (asked.form.combine) {
    case vector::Combine::none:
      return relevance;
    case vector::Combine::product: {
      const double c = clock_of(columns, asked.form, row).visit([&](const auto& clock) {
        return vector::spline_at(asked.form, clock, row).value;
      });
      return vector::timed(relevance, c);
    }
    case vector::Combine::sum:
      break;
  }
  const double recency = columns.clock(asked.form.clock).visit([&](const auto& clock) {
    return vector::recency_at(asked.form, clock, row).value;
  });
  return relevance + asked.form.weight * vector::standardized(asked.standard, recency);
}

/// No row of less similarity scores the threshold, whatever its words and time; a little less, for
/// rounding.
__device__ inline float least_similarity(const Asked& asked, double threshold) {
  constexpr double slack = 1e-6, infinite = std::numeric_limits<double>::infinity(),
                   largest = 3.4028234663852886e38;
  double needed = threshold;
  if (asked.form.combine == vector::Combine::product) {
    if (threshold > 0)
      needed = asked.max_factor > 0 ? threshold / asked.max_factor : infinite;
    else
      needed = asked.max_factor < 2 ? threshold / (2 - asked.max_factor) : -infinite;
  }
  needed = needed - slack * fabs(needed) - asked.max_addend - slack * fabs(asked.max_addend);
  needed = needed / asked.semantic_weight;
  needed = needed - slack * fabs(needed) - 1.1754943508222875e-38;
  if (needed != needed || needed < -largest) return -INFINITY;
  return needed > largest ? INFINITY : static_cast<float>(needed);
}

}  // namespace asof::cuda::candidates
