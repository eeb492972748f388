// Bounds of scores from the kernel's bounds of products.
#include "index/vector/quantized_scan/survivors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace asof::vector {
namespace {

constexpr float infinite = std::numeric_limits<float>::infinity();

/// The row's score by a similarity and the form's value.
double score_of(const RowScorer& scorer, double similarity, std::size_t row, double time) {
  return scorer.score_at(scorer.relevance_of(similarity, row), time);
}

/// The survivor without its row factor, which is at least the row's; a little more, for rounding. A
/// factor of 0 leaves no lower bound: a negative similarity counts twice.
quantized::PanelSurvivor unscaled(quantized::PanelSurvivor survivor, float factor) {
  if (!(factor > 0)) return {survivor.query, survivor.row, -infinite, 0};
  survivor.product /= factor;
  survivor.upper = survivor.upper / factor * (1 + 0x1p-20f);
  return survivor;
}

}  // namespace

/// The form's value of the row; of a tile, those that are added were read before.
double SurvivorCollector::row_time(const RowScorer& scorer, std::size_t s, std::size_t row) const {
  const QuerySlot& slot = batch_.plan.slot(s);
  return call_.tile != nullptr && slot.adds_recency()
             ? worker_.bounds.recencies[slot.recency][row - call_.tile->begin]
             : scorer.value(row);
}

/// The least similarity of each slot, or of all that compare one product.
std::span<const float> SurvivorCollector::minima() const {
  if (batch_.plan.one_product()) return {&least_similarity_, 1};
  return worker_.bounds.min_similarity;
}

void SurvivorCollector::update_least() {
  const std::vector<float>& each = worker_.bounds.min_similarity;
  least_similarity_ = *std::min_element(each.begin(), each.end());
}

/// Whether no row can reach a slot of the panel that begins there.
bool SurvivorCollector::pruned(std::size_t first_slot) const {
  const std::span<const float> all = minima(),
                               own = all.subspan(first_slot, std::min(quantized::panel_rows,
                                                                      all.size() - first_slot));
  return std::all_of(own.begin(), own.end(),
                     [](float least) { return least == RowBounds::unreachable; });
}

void SurvivorCollector::scan(const Call& call, const PanelRange& panels,
                             const std::uint64_t* rows) {
  call_ = call;
  const KernelTerms& terms = call_.terms;
  update_least();
  const std::size_t slots = minima().size();
  for (std::size_t first = 0, end; first < slots; first = end) {
    end = std::min(first + quantized::panel_rows, slots);
    if (pruned(first)) continue;
    while (end < slots && !pruned(end)) end = std::min(end + quantized::panel_rows, slots);
    first_slot_ = first;
    const quantized::Scan scan{
        0,
        quantized::panels(panels.rows.n),
        minima().data() + first,
        rows,
        [](void* context, const quantized::PanelSurvivor* candidates, std::size_t count) {
          static_cast<SurvivorCollector*>(context)->take({candidates, count});
        },
        this,
        terms.row_bias,
        terms.row_bias != nullptr ? terms.bias_weights + first : nullptr};
    batch_.plan.packed().survivors(panels, {first, end - first}, scan);
  }
}

void SurvivorCollector::take(std::span<const quantized::PanelSurvivor> survivors) {
  if (call_.plain) return take_plain(survivors);
  const std::size_t slots = batch_.plan.one_product() ? batch_.plan.size() : 1;
  for (quantized::PanelSurvivor survivor : survivors) {
    for (std::size_t each = 0; each < slots; ++each, ++survivor.query) take_one(survivor);
  }
}

void SurvivorCollector::take_one(const quantized::PanelSurvivor& scaled) {
  const std::size_t s = first_slot_ + scaled.query, row = call_.base + scaled.row;
  const float* factors = call_.terms.row_factors;
  const quantized::PanelSurvivor survivor =
      factors != nullptr ? unscaled(scaled, factors[scaled.row]) : scaled;
  const QuerySlot& slot = batch_.plan.slot(s);
  if (call_.tile != nullptr) {
    const std::size_t i = row - call_.tile->begin;
    if ((worker_.bounds.rows[s][i / 64] >> (i % 64) & 1) == 0 ||
        worker_.bounds.min_similarity[s] == RowBounds::unreachable)
      return;
  }
  if (!batch_.plan.certified()) return take_inexact(survivor, s, row);
  const RowScorer scorer = batch_.plan.scorer(slot, call_.segment);
  const double threshold = batch_.thresholds.threshold(s),
               most = static_cast<double>(survivor.upper);
  double time = 1;
  if (!slot.plain) {
    // The row's time is read only if its similarity can reach the threshold at the best time.
    const bool multiplies = scorer.query.form.combine == temporal::Combine::product;
    const double best = factors != nullptr ? static_cast<double>(factors[scaled.row])
                                           : worker_.bounds.max_factor[s];
    if (multiplies && threshold > 0 &&
        score_of(scorer, most, row, best) * (1 + rounding_slack) < threshold)
      return;
    time = row_time(scorer, s, row);
    if (call_.tile == nullptr && batch_.seeds.slot(s).scored(time)) return;
  }
  const double weight = scorer.query.semantic_weight;
  const double upper = slot.plain ? weight * most : score_of(scorer, most, row, time);
  if (upper < threshold) return;
  double least = 2 * static_cast<double>(survivor.product) - most;
  least -= rounding_slack * (std::abs(least) + std::abs(most));
  const double lower = slot.plain ? weight * least : score_of(scorer, least, row, time);
  push(s, {std::isnan(upper) ? infinite : round_up(upper),
           std::isnan(lower) ? -infinite : round_down(lower),
           static_cast<std::uint32_t>(call_.segment), static_cast<std::uint32_t>(row)});
}

