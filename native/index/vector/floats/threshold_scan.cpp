// Thresholds of products per tile, and scores of survivors.
#include "index/vector/floats/threshold_scan.hpp"

#include <algorithm>
#include <cmath>

#include "index/vector/times/block_times.hpp"

namespace asof::vector {
namespace {

constexpr std::size_t min_queries =
    24;  // fewer fill less than two vectors, and memory is the limit
constexpr double unit = 0x1p-24;

/// Bound of the difference of both kernels' products for vectors of length 1: their contracts, and
/// the second order.
double rounding_bound(std::size_t d) {
  return (1.5 * static_cast<double>(d) + 16) * unit * (1 + 0x1p-5);
}

}  // namespace

/// One tile.
struct ThresholdScan::Call {
  ThresholdScan& scan;
  Worker& worker;
  const Tile& tile;
  const FlatRows& rows;
  const BlockTimes& times;
  double longest;
};

void ThresholdScan::open(std::size_t first, const std::vector<bool>& others,
                         std::atomic<double>* best) {
  first_ = first;
  best_ = best;
  slots_.clear();
  takes_.assign(others.size(), false);
  for (std::size_t q = 0; q < others.size(); ++q) {
    const Query& query = this->query(q);
    if (others[q] || !query.has_vector || !(query.semantic_weight > 0) || query.weighs_words() ||
        query.form.combine == temporal::Combine::sum)
      continue;
    double squares = 0;
    for (std::size_t c = 0; c < request_.dimensions; ++c)
      squares += static_cast<double>(vector(q)[c]) * static_cast<double>(vector(q)[c]);
    if (!(squares < 1e37)) continue;
    takes_[q] = true;
    slots_.push_back({q, std::sqrt(squares) * (1 + 1e-9)});
  }
  if (slots_.size() < min_queries) return slots_.clear();
  const std::size_t d = request_.dimensions;
  std::vector<float> vectors;
  for (const Slot& slot : slots_) vectors.insert(vectors.end(), vector(slot.q), vector(slot.q) + d);
  packed_.resize(threshold_products::packed_floats(slots_.size(), d));
  threshold_products::pack(vectors.data(), slots_.size(), d, d, packed_.data());
}

/// Sets the slot's thresholds by the current k-th score; false without a bound.
bool ThresholdScan::set_threshold(Call& call, std::size_t s) const {
  const Slot& slot = slots_[s];
  const Query& query = this->query(slot.q);
  const double needed =
      min_relevance(query, threshold_of(call.tile, slot.q), call.times.max_factor(query.form));
  const double min_similarity = needed / query.semantic_weight;
  call.worker.needed[s] = needed;
  const double less = min_similarity - rounding_slack * std::abs(min_similarity) -
                      rounding_bound(request_.dimensions) * slot.length * call.longest - 1e-30;
  call.worker.thresholds[s] = static_cast<float>(std::min(less, 1e37));
  return needed > -infinity;
}

bool ThresholdScan::scan(Worker& worker, const Tile& tile) {
  if (slots_.empty()) return false;
  const FlatRows& rows = request_.segments[tile.segment].rows;
  const std::size_t number = tile.begin / block_rows, d = request_.dimensions;
  const bool whole = tile.begin % block_rows == 0 &&
                     (tile.count == block_rows || tile.begin + tile.count == rows.rows);
  const bool most = std::any_of(tile.visible.begin(), tile.visible.end(),
                                [&](std::size_t visible) { return 2 * visible > tile.count; });
  if (!whole || !most || rows.block_lengths == nullptr) return false;
  const float* vectors = rows.vectors_at(tile.begin, tile.count);
  const auto longest = rows.block_lengths->longest(number, vectors, tile.count);
  if (!longest) return false;
  const BlockTimes times(rows, tile.begin, tile.count);
  Call call{*this, worker, tile, rows, times, static_cast<double>(*longest)};
  worker.thresholds.resize(slots_.size());
  worker.needed.resize(slots_.size());
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    if (!(slots_[s].length * call.longest < 1e37)) return false;
    if (tile.visible[tile.mask_of[slots_[s].q]] == 0)
      worker.thresholds[s] = std::numeric_limits<float>::infinity();
    else if (!set_threshold(call, s))
      return false;
  }
  products_.scan(
      {vectors, tile.count, d, packed_.data(), slots_.size(), worker.thresholds.data(),
       [](void* context, const threshold_products::Candidate* candidates, std::size_t count) {
         Call& own = *static_cast<Call*>(context);
         for (std::size_t i = 0; i < count; ++i) own.scan.take(own, candidates[i]);
       },
       &call});
  return true;
}

void ThresholdScan::take(Call& call, const threshold_products::Candidate& candidate) {
  const std::size_t s = candidate.query, q = slots_[s].q, d = request_.dimensions,
                    row = call.tile.begin + candidate.row;
  const BlockBits& bits = call.tile.bits[call.tile.mask_of[q]];
  if ((bits[candidate.row / 64] >> (candidate.row % 64) & 1) == 0 ||
      candidate.product < call.worker.thresholds[s])
    return;
  float similarity = 0;
  kernels_.block({vector(q), 1, d}, {call.rows.vectors_at(row), 1, d}, d, &similarity, 1);
  const RowScorer scorer(query(q), request_.segments[call.tile.segment], call.tile.segment,
                         no_normalization_);
  const double relevance = scorer.relevance(similarity, row);
  if (!(relevance >= call.worker.needed[s])) return;
  const double score = scorer.score(relevance, row), threshold = threshold_of(call.tile, q);
  if (!(score >= threshold)) return;
  Collector& collector = call.tile.collectors[q];
  collector.push({score, similarity, static_cast<std::uint32_t>(row), call.rows.row_passage[row]});
  if (!(collector.threshold() > threshold)) return;
  raise(best_[q], collector.threshold());
  set_threshold(call, s);
}

}  // namespace asof::vector
