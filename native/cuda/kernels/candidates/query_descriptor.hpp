// Query descriptors: masks, weights and temporal form of a query against one segment, the score of
// a row, and the minimum similarity that a threshold implies. The formulas are the host's
// (temporal/forms.hpp, window_ticks.hpp), rounding included: scores are bit-identical.
#pragma once

#include "cuda/target.hpp"
#include "temporal/forms.hpp"
#include "temporal/window_ticks.hpp"

namespace asof::cuda::candidates {

using temporal::ClockView;
using temporal::Form;

/// A clock of a segment, with ticks of 32 or 64 bits. Both are empty if no row has the clock.
struct Clock {
  ClockView<std::int32_t> narrow;
  ClockView<std::int64_t> wide;

  template <typename Visit>
  constexpr auto visit(Visit visit) const {
    return wide.start.empty() ? visit(narrow) : visit(wide);
  }
};

/// Columns of a segment in device memory.
struct Columns {
  Clock published, validity, content;
  const std::uint32_t* row_passage;
  std::uint32_t passages;
  const std::uint8_t* visible;        // bitmap over passages; null: all
  std::uint32_t first_row, last_row;  // scope: [first_row, last_row)

  constexpr const Clock& clock(temporal::Clock which) const {
    return which == temporal::Clock::published  ? published
           : which == temporal::Clock::validity ? validity
                                                : content;
  }
};

/// SegmentMask with 64-bit ticks whatever the column's width: the order is the same.
struct Mask {
  bool has_published, has_window;
  temporal::Relation relation;
  temporal::Clock clock;
  std::int64_t published_until;
  temporal::WindowTicks<std::int64_t> window;
};

/// A query against a segment.
struct QueryDescriptor {
  double semantic_weight, lexical_weight;
  const float* lexical;  // a score per row, or null
  std::uint32_t mask;
  Form form;
  temporal::Standard normalization;  // of Combine::sum
  double max_factor;                 // upper bound of the temporal factor
  double max_addend;                 // upper bound of the lexical part and of what the form adds
};

__device__ inline bool in_scope(const Columns& columns, std::uint32_t row) {
  if (row < columns.first_row || row >= columns.last_row) return false;
  const std::uint32_t passage = columns.row_passage[row];
  if (columns.visible == nullptr) return true;
  return passage < columns.passages && (columns.visible[passage / 8] >> (passage % 8) & 1) != 0;
}

/// Whether a row in scope passes the mask.
__device__ inline bool passes_mask(const Columns& columns, const Mask& mask, std::uint32_t row) {
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
    temporal::each_time(clock, row, [&](std::size_t, Tick start, Tick end) {
      return hit = temporal::satisfies<std::int64_t>(mask.relation, mask.window, start, end);
    });
    return hit;
  });
}

/// The clock that a form reads for a row: stated validity takes precedence over dates in the text.
__device__ inline const Clock& clock_of(const Columns& columns, const Form& form,
                                        std::uint32_t row) {
  const bool stated = form.validity_first && columns.validity.visit([&](const auto& clock) {
    return temporal::has_time(clock, row);
  });
  return columns.clock(stated ? temporal::Clock::validity : form.clock);
}

/// Score of a row with this similarity, as the host's scan computes it.
__device__ inline double score(const Columns& columns, const QueryDescriptor& descriptor,
                               std::uint32_t row, double similarity) {
  double relevance = descriptor.semantic_weight * similarity;
  if (descriptor.lexical != nullptr)
    relevance =
        relevance + descriptor.lexical_weight * static_cast<double>(descriptor.lexical[row]);
  if (descriptor.form.combine == temporal::Combine::none) return relevance;
  const double value = clock_of(columns, descriptor.form, row).visit([&](const auto& clock) {
    return temporal::value_at(descriptor.form, clock, row).value;
  });
  return temporal::score_of(descriptor.form, descriptor.normalization, relevance, value);
}

/// Lower bound of the similarity of rows that reach the threshold, whatever their lexical and
/// temporal scores; with slack for rounding.
__device__ inline float min_similarity(const QueryDescriptor& descriptor, double threshold) {
  constexpr double slack = 1e-6, infinite = std::numeric_limits<double>::infinity(),
                   largest = 3.4028234663852886e38;
  double needed = threshold;
  if (descriptor.form.combine == temporal::Combine::product) {
    if (threshold > 0)
      needed = descriptor.max_factor > 0 ? threshold / descriptor.max_factor : infinite;
    else
      needed = descriptor.max_factor < 2 ? threshold / (2 - descriptor.max_factor) : -infinite;
  }
  needed =
      needed - slack * fabs(needed) - descriptor.max_addend - slack * fabs(descriptor.max_addend);
  needed = needed / descriptor.semantic_weight;
  needed = needed - slack * fabs(needed) - 1.1754943508222875e-38;
  if (needed != needed || needed < -largest) return -INFINITY;
  return needed > largest ? INFINITY : static_cast<float>(needed);
}

}  // namespace asof::cuda::candidates
