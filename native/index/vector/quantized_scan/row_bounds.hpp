// Bounds of the rows of one kernel call, set by bound providers; one worker's.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "index/vector/quantized_scan/scan_plan.hpp"
#include "index/vector/times/block_times.hpp"

namespace asof::vector {

/// Rows [begin, begin + count) of a segment.
struct SegmentRange {
  std::size_t segment = 0, begin = 0, count = 0;
};

/// A tile and the times of its block.
struct TileScope {
  const Tile& tile;
  const BlockTimes& times;
  const BlockBits& visible(const QuerySlot& slot) const { return tile.bits[tile.mask_of[slot.q]]; }
};

/// Adjacent tiles that one kernel call scans, and the times of their blocks.
struct RangeScope {
  SegmentRange rows;
  const BlockTimes& times;
};

/// Terms that the kernel evaluates per row, from the first row of the call's first panel on: a
/// survivor's product * row_factor + bias_weight * row_bias reaches its slot's minimum.
struct KernelTerms {
  const float* row_bias = nullptr;
  const float* bias_weights = nullptr;                     // one a slot
  const quantized::PanelRecord* scaled_records = nullptr;  // records times the row factors
  const float* row_factors = nullptr;                      // of those records; or null
};

/// How the products of a sampled unit become estimates of score / semantic weight: times
/// factors[row], or plus weights[slot] * bias[row] + constants[slot]; null pointers do nothing.
struct UnitTerms {
  const float* factors = nullptr;
  const float* bias = nullptr;
  const float* bias_weights = nullptr;
  const float* constants = nullptr;
};

inline constexpr std::size_t unit_panels = 2, unit_rows = unit_panels * quantized::panel_rows;

struct RowBounds {
  static constexpr float unreachable = std::numeric_limits<float>::infinity();

  struct CachedMinimum {
    double threshold = -infinity, max_factor = 0;
    float similarity = -std::numeric_limits<float>::infinity();
  };
  struct RecencySpan {
    double min = infinity, max = -infinity;
    bool has_undated = false;
  };

  // One a slot.
  std::vector<float> min_similarity;  // that a row needs, apart from its kernel terms
  std::vector<double> max_factor;     // upper bound of the rows' temporal factors
  std::vector<BlockBits> rows;        // of a tile: rows whose bound may reach the threshold
  std::vector<CachedMinimum> cached;
  // Of a tile, one a recency form.
  std::vector<std::array<double, block_rows>> recencies;
  std::vector<RecencySpan> recency_spans;
  double max_recency = infinity;  // of a range, where slots share their recency
  // Storage of kernel terms.
  std::vector<float> row_bias, row_factors;
  std::vector<quantized::PanelRecord> scaled_records;

  bool all_unreachable() const {
    return std::all_of(min_similarity.begin(), min_similarity.end(),
                       [](float least) { return least == unreachable; });
  }

  void open(const ScanPlan& plan) {
    min_similarity.resize(plan.size());
    max_factor.assign(plan.size(), 1);
    rows.resize(plan.size());
    cached.assign(plan.size(), {});
    recencies.resize(plan.recency_forms().size());
    recency_spans.resize(plan.recency_forms().size());
  }
};

}  // namespace asof::vector
