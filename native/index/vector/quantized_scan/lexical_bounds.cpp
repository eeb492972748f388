// Filters and kernel bias by lexical scores.
#include "index/vector/quantized_scan/lexical_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "index/rows/block_filter.hpp"
#include "index/vector/masked_products.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;

bool has_scores(const Query& query, std::size_t segment) {
  return segment < query.lexical.size() && !query.lexical[segment].empty();
}

}  // namespace

LexicalBounds::LexicalBounds(const BoundInputs& inputs, std::vector<const BoundProvider*> temporal)
    : BoundProvider(inputs), temporal_(std::move(temporal)) {
  for (const QuerySlot& slot : plan().slots())
    bias_weights_.push_back(
        static_cast<float>(slot.query->lexical_weight / slot.query->semantic_weight));
}

/// Upper bound of the semantic part of the tile's scores.
double LexicalBounds::max_semantic(std::size_t s, const Tile& tile) const {
  const QuerySlot& slot = plan().slot(s);
  const FlatRows& rows = plan().request().segments[tile.segment].rows;
  const double norm = static_cast<double>(rows.max_norm(tile.begin, tile.count));
  return slot.query->semantic_weight * slot.norm * norm * (1 + rounding_slack) + rounding_slack;
}

/// The lexical score below which no row of the tile reaches the threshold.
float LexicalBounds::min_lexical_score(std::size_t s, const Tile& tile, double max_factor) const {
  const QuerySlot& slot = plan().slot(s);
  const double relevance =
      static_cast<double>(min_similarity(slot, thresholds().threshold(s), max_factor, 0)) *
      slot.query->semantic_weight;
  const double needed = relevance - max_semantic(s, tile);
  if (!(needed > 0)) return -std::numeric_limits<float>::infinity();  // an infinite norm included
  return below_threshold((needed - rounding_slack * std::abs(needed)) / slot.query->lexical_weight);
}

BlockBits LexicalBounds::range_rows(const Tile& tile) const {
  const Query& query = *plan().slot(0).query;
  const BlockBits& visible = tile.bits[tile.mask_of[plan().slot(0).q]];
  float least = std::numeric_limits<float>::infinity();
  const BlockTimes times(plan().request().segments[tile.segment].rows, tile.begin, tile.count);
  for (std::size_t s = 0; s < plan().size(); ++s)
    least =
        std::min(least, min_lexical_score(s, tile, times.max_factor(plan().slot(s).query->form)));
  if (!(least > 0)) return visible;
  BlockBits rows{};
  if (!has_scores(query, tile.segment)) return rows;
  if (!query.lexical_block_max.empty() &&
      query.lexical_block_max[tile.segment][tile.begin / block_rows] < least)
    return rows;
  filter_block({query.lexical[tile.segment].data() + tile.begin, tile.count}, least, visible, rows);
  return rows;
}

KernelTerms LexicalBounds::kernel_terms(const RangeScope& range, const PanelRange&,
                                        RowBounds&) const {
  KernelTerms terms;
  const Query& query = *plan().slot(0).query;
  if (!has_scores(query, range.rows.segment)) return terms;
  terms.row_bias =
      query.lexical[range.rows.segment].data() + range.rows.begin / panel_rows * panel_rows;
  terms.bias_weights = bias_weights_.data();
  return terms;
}

void LexicalBounds::bound_tile(std::size_t s, const TileScope& tile, RowBounds& bounds) const {
  const QuerySlot& slot = plan().slot(s);
  if (!has_scores(*slot.query, tile.tile.segment)) return temporal_[s]->bound_tile(s, tile, bounds);
  bounds.max_factor[s] = tile.times.max_factor(slot.query->form);
  bounds.rows[s] = {};
  const double extra = !slot.adds_recency() && slot.query->lexical_weight > 0
                           ? filter_by_score(s, tile, bounds)
                           : filter_by_sum(s, tile, bounds);
  if (extra > -infinity)
    bounds.min_similarity[s] =
        min_similarity(slot, thresholds().threshold(s), bounds.max_factor[s], extra);
}

/// Compares lexical scores in place with the least that lets a row reach the threshold. Returns the
/// greatest lexical part of such rows, -infinity without any.
double LexicalBounds::filter_by_score(std::size_t s, const TileScope& scope,
                                      RowBounds& bounds) const {
  const QuerySlot& slot = plan().slot(s);
  const Query& query = *slot.query;
  const double relevance = static_cast<double>(min_similarity(slot, thresholds().threshold(s),
                                                              bounds.max_factor[s], 0)) *
                           query.semantic_weight;
  const double needed = (relevance - max_semantic(s, scope.tile)) / query.lexical_weight;
  const float least = below_threshold(needed - rounding_slack * std::abs(needed));
  BlockBits& rows = bounds.rows[s];
  const float highest =
      filter_block({query.lexical[scope.tile.segment].data() + scope.tile.begin, scope.tile.count},
                   least, scope.visible(slot), rows);
  const bool any = std::any_of(rows.begin(), rows.end(), [](std::uint64_t word) { return word; });
  return any ? query.lexical_weight * static_cast<double>(highest) : -infinity;
}

/// The same row by row, for forms that add a recency and negative weights.
double LexicalBounds::filter_by_sum(std::size_t s, const TileScope& scope,
                                    RowBounds& bounds) const {
  const QuerySlot& slot = plan().slot(s);
  const Query& query = *slot.query;
  const double relevance = static_cast<double>(min_similarity(slot, thresholds().threshold(s),
                                                              bounds.max_factor[s], 0)) *
                           query.semantic_weight;
  const double ceiling = max_semantic(s, scope.tile);
  const float* lexical = query.lexical[scope.tile.segment].data() + scope.tile.begin;
  const double* recencies = slot.adds_recency() ? bounds.recencies[slot.recency].data() : nullptr;
  double most = -infinity;
  for_each(scope.visible(slot), [&](std::size_t i) {
    double extra = query.lexical_weight * static_cast<double>(lexical[i]);
    if (recencies != nullptr)
      extra += query.form.weight * temporal::standardized(*slot.normalization, recencies[i]);
    if (relevance - extra - rounding_slack * std::abs(extra) > ceiling) return;
    bounds.rows[s][i / 64] |= std::uint64_t{1} << (i % 64);
    most = std::max(most, extra);
  });
  return most;
}

}  // namespace asof::vector
