// What a batch guesses of its winners from a sample of the rows: thresholds that leave nearly all
// rows out from the start, where certain ones grow over half of the scan. A guess that was too high
// is found out at the end, since fewer than k rows reach it; those queries are scanned again.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/threads.hpp"
#include "index/vector/kth_largest.hpp"
#include "index/vector/quantized_scan/call.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;

}  // namespace

/// Of the best `keep` rows, keep * share lie in that share of all, give or take a few roots of
/// that. A rank this far beyond is hardly ever too good.
std::size_t Coarse::rank_within(double share) const {
  const double kept = static_cast<double>(keep_[slots_.front().q]), mean = kept * share;
  return static_cast<std::size_t>(std::ceil(mean + 3 * std::sqrt(mean * (1 - share)) + 2));
}

void Coarse::open_guesses() {
  constexpr std::size_t least_queries = 8, least_rows = 64 * schema::block_rows;
  gathers_ = may_gather();
  // What four bits cannot leave out is read in eight, so that a threshold that grows slowly costs
  // even one query.
  const bool planes = nibble_block_.has_value();
  if (words_ || slots_.size() < (planes ? 1 : least_queries) || rows_ < least_rows) return;
  const auto& segments = request_.segments;
  if (std::any_of(segments.begin(), segments.end(),
                  [](const SearchSegment& segment) { return !segment.visible.empty(); }))
    return;
  // Late ones lie close together, and so may the best rows of a window of few tiles.
  if (shared_recency_ && time_decides()) return;
  if (gathers_ && std::all_of(slots_.begin(), slots_.end(),
                              [&](const Slot& slot) { return selectivities_[slot.q].sparse; }))
    return;
  for (Slot& slot : slots_)
    slot.guesses = shared_recency_ || query(slot.q).form.combine != Combine::sum;
  auto broad = [&](const Slot& slot) { return selectivities_[slot.q].broad; };
  const bool all =
      std::all_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.guesses; });
  const bool together = one_mask_ || std::all_of(slots_.begin(), slots_.end(), broad);
  if (!planes && all && together && (plain_ || shared_recency_ || (one_spline_ && exact_spline_)))
    return open_units();
  for (Slot& slot : slots_) slot.guesses = slot.guesses && broad(slot) && !shared_recency_;
  const std::size_t rank = rank_within(1.0 / sample_step);
  if (sample_step * rank > 4 * keep_[slots_.front().q]) return;
  sampling_ = true;
  sample_rank_ = rank;
}

/// The larger the sample, the fewer rows wait: one that does costs as much as multiplying some
/// others.
void Coarse::open_units() {
  // Components, and queries for which a row that has a panel is multiplied. (What a short corpus
  // waits for weighs more beside panels that are made.)
  const double row_costs = (makes_ ? 160 : 80) * 256, making_costs = 700;
  const double making = makes_ ? 1 + making_costs / static_cast<double>(slots_.size()) : 1;
  double least = infinity;
  const double rows = selectivities_[slots_.front().q].rows;
  for (const std::size_t step : {4, 8, 16}) {
    const double survivors = static_cast<double>(step * rank_within(1 / static_cast<double>(step)));
    const double cost =
        rows / static_cast<double>(step) * static_cast<double>(request_.dimensions) * making +
        row_costs * survivors;
    if (cost >= least || 4 * survivors > rows) continue;
    least = cost;
    unit_step_ = step;
    expected_ = static_cast<std::size_t>(survivors *
                                         (request_.exactness == Exactness::certified ? 2.5 : 1.25));
  }
  if (unit_step_ == 0) return;
  sample_rank_ = rank_within(1 / static_cast<double>(unit_step_));
  // Of so many groups, the best rows of the sample share few.
  groups_ = (std::max(4 * unit_rows, 8 * sample_rank_) + unit_rows - 1) / unit_rows * unit_rows;
}

