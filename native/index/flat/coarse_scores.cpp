// What becomes of a tile's survivors: their times, the wait, and the scores of those that can still win. See coarse.hpp.
#include <algorithm>
#include <cmath>

#include "core/threads.hpp"
#include "index/flat/coarse_call.hpp"

namespace asof::flat {

namespace {

/// The row's score with this similarity and what its time gives (`time_of`).
double score(const Scored& scored, double similarity, std::size_t row, double time) {
  const double relevance = scored.relevance_of(similarity, row);
  return scored.query.form.combine == Combine::sum ? scored.summed(relevance, time) : scored.timed(relevance, time);
}

}  // namespace

/// The row's c where the form multiplies, its recency where it sums.
double Coarse::time_of(const Call& call, const Scored& scored, std::size_t s, std::size_t row) const {
  const Form& form = scored.query.form;
  if (form.combine == Combine::product) return scored.factor(row);
  if (form.combine == Combine::none) return 1;
  return call.tile != nullptr ? call.lane.recencies[slots_[s].recency][row - call.tile->begin] : recency_of(form, scored.rows, row).value;
}

void Coarse::take(Call& call, const quantized::Candidate& candidate) {
  const std::size_t s = call.first_slot + candidate.query, row = call.base + candidate.row;
  const Slot& slot = slots_[s];
  if (call.tile != nullptr) {
    const std::size_t i = row - call.tile->begin;
    if ((call.lane.reach[s][i / 64] >> (i % 64) & 1) == 0 || call.lane.thresholds[s] == std::numeric_limits<float>::infinity()) return;
  }
  const Scored against = scored(slot.q, call.segment);
  if (request_.exactness != Exactness::certified) return take_approximately(call, against, candidate, s, row);
  const double threshold = threshold_of(s), most = static_cast<double>(candidate.most);
  const bool multiplies = against.query.form.combine == Combine::product;
  // The time is read where the similarity can still win with the best one.
  if (multiplies && against.timed(against.relevance_of(most, row), call.lane.factors[s]) * (1 + coarse_slack) < threshold && threshold > 0) return;
  const double time = time_of(call, against, s, row);
  const double bound = score(against, most, row, time);
  if (bound < threshold) return;
  const double least = 2 * static_cast<double>(candidate.product) - most;
  const double lower = score(against, least - coarse_slack * (std::abs(least) + std::abs(most)), row, time);
  leaders_[s].push(call.segment, against.rows.row_passage[row], static_cast<std::uint32_t>(row), lower);
  if (sampling_) {
    const double likely = score(against, static_cast<double>(candidate.product), row, time);
    sample_leaders_[s].push(call.segment, against.rows.row_passage[row], static_cast<std::uint32_t>(row), likely);
  }
  wait(call, s, {std::isnan(bound) ? infinity : bound, static_cast<std::uint32_t>(call.segment), static_cast<std::uint32_t>(row)});
  raise_threshold(call, s);
}

void Coarse::take_approximately(Call& call, const Scored& scored, const quantized::Candidate& candidate, std::size_t s, std::size_t row) {
  const Slot& slot = slots_[s];
  const std::size_t d = request_.dimensions;
  float similarity = candidate.product;
  if (std::isinf(candidate.most)) {  // its panel says nothing
    kernels_.block(vector(slot.q), 1, d, scored.rows.vectors.data() + row * d, 1, d, d, &similarity, 1);
    call.lane.rescored[s] += 1;
  }
  const double value = score(scored, static_cast<double>(similarity), row, time_of(call, scored, s, row));
  if (!(value >= threshold_of(s))) return;
  Collector& collector = call.collectors[slot.q];
  collector.push({value, similarity, static_cast<std::uint32_t>(row), scored.rows.row_passage[row]});
  leaders_[s].push(call.segment, scored.rows.row_passage[row], static_cast<std::uint32_t>(row), value);
  if (sampling_) sample_leaders_[s].push(call.segment, scored.rows.row_passage[row], static_cast<std::uint32_t>(row), value);
  raise(best_[slot.q], collector.threshold());
  raise_threshold(call, s);
}

/// What this tile needs from now on, where another row has raised it. (Of rows that add to their similarity, the next tile's is set anew.)
void Coarse::raise_threshold(Call& call, std::size_t s) {
  const Slot& slot = slots_[s];
  const Query& asked = query(slot.q);
  const double threshold = threshold_of(s);
  if (threshold == call.lane.known[s].threshold || asked.form.combine == Combine::sum || !asked.lexical.empty()) return;
  call.lane.thresholds[s] = least_without_more(call.lane, s, threshold);
}

void Coarse::wait(Call& call, std::size_t s, const Pending& pending) {
  std::vector<Pending>& waiting = call.lane.pending[s];
  waiting.push_back(pending);
  if (waiting.size() < waiting_most_) return;
  const double threshold = threshold_of(s);
  std::erase_if(waiting, [&](const Pending& each) { return each.most < threshold; });
  if (2 * waiting.size() < waiting_most_) return;
  // Bounds do not tell these rows apart, as where many are alike.
  leaders_[s].expect_repeats();
  resolve(s, waiting, call.lane.rescored[s], &leaders_[s], best_[slots_[s].q]);
}

/// Scores those that may still win, first the best bounds, which raise the threshold to where it belongs; none waits afterwards.
void Coarse::resolve(std::size_t s, std::vector<Pending>& pending, double& rescored, Leaders* leaders, std::atomic<double>& best) {
  std::erase_if(pending, [&](const Pending& each) { return each.most < threshold_of(s); });
  const std::size_t first = std::min(pending.size(), keep_[slots_[s].q] + keep_[slots_[s].q] / 2);
  const auto middle = pending.begin() + static_cast<std::ptrdiff_t>(first);
  if (first < pending.size()) std::nth_element(pending.begin(), middle, pending.end(), [](const Pending& a, const Pending& b) { return a.most > b.most; });
  score_pending(s, {pending.begin(), middle}, rescored, leaders, best);
  leaders->settle();
  const double threshold = best.load(std::memory_order_relaxed);
  const auto last = std::partition(middle, pending.end(), [&](const Pending& each) { return each.most >= threshold; });
  score_pending(s, {middle, last}, rescored, leaders, best);
  leaders->settle();
  pending.clear();
}

void Coarse::score_pending(std::size_t s, std::span<const Pending> pending, double& rescored, Leaders* leaders, std::atomic<double>& best) {
  constexpr std::size_t ahead = 4, line = 16;
  const std::size_t q = slots_[s].q, d = request_.dimensions;
  auto vector_of = [&](const Pending& each) { return request_.segments[each.segment].rows.vectors.data() + std::size_t{each.row} * d; };
  std::vector<Entry> one(1);
  for (std::size_t p = 0; p < pending.size(); ++p) {
    const Pending& each = pending[p];
    if (p + ahead < pending.size()) {
      for (std::size_t c = 0; c < d; c += line) __builtin_prefetch(vector_of(pending[p + ahead]) + c);
    }
    if (each.most < best.load(std::memory_order_relaxed)) continue;
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
    leaders_[s].settle();
    // Bounds have been compared with bounds so far; from here on with scores.
    std::atomic<double> best{best_[q].load(std::memory_order_relaxed)};
    Leaders exact;
    exact.open(keep_[q], request_.pool, best);
    resolve(s, all, rescored_[q], &exact, best);
    wrong_[s].store(best.load(std::memory_order_relaxed) < guesses_[s].load(std::memory_order_relaxed), std::memory_order_relaxed);
  });
}

}  // namespace asof::flat
