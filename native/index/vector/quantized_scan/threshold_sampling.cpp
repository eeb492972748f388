// Choice of the sample, and estimates from its best rows.
#include "index/vector/quantized_scan/threshold_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/threads.hpp"
#include "index/vector/kth_largest.hpp"
#include "index/vector/quantized_scan/worker.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;
constexpr float no_estimate = -std::numeric_limits<float>::infinity();

/// The visible rows of the unit that begins at `row`.
std::uint32_t unit_bits(const std::uint64_t* visible, std::size_t row) {
  const std::size_t bit = row % 64;
  const std::uint64_t low = visible[row / 64] >> bit,
                      high = bit > unit_rows ? visible[row / 64 + 1] << (64 - bit) : 0;
  return static_cast<std::uint32_t>(low | high);
}

void apply_terms(const UnitTerms& terms, std::size_t s, float* products) {
  if (terms.factors != nullptr) {
    for (std::size_t i = 0; i < unit_rows; ++i) products[i] *= terms.factors[i];
  }
  if (terms.bias != nullptr) {
    const float weight = terms.bias_weights[s], constant = terms.constants[s];
    for (std::size_t i = 0; i < unit_rows; ++i) products[i] += weight * terms.bias[i] + constant;
  }
}

}  // namespace

ThresholdSampling::ThresholdSampling(const ScanPlan& plan, const BoundSet& bounds)
    : plan_(&plan), slots_(plan.size()) {
  constexpr std::size_t min_queries = 8, min_rows = 64 * block_rows;
  const auto& slots = plan.slots();
  const auto& segments = plan.request().segments;
  const bool shares_recency = plan.shared_term() == SharedTerm::recency;
  // Rows that four bits do not exclude are read in eight: slow thresholds cost even one query.
  const bool int4 = plan.packed().has_int4();
  if (plan.lexical() || slots.size() < (int4 ? 1 : min_queries) || plan.rows() < min_rows) return;
  if (std::any_of(segments.begin(), segments.end(),
                  [](const VisibleRows& segment) { return !segment.visible.empty(); }))
    return;
  // Late rows are adjacent, and so are the best rows of a window of few tiles.
  if (bounds.recency().decides()) return;
  if (plan.sparse_rows() && std::all_of(slots.begin(), slots.end(),
                                        [](const QuerySlot& slot) { return slot.window.sparse; }))
    return;
  auto broad = [](const QuerySlot& slot) { return slot.window.broad; };
  auto adds_recency = [](const QuerySlot& slot) { return slot.adds_recency(); };
  const bool all = shares_recency || std::none_of(slots.begin(), slots.end(), adds_recency);
  const bool same_tiles = plan.one_mask() || std::all_of(slots.begin(), slots.end(), broad);
  const bool exact_products = plan.plain() || shares_recency || plan.exact_factors();
  if (!int4 && all && same_tiles && exact_products) {
    if (choose_units()) slots_.assign(slots.size(), true);
    return;
  }
  const std::size_t rank = rank_within(1.0 / tile_step);
  for (std::size_t s = 0; s < slots.size(); ++s)
    slots_[s] = !slots[s].adds_recency() && broad(slots[s]) && !shares_recency;
  if (tile_step * rank > 4 * slots.front().keep) return;
  by_tiles_ = true;
  rank_ = rank;
}

/// Of the best k rows, k * share lie in a sample of that share, plus or minus a few square roots of
/// it. Rows of this rank in the sample hardly ever score more than the k-th of all.
std::size_t ThresholdSampling::rank_within(double share) const {
  const double mean = static_cast<double>(plan_->slot(0).keep) * share;
  return static_cast<std::size_t>(std::ceil(mean + 3 * std::sqrt(mean * (1 - share)) + 2));
}

/// A larger sample costs products and saves candidates, each as expensive as `candidate_cost`
/// component products.
bool ThresholdSampling::choose_units() {
  // A short corpus's candidates weigh more next to on-the-fly panels.
  const bool packs = plan_->packs_on_the_fly();
  const double candidate_cost = (packs ? 160 : 80) * 256, packing_cost = 700;
  const double packing = packs ? 1 + packing_cost / static_cast<double>(plan_->size()) : 1;
  const double rows = plan_->slot(0).window.rows;
  double min_cost = infinity;
  for (const std::size_t step : {4, 8, 16}) {
    const double candidates =
        static_cast<double>(step * rank_within(1 / static_cast<double>(step)));
    const double products = rows / static_cast<double>(step) *
                            static_cast<double>(plan_->request().dimensions) * packing;
    const double cost = products + candidate_cost * candidates;
    if (cost >= min_cost || 4 * candidates > rows) continue;
    min_cost = cost;
    unit_step_ = step;
    expected_ = static_cast<std::size_t>(candidates * (plan_->certified() ? 2.5 : 1.25));
  }
  if (unit_step_ == 0) return false;
  rank_ = rank_within(1 / static_cast<double>(unit_step_));
  // With this number of groups, few of the best rows of the sample share one.
  groups_ = (std::max(4 * unit_rows, 8 * rank_) + unit_rows - 1) / unit_rows * unit_rows;
  return true;
}

