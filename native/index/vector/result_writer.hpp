// Result rows of a query: its hits with their lexical and temporal parts.
#pragma once

#include "index/vector/results.hpp"
#include "index/vector/times/mask.hpp"
#include "kernels/standardize/contract.hpp"

namespace asof::vector {

/// How rows of a query were found.
struct HitContext {
  const Query& query;
  const standardize::Map& standard;  // read where the query sums
  const SegmentMask* masks;          // its own: that of segment s is masks[s * masks_step]
  std::size_t masks_step;
};

/// Writes them to the result's lists of rows, from `at` on.
void write_rows(const Request& request, const HitContext& context, std::span<const Hit> results,
                std::size_t at, Result& result);

}  // namespace asof::vector
