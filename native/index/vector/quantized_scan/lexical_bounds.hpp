// Bounds of relevance with a lexical part. Lexical scores that few slots share are a bias of the
// kernel; else the rows whose lexical score lets their similarity matter are filtered before a tile
// is multiplied.
#pragma once

#include "index/vector/quantized_scan/bound_provider.hpp"

namespace asof::vector {

class LexicalBounds final : public BoundProvider {
 public:
  /// `temporal` are one a slot the bounds of the query without its lexical part.
  LexicalBounds(const BoundInputs& inputs, std::vector<const BoundProvider*> temporal);

  void bound_tile(std::size_t s, const TileScope& tile, RowBounds& bounds) const override;
  void bound_range(std::size_t s, const RangeScope& range, RowBounds& bounds) const override {
    temporal_[s]->bound_range(s, range, bounds);
  }
  void tighten_range(std::size_t s, const KernelTerms& terms, RowBounds& bounds) const override {
    temporal_[s]->tighten_range(s, terms, bounds);
  }
  /// Rows whose lexical score lets them reach the threshold of some slot.
  BlockBits range_rows(const Tile& tile) const override;
  KernelTerms kernel_terms(const RangeScope& range, const PanelRange& panels,
                           RowBounds& bounds) const override;

 private:
  double max_semantic(std::size_t s, const Tile& tile) const;
  float min_lexical_score(std::size_t s, const Tile& tile, double max_factor) const;
  double filter_by_score(std::size_t s, const TileScope& scope, RowBounds& bounds) const;
  double filter_by_sum(std::size_t s, const TileScope& scope, RowBounds& bounds) const;

  std::vector<const BoundProvider*> temporal_;
  std::vector<float> bias_weights_;  // one a slot
};

}  // namespace asof::vector
