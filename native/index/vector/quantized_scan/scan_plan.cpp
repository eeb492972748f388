// Construction of slots, and classification of their shared terms.
#include "index/vector/quantized_scan/scan_plan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/vector/times/block_times.hpp"

namespace asof::vector {

RecencySum::RecencySum(const temporal::Form& form, const standardize::Map& map)
    : constant(form.weight * map.mean_to - form.weight * map.factor * map.mean_from),
      factor(form.weight * map.factor),
      mean(map.mean_from) {
  // Rounds differently from the sum of a score.
  constant += rounding_slack * (std::abs(form.weight * map.mean_to) + std::abs(factor * mean));
}

ScanPlan::ScanPlan(const Request& request, const QueryGroup& group)
    : request_(&request), rows_(group.rows), max_candidates_(group.max_candidates) {
  for (std::size_t q = 0; q < group.active.size(); ++q) {
    if (group.active[q]) add_slot(group, q);
  }
  if (slots_.empty()) return;
  packs_on_the_fly_ =
      std::none_of(request.segments.begin(), request.segments.end(),
                   [](const VisibleRows& segment) { return segment.rows.panels.has_value(); });
  for (const QuerySlot& slot : slots_) {
    lexical_ = lexical_ || slot.query->weighs_words();
    one_mask_ = one_mask_ && slot.query->mask == slots_.front().query->mask;
  }
  sort_by_window();
  sparse_rows_ = !lexical_ && !packs_on_the_fly_ && certified() &&
                 std::none_of(slots_.begin(), slots_.end(),
                              [](const QuerySlot& slot) { return slot.adds_recency(); });
  if (shares_factor()) {
    shared_term_ = SharedTerm::factor;
    exact_factors_ = temporal::has_exact_bounds(slots_.front().query->form);
  }
  pack();
  classify();
}

ScanPlan::ScanPlan(const ScanPlan& all, const std::vector<std::size_t>& slots) : ScanPlan(all) {
  slots_.clear();
  for (const std::size_t s : slots) slots_.push_back(all.slots_[s]);
  pack();
  classify();
}

void ScanPlan::add_slot(const QueryGroup& group, std::size_t q) {
  QuerySlot slot;
  slot.q = q;
  slot.query = &request_->queries[group.first + q];
  slot.vector = request_->vectors.data() + (group.first + q) * request_->dimensions;
  slot.normalization = &group.normalization.maps()[q];
  slot.window = group.windows[q];
  slot.keep = group.keep[q];
  double squares = 0;
  for (std::size_t c = 0; c < request_->dimensions; ++c)
    squares += static_cast<double>(slot.vector[c]) * static_cast<double>(slot.vector[c]);
  slot.norm = std::sqrt(squares) * (1 + 1e-9);
  const temporal::Form& form = slot.query->form;
  slot.max_factor = temporal::max_factor(form);
  slot.plain = form.combine == temporal::Combine::none && slot.query->lexical.empty();
  if (slot.adds_recency()) {
    const auto same =
        std::find_if(recency_forms_.begin(), recency_forms_.end(),
                     [&](const temporal::Form& each) { return same_value(each, form); });
    slot.recency = static_cast<std::size_t>(same - recency_forms_.begin());
    if (same == recency_forms_.end()) recency_forms_.push_back(form);
    if (!slot.query->normalizes()) return slots_.push_back(slot);
    const TopRecencies& top = group.normalization.top_recencies(group.normalization.recency_of(q));
    if (form.weight > 0 && certified() && top.rest_max < infinity) slot.top_recencies = &top;
  }
  slots_.push_back(slot);
}

/// Queries of similar windows are active in the same tiles.
void ScanPlan::sort_by_window() {
  auto earlier = [](const QuerySlot& a, const QuerySlot& b) {
    const temporal::Mask &left = a.query->mask, &right = b.query->mask;
    return std::pair(left.window.start, left.published_until) <
           std::pair(right.window.start, right.published_until);
  };
  std::stable_sort(slots_.begin(), slots_.end(), earlier);
}

void ScanPlan::pack() {
  std::vector<float> vectors;
  vectors.reserve(slots_.size() * request_->dimensions);
  for (const QuerySlot& slot : slots_)
    vectors.insert(vectors.end(), slot.vector, slot.vector + request_->dimensions);
  packed_ = std::make_shared<PackedQueries>(*request_, vectors, packs_on_the_fly_);
}

void ScanPlan::classify() {
  plain_ =
      std::all_of(slots_.begin(), slots_.end(), [](const QuerySlot& slot) { return slot.plain; });
  if (shared_term_ == SharedTerm::factor) return;
  shared_term_ = shares_lexical()   ? SharedTerm::lexical
                 : shares_recency() ? SharedTerm::recency
                                    : SharedTerm::none;
  one_product_ = shared_term_ == SharedTerm::lexical && shares_vector();
}

/// Queries of one question that differ in their times alone.
bool ScanPlan::shares_vector() const {
  const float* first = slots_.front().vector;
  return std::all_of(slots_.begin(), slots_.end(), [&](const QuerySlot& slot) {
    return std::equal(first, first + request_->dimensions, slot.vector);
  });
}

/// Few slots with the same lexical scores, semantic and lexical weights; panels but of bf16.
bool ScanPlan::shares_lexical() const {
  const Query& first = *slots_.front().query;
  constexpr double max_weight = 1e18;  // lexical over semantic: more overflows single precision
  constexpr std::size_t max_queries = 4;
  if (!lexical_ || slots_.size() > max_queries) return false;
  if (!(first.lexical_weight >= 0 && first.lexical_weight <= max_weight * first.semantic_weight))
    return false;
  auto supported = [](const VisibleRows& segment) {
    return !segment.rows.panels || segment.rows.panels->storage != quantized::Storage::bf16;
  };
  if (!std::all_of(request_->segments.begin(), request_->segments.end(), supported)) return false;
  return std::all_of(slots_.begin(), slots_.end(), [&](const QuerySlot& slot) {
    const Query& query = *slot.query;
    if (slot.adds_recency() || query.semantic_weight != first.semantic_weight ||
        query.lexical_weight != first.lexical_weight)
      return false;
    auto same = [](const auto& a, const auto& b) { return a.data() == b.data(); };
    return std::equal(query.lexical.begin(), query.lexical.end(), first.lexical.begin(),
                      first.lexical.end(), same);
  });
}

/// All slots add the same values, and nothing else.
bool ScanPlan::shares_recency() const {
  constexpr double max = 0x1p20;  // of weights and recencies: products fit single precision
  if (lexical_ || recency_forms_.size() != 1 || !certified()) return false;
  auto supported = [](const VisibleRows& segment) {
    return !segment.rows.panels || segment.rows.panels->storage != quantized::Storage::int4;
  };
  if (!std::all_of(request_->segments.begin(), request_->segments.end(), supported) ||
      !(temporal::range(recency_forms_.front()).greatest <= max))
    return false;
  return std::all_of(slots_.begin(), slots_.end(), [&](const QuerySlot& slot) {
    if (!slot.adds_recency()) return false;
    const RecencySum sum(slot.query->form, *slot.normalization);
    const double weight = sum.factor / slot.query->semantic_weight;
    return weight >= 0 && weight <= max && sum.mean >= 0 && sum.mean <= max &&
           std::isfinite(sum.constant);
  });
}

/// Enough slots for their kind multiply by the same value, without a lexical part and without a
/// factor outside [0, 2].
bool ScanPlan::shares_factor() const {
  const temporal::Form& form = slots_.front().query->form;
  if (form.combine != temporal::Combine::product || lexical_ || !certified()) return false;
  if (slots_.size() < temporal::min_shared(form)) return false;
  const auto [least, greatest] = temporal::range(form);
  return least >= 0 && greatest <= 2 &&
         std::all_of(slots_.begin(), slots_.end(), [&](const QuerySlot& slot) {
           return slot.query->form.combine == form.combine && same_value(slot.query->form, form);
         });
}

}  // namespace asof::vector
