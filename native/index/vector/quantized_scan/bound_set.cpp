// Choice of bound providers, and pruning by the length of rows.
#include "index/vector/quantized_scan/bound_set.hpp"

#include <algorithm>

namespace asof::vector {

BoundSet::BoundSet(const BoundInputs& inputs, const TimeKernels& kernels)
    : inputs_(inputs), plain_(inputs), temporal_(inputs, kernels), recency_(inputs, kernels) {
  const ScanPlan& plan = inputs.plan;
  for (const QuerySlot& slot : plan.slots()) {
    const BoundProvider* providers[] = {&plain_, &temporal_, &recency_};  // by Combine
    slots_.push_back(providers[static_cast<std::size_t>(slot.query->form.combine)]);
  }
  if (plan.lexical()) {
    lexical_ = std::make_unique<LexicalBounds>(inputs, slots_);
    for (std::size_t s = 0; s < plan.size(); ++s) {
      if (plan.slot(s).query->weighs_words()) slots_[s] = lexical_.get();
    }
  }
  if (plan.shared_term() == SharedTerm::lexical) shared_ = lexical_.get();
  if (plan.shared_term() == SharedTerm::recency) shared_ = &recency_;
  if (plan.shared_term() == SharedTerm::factor) shared_ = &temporal_;
}

BlockBits BoundSet::bound_tile(const Tile& tile, RowBounds& bounds) const {
  const ScanPlan& plan = inputs_.plan;
  const BlockTimes times(plan.request().segments[tile.segment].rows, tile.begin, tile.count);
  const TileScope scope{tile, times};
  recency_.open_tile(tile, bounds);
  BlockBits rows{};
  for (std::size_t s = 0; s < plan.size(); ++s) {
    bounds.min_similarity[s] = RowBounds::unreachable;
    if (tile.visible[tile.mask_of[plan.slot(s).q]] == 0 || inputs_.seeds.slot(s).complete) continue;
    slots_[s]->bound_tile(s, scope, bounds);
    for (std::size_t word = 0; word < block_words; ++word) rows[word] |= bounds.rows[s][word];
  }
  return rows;
}

void BoundSet::bound_range(const RangeScope& range, RowBounds& bounds) const {
  shared_->open_range(range, bounds);
  for (std::size_t s = 0; s < slots_.size(); ++s) slots_[s]->bound_range(s, range, bounds);
  prune_by_norm(range.rows, bounds);
}

/// Prunes slots whose minimum no row of the range can reach by its length, as for most ranges of
/// queries with a temporal factor. Not with a lexical part, which could make up for similarity.
void BoundSet::prune_by_norm(const SegmentRange& range, RowBounds& bounds) const {
  const ScanPlan& plan = inputs_.plan;
  auto has_factor = [](const QuerySlot& slot) {
    return slot.query->form.combine != temporal::Combine::none;
  };
  const FlatRows& rows = plan.request().segments[range.segment].rows;
  if (plan.lexical() || !rows.panels ||
      std::none_of(plan.slots().begin(), plan.slots().end(), has_factor))
    return;
  const double norm = static_cast<double>(rows.max_norm(range.begin, range.count));
  for (std::size_t s = 0; s < plan.size(); ++s) {
    const double most = plan.slot(s).norm * norm * (1 + rounding_slack) + rounding_slack;
    if (inputs_.seeds.slot(s).complete || static_cast<double>(bounds.min_similarity[s]) > most)
      bounds.min_similarity[s] = RowBounds::unreachable;
  }
}

}  // namespace asof::vector
