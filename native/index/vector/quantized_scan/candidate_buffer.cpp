// Cut of candidate lists by their bounds.
#include "index/vector/quantized_scan/candidate_buffer.hpp"

#include <algorithm>

#include "index/vector/kth_largest.hpp"

namespace asof::vector {

void CandidateBuffer::open(const ScanPlan& plan, const ThresholdSeeds& seeds,
                           const ThresholdSampling& sampling) {
  plan_ = &plan;
  seeds_ = &seeds;
  lists_.assign(plan.size(), {});
  raised_.assign(plan.size(), 0);
  for (std::size_t s = 0; s < plan.size(); ++s) {
    lists_[s].hits = seeds.slot(s).hits;
    lists_[s].semantic_weight = plan.slot(s).query->semantic_weight;
    lists_[s].capacity =
        sampling.capacity(s, std::min(plan.max_candidates(), 2 * plan.slot(s).keep + 128));
    if (sampling.expected_candidates() > 0)
      lists_[s].rows.reserve(std::min(plan.max_candidates(), sampling.expected_candidates()));
  }
}

bool CandidateBuffer::prune(std::size_t s, const ThresholdTracker& thresholds,
                            const ThresholdSampling& sampling) {
  CandidateList& list = lists_[s];
  const bool sampled = sampling.samples(s);
  if (sampled) sampling.raise_estimate(s, list.rows, thresholds);
  if (!plan_->certified()) {
    thresholds.raise_kth(s, keep_best(plan_->request(), list.rows, plan_->slot(s).keep));
    vector::prune(list.rows, thresholds.threshold(s));
    list.capacity = std::max(list.capacity, 2 * list.rows.size());  // ties of other segments
    return false;
  }
  if (!sampled) thresholds.raise_kth(s, certain_kth_score(s));
  vector::prune(list.rows, thresholds.threshold(s));
  if (2 * list.rows.size() < list.capacity) return false;
  list.capacity = std::min(plan_->max_candidates(), 2 * list.capacity);
  return 2 * list.rows.size() >= list.capacity;
}

void CandidateBuffer::raise(std::size_t s, const ThresholdTracker& thresholds) {
  CandidateList& list = lists_[s];
  if (!plan_->certified() || list.rows.size() == raised_[s]) return;
  thresholds.raise_kth(s, certain_kth_score(s));
  vector::prune(list.rows, thresholds.threshold(s));
  raised_[s] = list.rows.size();
}

/// A lower bound of the k-th best score by the rows' lower bounds and the hits.
double CandidateBuffer::certain_kth_score(std::size_t s) {
  const CandidateList& list = lists_[s];
  const std::size_t k = plan_->slot(s).keep;
  if (seeds_->distinct(s)) {
    keys_.clear();
    for (const BoundedHit& each : list.hits) keys_.push_back(order_key_below(each.score));
    for (const Candidate& each : list.rows) keys_.push_back(order_key(each.lower));
    return kth_largest_or_none(keys_, k);
  }
  hits_.assign(list.hits.begin(), list.hits.end());
  for (const Candidate& each : list.rows)
    hits_.push_back(
        {hit_key(plan_->request(), each.segment, each.row), static_cast<double>(each.lower)});
  return kth_score(hits_, k);
}

void CandidateBuffer::end_sampling(std::size_t s, const ThresholdTracker& thresholds) {
  CandidateList& list = lists_[s];
  vector::prune(list.rows, thresholds.threshold(s));
  list.capacity = std::max(2 * list.rows.size(), plan_->max_candidates());
}

void CandidateBuffer::move_to(std::size_t s, CandidateList& into) {
  CandidateList& list = lists_[s];
  if (into.rows.empty())
    into.rows = std::move(list.rows);
  else
    into.rows.insert(into.rows.end(), list.rows.begin(), list.rows.end());
  into.hits.insert(into.hits.end(), list.hits.begin(), list.hits.end());
  std::vector<Candidate>().swap(list.rows);
}

}  // namespace asof::vector