std::size_t ThresholdSampling::capacity(std::size_t s, std::size_t usual) const {
  if (groups_ > 0) return plan_->max_candidates();
  return samples(s) ? 4 * rank_ + 64 : usual;
}

void ThresholdSampling::raise_estimate(std::size_t s, std::span<const Candidate> rows,
                                       const ThresholdTracker& thresholds) const {
  std::vector<BoundedHit> hits;
  std::vector<std::int32_t> keys;
  for (const Candidate& each : rows) {
    // The middle of the bounds is the panel's estimate, -infinity without a lower bound.
    const double estimate =
        plan_->certified() ? (static_cast<double>(each.upper) + static_cast<double>(each.lower)) / 2
                           : static_cast<double>(each.upper);
    if (!(estimate > -infinity)) continue;
    if (plan_->request().pool)
      hits.push_back({hit_key(plan_->request(), each.segment, each.row), estimate});
    else
      keys.push_back(order_key_below(estimate));
  }
  thresholds.raise_estimate(
      s, plan_->request().pool ? kth_score(hits, rank_) : kth_largest_or_none(keys, rank_));
}

void ThresholdSampling::sample_units(const SampledRange& range, const BoundSet& bounds,
                                     const PanelSource& source, ScanWorker& worker) const {
  const PanelRange& panels = range.panels;
  const std::size_t slots = plan_->size();
  const quantized::Queries queries = plan_->packed().view(panels.rows.storage);
  const quantized::Kernels& kernels = quantized::kernels();
  Buffer& buffer = worker.sample;
  if (buffer.peaks.empty()) buffer.peaks.assign(slots * groups_, no_estimate);
  buffer.products.resize(slots * unit_rows);
  const std::size_t first = (panels.first_panel + unit_panels - 1) / unit_panels,
                    offset = unit_step_ / 2;
  for (std::size_t unit = first + (offset + unit_step_ - first % unit_step_) % unit_step_;;
       unit += unit_step_) {
    const std::size_t panel = unit * unit_panels - panels.first_panel, row = panel * panel_rows;
    if (row + unit_rows > panels.rows.n) return;
    const std::uint32_t visible = unit_bits(range.visible, row);
    if (visible == 0) continue;
    const SegmentRange rows{panels.segment, unit * unit_rows, unit_rows};
    float values[unit_rows];
    UnitTerms terms;
    if (!bounds.shared().unit_terms(rows, values, terms)) continue;
    if (source.on_the_fly())
      kernels.products(source.panels(rows, worker.panels).rows, queries, {0, unit_panels},
                       buffer.products.data(), unit_rows);
    else
      kernels.products(panels.rows, queries, {panel, panel + unit_panels}, buffer.products.data(),
                       unit_rows);
    for (std::size_t s = 0; s < slots; ++s) {
      float* products = &buffer.products[s * unit_rows];
      apply_terms(terms, s, products);
      for (std::uint32_t hidden = ~visible; hidden != 0; hidden &= hidden - 1)
        products[__builtin_ctz(hidden)] = no_estimate;
      keep_peaks(s, unit / unit_step_, products, buffer);
    }
  }
}

/// Groups take one row of a unit each; one unit where passages pool, whose rows are adjacent.
void ThresholdSampling::keep_peaks(std::size_t s, std::size_t ordinal, const float* estimates,
                                   Buffer& buffer) const {
  float* peaks = &buffer.peaks[s * groups_];
  if (plan_->request().pool) {
    float& peak = peaks[ordinal % groups_];
    peak = std::max(peak, *std::max_element(estimates, estimates + unit_rows));
    return;
  }
  peaks += ordinal * unit_rows % groups_;
  for (std::size_t i = 0; i < unit_rows; ++i)
    peaks[i] = estimates[i] > peaks[i] ? estimates[i] : peaks[i];
}

void ThresholdSampling::end_units(std::span<const Buffer* const> buffers,
                                  const ThresholdTracker& thresholds) {
  constexpr std::size_t task_slots = 16;
  const std::size_t slots = plan_->size();
  unit_step_ = 0;
  parallel_for((slots + task_slots - 1) / task_slots, 0, [&](std::size_t piece, std::size_t) {
    std::vector<std::int32_t> keys(groups_);
    for (std::size_t s = piece * task_slots; s < std::min(slots, (piece + 1) * task_slots); ++s) {
      std::fill(keys.begin(), keys.end(), std::numeric_limits<std::int32_t>::min());
      for (const Buffer* buffer : buffers) {
        if (buffer->peaks.empty()) continue;
        const float* peaks = &buffer->peaks[s * groups_];
        for (std::size_t i = 0; i < groups_; ++i) keys[i] = std::max(keys[i], order_key(peaks[i]));
      }
      const double product = static_cast<double>(value_of_key(kth_largest(keys, rank_)));
      if (product > -infinity)
        thresholds.raise_estimate(s, plan_->slot(s).query->semantic_weight *
                                         (product - rounding_slack * std::abs(product)));
    }
  });
}

}  // namespace asof::vector