/// Keeps the greatest products of groups of rows, one of a unit each; of units where passages pool,
/// whose rows lie together.
void Coarse::sample(const Call& call, const quantized::Rows& given,
                    const quantized::Queries& queries, const std::uint64_t* seen) {
  constexpr float none = -std::numeric_limits<float>::infinity();
  Lane& lane = call.lane;
  const FlatRows& rows = request_.segments[call.segment].rows;
  const Form& form = query(slots_.front().q).form;
  lane.products.resize(queries.nq * unit_rows);
  const std::size_t base = call.base / panel_rows, first = (base + unit_panels - 1) / unit_panels,
                    at = unit_step_ / 2;
  for (std::size_t unit = first + (at + unit_step_ - first % unit_step_) % unit_step_;;
       unit += unit_step_) {
    const std::size_t panel = unit * unit_panels - base, row = panel * panel_rows;
    if (row + unit_rows > given.n) return;
    const std::uint64_t early = seen[row / 64] >> (row % 64),
                        late = row % 64 > unit_rows ? seen[row / 64 + 1] << (64 - row % 64) : 0;
    const std::uint32_t shown = static_cast<std::uint32_t>(early | late);
    if (shown == 0) continue;
    float factors[unit_rows];
    if (one_spline_ && !most_splines_of(form, rows, call.base + row, unit_rows, splines_, factors))
      continue;
    if (makes_)
      quantized_.products(panels_of(lane, call.segment, call.base + row, unit_rows), queries, 0,
                          unit_panels, lane.products.data(), unit_rows);
    else
      quantized_.products(given, queries, panel, panel + unit_panels, lane.products.data(),
                          unit_rows);
    const std::size_t ordinal = unit / unit_step_;
    for (std::size_t s = 0; s < queries.nq; ++s) {
      float *products = &lane.products[s * unit_rows], *peaks = &lane.peaks[s * groups_];
      for (std::size_t i = 0; one_spline_ && i < unit_rows; ++i) products[i] *= factors[i];
      if (shared_recency_) sample_beside(call.segment, call.base + row, s, products, factors);
      for (std::uint32_t hidden = ~shown; hidden != 0; hidden &= hidden - 1)
        products[__builtin_ctz(hidden)] = none;
      if (request_.pool) {
        float& peak = peaks[ordinal % groups_];
        peak = std::max(peak, *std::max_element(products, products + unit_rows));
      } else {
        peaks += ordinal * unit_rows % groups_;
        for (std::size_t i = 0; i < unit_rows; ++i)
          peaks[i] = products[i] > peaks[i] ? products[i] : peaks[i];
      }
    }
  }
}

void Coarse::stop_sampling_units(const std::vector<Lane*>& lanes) {
  constexpr std::size_t together = 16;  // slots a task
  unit_step_ = 0;
  parallel_for((slots_.size() + together - 1) / together, 0, [&](std::size_t piece, std::size_t) {
    std::vector<std::int32_t> keys(groups_);
    for (std::size_t s = piece * together; s < std::min(slots_.size(), (piece + 1) * together);
         ++s) {
      std::fill(keys.begin(), keys.end(), std::numeric_limits<std::int32_t>::min());
      for (const Lane* lane : lanes) {
        if (lane->peaks.empty()) continue;
        const float* own = &lane->peaks[s * groups_];
        for (std::size_t i = 0; i < groups_; ++i) keys[i] = std::max(keys[i], order_key(own[i]));
      }
      const double product = static_cast<double>(value_of_key(kth_largest(keys, sample_rank_)));
      if (product > -infinity)
        raise(guesses_[s],
              query(slots_[s].q).semantic_weight * (product - rounding_slack * std::abs(product)));
    }
  });
}

/// Raises the slot's guess to what the best of the sample's rows score.
void Coarse::guess_from(Reach& reach, std::size_t s, std::span<const Pending> rows) const {
  const bool certified = request_.exactness == Exactness::certified;
  reach.leaders.clear();
  reach.keys.clear();
  for (const Pending& each : rows) {
    // Halfway between the bounds lies what the panel says; of a row that it says nothing of, the
    // lower one is -infinity.
    const double likely =
        certified ? (static_cast<double>(each.most) + static_cast<double>(each.least)) / 2
                  : static_cast<double>(each.most);
    if (!(likely > -infinity)) continue;
    if (request_.pool)
      reach.leaders.push_back({name_of(request_, each.segment, each.row), likely});
    else
      reach.keys.push_back(order_key_below(likely));
  }
  raise(guesses_[s],
        request_.pool ? reached(reach.leaders, sample_rank_) : reached(reach.keys, sample_rank_));
}

void Coarse::stop_sampling(const std::vector<Lane*>& lanes) {
  if (!std::exchange(sampling_, false)) return;
  Reach reach;
  std::vector<Pending> rows;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    rows.clear();
    for (const Lane* lane : lanes) {
      if (!lane->waiting.empty())
        rows.insert(rows.end(), lane->waiting[s].rows.begin(), lane->waiting[s].rows.end());
    }
    if (slots_[s].guesses) guess_from(reach, s, rows);
    for (Lane* lane : lanes) {
      if (lane->waiting.empty()) continue;
      Waiting& waiting = lane->waiting[s];
      drop_below(waiting.rows, threshold_of(s));
      waiting.room = std::max(2 * waiting.rows.size(), waiting_most_);
    }
  }
}

/// What a row of the slot must score to be of use.
double Coarse::threshold_of(std::size_t s) const {
  return std::max(best_[slots_[s].q].load(std::memory_order_relaxed),
                  guesses_[s].load(std::memory_order_relaxed));
}

bool Coarse::missed() {
  std::vector<Slot> again;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!wrong_[s].load(std::memory_order_relaxed)) continue;
    again.push_back(slots_[s]);
    // What guesses had no part in stays: segments that are not read by panels are not scanned
    // again.
    for (std::size_t segment = 0; segment < request_.segments.size(); ++segment) {
      if (reads(segment)) results_->drop(segment, slots_[s].q);
    }
  }
  if (again.empty()) return false;
  groups_ = 0;
  slots_ = std::move(again);
  open_slots();
  return true;
}

}  // namespace asof::vector
