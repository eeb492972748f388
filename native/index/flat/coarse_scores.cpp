// What becomes of a tile's survivors: their times, the wait, and the scores of those that can still win. See coarse.hpp.
#include <algorithm>
#include <cmath>

#include "core/threads.hpp"
#include "index/flat/coarse_call.hpp"

namespace asof::flat {

/// The row's score with this similarity; c is its factor where the form multiplies.
double Coarse::score(const Scored& scored, const Lane& lane, const Slot& slot, double similarity, std::size_t row, std::size_t i, double c) const {
  const double relevance = scored.relevance_of(similarity, row);
  if (scored.query.form.combine == Combine::sum) return scored.summed(relevance, lane.recencies[slot.recency][i]);
  return scored.timed(relevance, c);
}

void Coarse::take(Call& call, const quantized::Candidate& candidate) {
  const std::size_t s = call.first_slot + candidate.query, row = call.base + candidate.row, i = row - call.tile.begin;
  const Slot& slot = slots_[s];
  if ((call.lane.reach[s][i / 64] >> (i % 64) & 1) == 0 || call.lane.thresholds[s] == std::numeric_limits<float>::infinity()) return;
  const Scored against = scored(slot.q, call.tile.segment);
  if (request_.exactness != Exactness::certified) return take_approximately(call, against, candidate, s, i);
  const double threshold = best_[slot.q].load(std::memory_order_relaxed), most = static_cast<double>(candidate.most);
  const bool multiplies = against.query.form.combine == Combine::product;
  // The time is read where the similarity can still win with the best one.
  if (multiplies && against.timed(against.relevance_of(most, row), slot.most) * (1 + coarse_slack) < threshold && threshold > 0) return;
  const double c = multiplies ? against.factor(row) : 1;
  const double bound = score(against, call.lane, slot, most, row, i, c);
  if (bound < threshold) return;
  const double least = 2 * static_cast<double>(candidate.product) - most;
  const double lower = score(against, call.lane, slot, least - coarse_slack * (std::abs(least) + std::abs(most)), row, i, c);
  leaders_[s].push(call.tile.segment, against.rows.row_passage[row], static_cast<std::uint32_t>(row), lower);
  wait(call, s, {std::isnan(bound) ? infinity : bound, static_cast<std::uint32_t>(call.tile.segment), static_cast<std::uint32_t>(row)});
  raise_threshold(call, s);
}

void Coarse::take_approximately(Call& call, const Scored& scored, const quantized::Candidate& candidate, std::size_t s, std::size_t i) {
  const Slot& slot = slots_[s];
  const std::size_t row = call.tile.begin + i, d = request_.dimensions;
  float similarity = candidate.product;
  if (std::isinf(candidate.most)) {  // its panel says nothing
    kernels_.block(vector(slot.q), 1, d, scored.rows.vectors.data() + row * d, 1, d, d, &similarity, 1);
    call.lane.rescored[s] += 1;
  }
  const double c = scored.query.form.combine == Combine::product ? scored.factor(row) : 1;
  const double value = score(scored, call.lane, slot, static_cast<double>(similarity), row, i, c);
  if (!(value >= best_[slot.q].load(std::memory_order_relaxed))) return;
  Collector& collector = call.tile.collectors[slot.q];
  collector.push({value, similarity, static_cast<std::uint32_t>(row), scored.rows.row_passage[row]});
  leaders_[s].push(call.tile.segment, scored.rows.row_passage[row], static_cast<std::uint32_t>(row), value);
  raise(best_[slot.q], collector.threshold());
  raise_threshold(call, s);
}

/// What this tile needs from now on, where another row has raised it. (Of rows that add to their similarity, the next tile's is set anew.)
void Coarse::raise_threshold(Call& call, std::size_t s) {
  const Slot& slot = slots_[s];
  const Query& asked = query(slot.q);
  Lane::Known& known = call.lane.known[s];
  const double threshold = best_[slot.q].load(std::memory_order_relaxed);
  if (threshold == known.threshold || asked.form.combine == Combine::sum || !asked.lexical.empty()) return;
  known = {threshold, least_similarity(slot, threshold, true, 0), least_similarity(slot, threshold, false, 0)};
  call.lane.thresholds[s] = asked.form.combine != Combine::product || call.met(asked.form, slot.met) ? known.met : known.unmet;
}

void Coarse::wait(Call& call, std::size_t s, const Pending& pending) {
  std::vector<Pending>& waiting = call.lane.pending[s];
  waiting.push_back(pending);
  if (waiting.size() < waiting_most_) return;
  const double threshold = best_[slots_[s].q].load(std::memory_order_relaxed);
  std::erase_if(waiting, [&](const Pending& each) { return each.most < threshold; });
  if (2 * waiting.size() < waiting_most_) return;
  // Bounds do not tell these rows apart, as where many are alike.
  leaders_[s].expect_repeats();
  resolve(s, waiting, call.lane.rescored[s], &leaders_[s], best_[slots_[s].q]);
}

/// Scores those that may still win, best bounds first; none waits afterwards.
void Coarse::resolve(std::size_t s, std::vector<Pending>& pending, double& rescored, Leaders* leaders, std::atomic<double>& best) {
  constexpr std::size_t ahead = 4, line = 16;
  const std::size_t q = slots_[s].q, d = request_.dimensions;
  std::sort(pending.begin(), pending.end(), [](const Pending& a, const Pending& b) { return a.most > b.most; });
  auto vector_of = [&](const Pending& each) { return request_.segments[each.segment].rows.vectors.data() + std::size_t{each.row} * d; };
  std::vector<Entry> one(1);
  for (std::size_t p = 0; p < pending.size(); ++p) {
    const Pending& each = pending[p];
    if (each.most < best.load(std::memory_order_relaxed)) break;
    if (p + ahead < pending.size()) {
      for (std::size_t c = 0; c < d; c += line) __builtin_prefetch(vector_of(pending[p + ahead]) + c);
    }
    float similarity = 0;
    kernels_.block(vector(q), 1, d, vector_of(each), 1, d, d, &similarity, 1);
    rescored += 1;
    const Scored against = scored(q, each.segment);
    const double relevance = against.relevance(similarity, each.row);
    const Form& form = against.query.form;
    const bool sums = form.combine == Combine::sum;
    const double value = sums ? against.summed(relevance, recency_of(form, against.rows, each.row).value) : against.score(relevance, each.row);
    if (!(value >= best.load(std::memory_order_relaxed))) continue;  // not a number included
    one[0] = {value, similarity, each.row, against.rows.row_passage[each.row]};
    finds_->push(each.segment, q, one);
    leaders->push(each.segment, one[0].passage, each.row, value);
  }
  pending.clear();
}

void Coarse::finish(std::vector<Lane*> lanes, const Cancel& cancel) {
  if (slots_.empty()) return;
  parallel_for(slots_.size(), 0, [&](std::size_t s, std::size_t) {
    cancel.throw_if_requested();
    const std::size_t q = slots_[s].q;
    std::vector<Pending> all;
    for (Lane* lane : lanes) {
      if (lane->pending.empty()) continue;
      all.insert(all.end(), lane->pending[s].begin(), lane->pending[s].end());
      std::vector<Pending>().swap(lane->pending[s]);
      rescored_[q] += lane->rescored[s];
    }
    // Bounds have been compared with bounds so far; from here on with scores.
    std::atomic<double> best{best_[q].load(std::memory_order_relaxed)};
    Leaders exact;
    exact.open(keep_[q], request_.pool, best);
    resolve(s, all, rescored_[q], &exact, best);
  });
}

}  // namespace asof::flat