/// Survivors of slots that are all plain, or whose row factors are exact to 3 millionths. Every
/// float is widened by more than its roundings and that.
void SurvivorCollector::take_plain(std::span<const quantized::PanelSurvivor> survivors) {
  constexpr float slack = 4 * static_cast<float>(rounding_slack), widened = 0x1p-21f,
                  least_float = std::numeric_limits<float>::min();
  const bool certified = batch_.plan.certified(), scaled = call_.terms.row_factors != nullptr;
  const std::uint32_t segment = static_cast<std::uint32_t>(call_.segment),
                      base = static_cast<std::uint32_t>(call_.base);
  CandidateList* const lists = worker_.candidates.lists() + first_slot_;
  // Below it, the difference of a factor and its bound may count.
  constexpr float least_factor = 0x1p-8f;
  const float* factors = call_.terms.row_factors;
  for (const quantized::PanelSurvivor& survivor : survivors) {
    if (std::isinf(survivor.upper) || (scaled && factors[survivor.row] < least_factor)) {
      take_one(survivor);
      continue;
    }
    CandidateList& list = lists[survivor.query];
    const float weight = static_cast<float>(list.semantic_weight);
    Candidate candidate{0, survivor.product, segment, base + survivor.row};
    if (certified) {
      const float most =
          scaled ? survivor.upper + slack * std::fabs(survivor.upper) : survivor.upper;
      const float least = 2 * survivor.product - most;
      const float high = weight * most,
                  low = weight * (least - slack * (std::fabs(least) + std::fabs(most)));
      candidate.upper = high + (std::fabs(high) * widened + least_float);
      candidate.lower = low - (std::fabs(low) * widened + least_float);
      if (scaled) {  // a negative score is not its product with the factor, but it is negative
        candidate.upper = std::max(candidate.upper, 0.0f);
        if (!(candidate.lower > 0)) candidate.lower = -infinite;
      }
    } else {
      candidate.upper =
          static_cast<float>(list.semantic_weight * static_cast<double>(survivor.product));
    }
    list.rows.push_back(candidate);
    if (list.rows.size() >= list.capacity)
      make_room(static_cast<std::size_t>(&list - worker_.candidates.lists()));
  }
}

void SurvivorCollector::take_inexact(const quantized::PanelSurvivor& survivor, std::size_t s,
                                     std::size_t row) {
  const QuerySlot& slot = batch_.plan.slot(s);
  const RowScorer scorer = batch_.plan.scorer(slot, call_.segment);
  const std::size_t d = batch_.plan.request().dimensions;
  float similarity = survivor.product;
  if (std::isinf(survivor.upper)) {  // the row has no usable panel
    kernels_.block({slot.vector, 1, d}, {scorer.rows.vectors_at(row), 1, d}, d, &similarity, 1);
    worker_.rescored[s] += 1;
  }
  const double product = static_cast<double>(similarity);
  const float score =
      static_cast<float>(slot.plain ? scorer.query.semantic_weight * product
                                    : score_of(scorer, product, row, row_time(scorer, s, row)));
  if (!(static_cast<double>(score) >= batch_.thresholds.threshold(s))) return;
  push(s, {score, similarity, static_cast<std::uint32_t>(call_.segment),
           static_cast<std::uint32_t>(row)});
}

void SurvivorCollector::push(std::size_t s, const Candidate& candidate) {
  CandidateList& list = worker_.candidates.list(s);
  list.rows.push_back(candidate);
  if (list.rows.size() >= list.capacity) make_room(s);
}

/// Cuts the slot's list and raises the minimum for the rest of the call.
void SurvivorCollector::make_room(std::size_t s) {
  if (worker_.candidates.prune(s, batch_.thresholds, batch_.sampling))
    worker_.rescored[s] +=
        static_cast<double>(batch_.rescorer.resolve(s, worker_.candidates.list(s)));
  const BoundProvider& bounds = batch_.bounds.slot(s);
  if (call_.tile != nullptr)
    bounds.tighten_tile(s, worker_.bounds);
  else
    bounds.tighten_range(s, call_.terms, worker_.bounds);
  update_least();
}

}  // namespace asof::vector
