// Selects candidates of a tile without reading all of its vectors: a row whose first components,
// with the longest that the others can be, stay below what it would have to score is left. Every
// bound holds whatever the rounding, and what is scored is scored with the bits of the plain scan,
// so results are the same (selection.hpp).
#pragma once

#include "index/vector/floats/suffix_norms.hpp"
#include "index/vector/selection.hpp"
#include "index/vector/top_k_threshold.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

/// A query's vector and the lengths that bound it.
struct PrefixQuery {
  const float* components = nullptr;
  std::size_t dimensions = 0;
  std::array<std::size_t, SuffixNorms::cuts> before{};
  std::array<double, SuffixNorms::cuts> after{};
  double whole = 0;
  double slack = 0;  // per unit of a row's length: rounding of the whole product and of its parts
  bool usable = false;

  PrefixQuery() = default;
  PrefixQuery(const float* components, std::size_t dimensions, const SuffixNorms& suffix_norms);
};

/// What the last tiles of a thread were like for a query. It decides where to begin, never what is
/// found.
struct Pace {
  std::size_t first = 0;  // the cut to begin with
  std::size_t plain = 0;  // as many tiles are read in full, since too many rows came through
};

/// select_rows for a block whose suffix_norms are known; `vectors` are its rows. The query weighs
/// similarity above 0 and does not sum.
void select_by_prefix(const Scored& scored, const PrefixQuery& vector,
                      const SuffixNorms::Block& block, const float* vectors, std::size_t segment,
                      std::size_t begin, std::size_t count, BlockBits bits,
                      const inner_product::Kernels& kernels, Pace& pace, Collector& collector,
                      TopKThreshold& leaders, std::atomic<double>& best);

}  // namespace asof::vector
