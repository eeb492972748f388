// Selection with early termination by a prefix bound: a row is dropped once the product of its
// first components and its suffix norm cannot reach the threshold. Scores have the bits of whole
// products.
#pragma once

#include "index/rows/suffix_norms.hpp"
#include "index/vector/selection.hpp"
#include "index/vector/top_k_threshold.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

/// A query's vector and its suffix norms.
struct PrefixQuery {
  const float* components = nullptr;
  std::size_t dimensions = 0;
  std::array<std::size_t, SuffixNorms::splits> before{};
  std::array<double, SuffixNorms::splits> after{};
  double whole = 0;
  double slack = 0;  // per unit of a row's length: rounding of the whole product and of its parts
  bool usable = false;

  PrefixQuery() = default;
  PrefixQuery(const float* components, std::size_t dimensions, const SuffixNorms& suffix_norms);
};

/// The first split of a query for a thread's next tile. It affects no result.
struct SplitSchedule {
  std::size_t first = 0;        // split
  std::size_t plain_tiles = 0;  // to read in full, after too many rows passed
};

/// A whole block and its suffix norms; `vectors` are its rows.
struct PrefixBlock {
  const SuffixNorms::Block& norms;
  const float* vectors;
  std::size_t segment, begin, count;
};

/// A query, its scoring and the receivers of its best rows.
struct PrefixSelection {
  const RowScorer& scorer;
  const PrefixQuery& query;
  const inner_product::Kernels& kernels;
  TopK top;
  TopKThreshold& threshold;
};

/// select_rows of a block's rows in `bits`. The query weighs similarity above 0 and does not sum.
void select_by_prefix(const PrefixSelection& selection, const PrefixBlock& block, BlockBits bits,
                      SplitSchedule& schedule);

}  // namespace asof::vector
