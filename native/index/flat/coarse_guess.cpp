// What a batch guesses of its winners from a sample of the rows: thresholds that leave nearly all rows out from the start, where certain ones grow
// over half of the scan. A guess that was too high is found out at the end, since fewer than k rows reach it; those queries are scanned again.
#include <algorithm>
#include <cmath>
#include <utility>

#include "index/flat/coarse.hpp"

namespace asof::flat {

/// Not where the best rows may lie close together: in a window of few rows, or late.
bool Coarse::guesses(const Slot& slot) const { return query(slot.q).form.combine != Combine::sum && broad_[slot.q]; }

void Coarse::open_guesses() {
  constexpr std::size_t least_queries = 8, least_tiles = 64;
  const std::size_t k = request_.k * (request_.exactness == Exactness::rescored ? 4 : 1);
  // Of the best k rows, k / step lie in the sample, give or take a few roots of that. A rank this far beyond is hardly ever too good.
  const double share = static_cast<double>(k) / sample_step;
  const std::size_t rank = static_cast<std::size_t>(std::ceil(share + 4 * std::sqrt(share) + 3));
  if (words_ || slots_.size() < least_queries) return;
  if (rows_ < least_tiles * schema::block_rows || sample_step * rank > 4 * k) return;
  const auto& segments = request_.segments;
  if (std::any_of(segments.begin(), segments.end(), [](const SearchSegment& segment) { return !segment.visible.empty(); })) return;
  sampling_ = true;
  sample_rank_ = rank;
  for (Slot& slot : slots_) slot.guesses = guesses(slot);
}

/// Raises the slot's guess to what the best of the sample's rows score.
void Coarse::guess_from(Reach& reach, std::size_t s, std::span<const Pending> rows) const {
  const bool certified = request_.exactness == Exactness::certified;
  reach.leaders.clear();
  reach.scores.clear();
  for (const Pending& each : rows) {
    // Halfway between the bounds lies what the panel says; of a row that it says nothing of, the lower one is -infinity.
    const double likely = certified ? (static_cast<double>(each.most) + static_cast<double>(each.least)) / 2 : static_cast<double>(each.most);
    if (!(likely > -infinity)) continue;
    if (request_.pool) reach.leaders.push_back({name_of(request_, each.segment, each.row), likely});
    else reach.scores.push_back(likely);
  }
  raise(guesses_[s], request_.pool ? reached(reach.leaders, sample_rank_) : reached(reach.scores, sample_rank_));
}

void Coarse::stop_sampling(const std::vector<Lane*>& lanes) {
  if (!std::exchange(sampling_, false)) return;
  Reach reach;
  std::vector<Pending> rows;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    rows.clear();
    for (const Lane* lane : lanes) {
      if (!lane->waiting.empty()) rows.insert(rows.end(), lane->waiting[s].rows.begin(), lane->waiting[s].rows.end());
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
  return std::max(best_[slots_[s].q].load(std::memory_order_relaxed), guesses_[s].load(std::memory_order_relaxed));
}

bool Coarse::missed() {
  std::vector<Slot> again;
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!wrong_[s].load(std::memory_order_relaxed)) continue;
    again.push_back(slots_[s]);
    for (std::size_t segment = 0; segment < request_.segments.size(); ++segment) finds_->at(segment, slots_[s].q).take();
  }
  if (again.empty()) return false;
  slots_ = std::move(again);
  open_slots();
  return true;
}

}  // namespace asof::flat
