// Selection loops, and the relevance that a threshold needs.
#include "index/vector/selection.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/top_k/contract.hpp"

namespace asof::vector {
namespace {

// Similarities and temporal factors are floats: their rounding stays far within this, relative to
// the bound.
constexpr double slack = 1e-6;

/// Whether one of 64 visible rows may score the threshold: the same sums as one by one, in a loop
/// that compilers vectorize.
bool any_reaches(const RowScorer& scorer, const float* similarities, const double* recencies,
                 double threshold) {
  if (scorer.lexical != nullptr) return true;
  const double semantic = scorer.query.semantic_weight, weight = scorer.query.form.weight;
  int any = 0;
  for (std::size_t i = 0; i < 64; ++i) {
    any |= semantic * static_cast<double>(similarities[i]) +
               weight * temporal::standardized(scorer.standard, recencies[i]) >=
           threshold;
  }
  return any != 0;
}

struct Bounds {
  double threshold, relevance;
  float similarity = -std::numeric_limits<float>::infinity();

  Bounds(const RowScorer& scorer, double threshold)
      : threshold(threshold), relevance(min_relevance(scorer.query, threshold)) {
    double weight = scorer.query.semantic_weight;
    if (scorer.lexical != nullptr || !(weight > 0) || relevance == -infinity) return;
    double least = relevance / weight;
    similarity = static_cast<float>(std::isinf(least) ? least
                                                      : least - slack * std::abs(least) -
                                                            std::numeric_limits<float>::min());
  }
};

}  // namespace

double min_relevance(const Query& query, double threshold) {
  return min_relevance(query, threshold, temporal::max_factor(query.form));
}

double min_relevance(const Query& query, double threshold, double max_factor) {
  double needed = threshold;
  if (query.form.combine == temporal::Combine::product) {
    if (!(max_factor >= 0 && max_factor <= 2)) return -infinity;
    if (threshold > 0)
      needed = max_factor > 0 ? threshold / max_factor : infinity;
    else
      needed = max_factor < 2 ? threshold / (2 - max_factor) : -infinity;
  }
  return std::isinf(needed) ? needed : needed - slack * std::abs(needed);
}

void select_rows(const RowScorer& scorer, const TileScores& tile, const BlockBits& bits, TopK top) {
  const float* similarities = tile.similarities;
  const std::size_t begin = tile.begin;
  auto& [collector, best] = top;
  Bounds bounds(scorer, std::max(collector.threshold(), best.load(std::memory_order_relaxed)));
  std::size_t end = block_words;
  while (end > 0 && bits[end - 1] == 0) end -= 1;
  if (end == 0) return;
  end = end * 64 - static_cast<std::size_t>(std::countl_zero(bits[end - 1]));
  std::uint32_t indices[block_rows];
  const std::size_t count = top_k::kernels().at_least(similarities, end, bounds.similarity,
                                                      indices);  // excludes NaN
  for (std::size_t at = 0; at < count; ++at) {
    const std::size_t i = indices[at], row = begin + i;
    if ((bits[i / 64] >> (i % 64) & 1) == 0 || !(similarities[i] >= bounds.similarity)) continue;
    const double relevance = scorer.relevance(similarities[i], row);
    if (!(relevance >= bounds.relevance)) continue;
    const double score = scorer.score(relevance, row);
    if (!(score >= bounds.threshold)) continue;
    collector.push(
        {score, similarities[i], static_cast<std::uint32_t>(row), scorer.rows.row_passage[row]});
    if (collector.threshold() > bounds.threshold) {
      bounds = Bounds(scorer, collector.threshold());
      raise(best, collector.threshold());
    }
  }
}

void select_listed(const RowScorer& scorer, std::span<const float> similarities,
                   const std::uint32_t* rows, TopK top) {
  auto& [collector, best] = top;
  Bounds bounds(scorer, std::max(collector.threshold(), best.load(std::memory_order_relaxed)));
  constexpr std::size_t group_rows = 16;
  auto any_reaches = [&](const float* from) {
    int any = 0;
    for (std::size_t i = 0; i < group_rows; ++i) any |= from[i] >= bounds.similarity;
    return any != 0;
  };
  for (std::size_t i = 0; i < similarities.size(); ++i) {
    while (i % group_rows == 0 && i + group_rows < similarities.size() &&
           !any_reaches(&similarities[i]))
      i += group_rows;
    if (!(similarities[i] >= bounds.similarity)) continue;  // also NaN
    const double relevance = scorer.relevance(similarities[i], rows[i]);
    if (!(relevance >= bounds.relevance)) continue;
    const double score = scorer.score(relevance, rows[i]);
    if (!(score >= bounds.threshold)) continue;
    collector.push({score, similarities[i], rows[i], scorer.rows.row_passage[rows[i]]});
    if (collector.threshold() > bounds.threshold) {
      bounds = Bounds(scorer, collector.threshold());
      raise(best, collector.threshold());
    }
  }
}

void select_additive(const RowScorer& scorer, const TileScores& tile, const BlockBits& bits,
                     TopK top) {
  const float* similarities = tile.similarities;
  const double* recencies = tile.recencies;
  const std::size_t begin = tile.begin;
  auto& [collector, best] = top;
  double threshold = std::max(collector.threshold(), best.load(std::memory_order_relaxed));
  for (std::size_t word = 0; word < block_words; ++word) {
    if (bits[word] == ~std::uint64_t(0) &&
        !any_reaches(scorer, similarities + word * 64, recencies + word * 64, threshold))
      continue;
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
      std::size_t i = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
      double score = scorer.score_at(scorer.relevance(similarities[i], begin + i), recencies[i]);
      if (!(score >= threshold)) continue;
      collector.push({score, similarities[i], static_cast<std::uint32_t>(begin + i),
                      scorer.rows.row_passage[begin + i]});
      if (collector.threshold() > threshold) {
        threshold = collector.threshold();
        raise(best, threshold);
      }
    }
  }
}

}  // namespace asof::vector
