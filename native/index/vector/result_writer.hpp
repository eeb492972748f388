// Result rows of a query: its hits with their lexical and temporal parts.
#pragma once

#include <optional>

#include "index/rows/mask.hpp"
#include "index/vector/results.hpp"
#include "kernels/standardize/contract.hpp"

namespace asof::vector {

/// The fields of a result that are one a query.
struct QueryStatistics {
  double rows_scanned = 0, rows_masked = 0;
  std::optional<standardize::Moments> relevance, recency;  // of additive forms
  std::uint8_t storage = 0;  // as in Result: the smallest type of any segment
  bool on_device = false, exact = true;
  double rescored = 0;

  void add_storage(quantized::Storage type) {
    storage = std::max<std::uint8_t>(storage, 1 + static_cast<std::uint8_t>(type));
  }
  void append_to(Result& result) const;
};

/// A query with its normalization and masks.
struct HitContext {
  const Query& query;
  const standardize::Map& standard;  // of additive forms
  const SegmentMask* masks;          // that of segment s is masks[s * masks_step]
  std::size_t masks_step;
};

/// Writes the hits to the result's lists of rows, from `at` on.
void write_rows(const Request& request, const HitContext& context, std::span<const Hit> results,
                std::size_t at, Result& result);

}  // namespace asof::vector
