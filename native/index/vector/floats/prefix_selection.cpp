// Order of tests: lexical score, an eighth and a quarter of the vector, the row's time, half of the
// vector, all of it.
#include "index/vector/floats/prefix_selection.hpp"

#include <bit>
#include <cmath>

#include "index/vector/masked_products.hpp"

namespace asof::vector {
namespace {

double length_of(const float* values, std::size_t count) {
  double squares = 0;
  for (std::size_t i = 0; i < count; ++i)
    squares += static_cast<double>(values[i]) * static_cast<double>(values[i]);
  return std::sqrt(squares) * (1 + 1e-9);
}

/// Clears the bits of the rows for which `reaches(i)` is false.
template <typename Reaches>
void keep_if(BlockBits& bits, Reaches reaches) {
  for (std::size_t word = 0; word < block_words; ++word) {
    for (std::uint64_t left = bits[word]; left != 0; left &= left - 1) {
      const std::size_t bit = static_cast<std::size_t>(std::countr_zero(left));
      if (!reaches(word * 64 + bit)) bits[word] &= ~(std::uint64_t{1} << bit);
    }
  }
}

/// Sets the similarity with which each row reaches `needed`, given its lexical score. Returns the
/// bits of rows for which it is at most `ceiling`.
BlockBits min_similarities(const RowScorer& scorer, const PrefixBlock& block, double needed,
                           double ceiling, double* min_similarity) {
  const std::size_t begin = block.begin, count = block.count;
  const double weight = scorer.query.semantic_weight, lexical_weight = scorer.query.lexical_weight;
  BlockBits reach{};
  for (std::size_t word = 0; word * 64 < count; ++word) {
    const std::size_t length = std::min<std::size_t>(64, count - word * 64);
    double* values = min_similarity + word * 64;
    if (scorer.lexical == nullptr) {
      for (std::size_t i = 0; i < length; ++i) values[i] = needed / weight;
    } else {
      const float* lexical = scorer.lexical + begin + word * 64;
      for (std::size_t i = 0; i < length; ++i)
        values[i] = (needed - lexical_weight * static_cast<double>(lexical[i])) / weight;
    }
    for (std::size_t i = 0; i < length; ++i)
      reach[word] |= std::uint64_t{values[i] <= ceiling} << i;
  }
  return reach;
}

}  // namespace

PrefixQuery::PrefixQuery(const float* components, std::size_t dimensions,
                         const SuffixNorms& suffix_norms)
    : components(components), dimensions(dimensions), before(suffix_norms.before()) {
  for (std::size_t split = 0; split < before.size(); ++split)
    after[split] = length_of(components + before[split], dimensions - before[split]);
  whole = length_of(components, dimensions);
  const std::size_t chain = (dimensions + 3) / 4;
  // The contract of the kernel, for the whole product and for its parts, each over no more than
  // |q| |r|; doubled for their sums.
  slack = 8 * (2 * static_cast<double>(chain) + 8) * 0x1p-24 * whole;
  usable = std::isfinite(whole) && whole > 0;
}

void select_by_prefix(const PrefixSelection& selection, const PrefixBlock& block, BlockBits bits,
                      SplitSchedule& schedule) {
  const RowScorer& scorer = selection.scorer;
  const PrefixQuery& vector = selection.query;
  const inner_product::Kernels& kernels = selection.kernels;
  const SuffixNorms::Block& norms = block.norms;
  const float* vectors = block.vectors;
  const std::size_t begin = block.begin, count = block.count;
  Collector& collector = selection.top.collector;
  std::atomic<double>& best = selection.top.best;
  const std::size_t d = vector.dimensions;
  const bool has_factor = scorer.query.form.combine == temporal::Combine::product;
  double threshold = std::max(collector.threshold(), best.load(std::memory_order_relaxed));
  const double needed = min_relevance(scorer.query, threshold);
  const double slack = vector.slack * static_cast<double>(norms.longest) + 1e-30;
  double min_similarity[block_rows];
  const BlockBits reach =
      min_similarities(scorer, block, needed,
                       vector.whole * static_cast<double>(norms.longest) + slack, min_similarity);
  for (std::size_t word = 0; word < block_words; ++word) bits[word] &= reach[word];

  float sums[block_rows], products[block_rows];
  double upper_bounds[block_rows], factors[block_rows];
  std::fill_n(sums, count, 0.0f);
  bool in_time = !has_factor;
  std::size_t from = 0, remaining = count_of(bits);
  for (std::size_t split = schedule.first; split < SuffixNorms::splits && remaining > 0;
       from = vector.before[split++]) {
    const std::size_t before_split = remaining;
    multiply_rows(kernels, {vector.components, vectors, d, from, vector.before[split]}, bits,
                  products);
    keep_if(bits, [&](std::size_t i) {
      sums[i] += products[i];
      upper_bounds[i] = static_cast<double>(sums[i]) +
                        vector.after[split] * static_cast<double>(norms.after[split][i]) + slack;
      return upper_bounds[i] >= min_similarity[i];
    });
    remaining = count_of(bits);
    // A split that prunes few rows costs more than it saves; one that prunes most might
    // come earlier.
    if (split == schedule.first && before_split > count / 2) {
      if (remaining > before_split / 2 && split + 1 < SuffixNorms::splits)
        schedule.first = split + 1;
      else if (remaining < before_split / 8 && split > 0)
        schedule.first = split - 1;
    }
    if (in_time || (split == 0 && 8 * remaining > count)) continue;
    in_time = true;
    keep_if(bits, [&](std::size_t i) {
      factors[i] = scorer.value(begin + i);
      const double bound =
          scorer.score_at(scorer.relevance_of(upper_bounds[i], begin + i), factors[i]);
      return bound + 1e-6 * std::abs(bound) >= threshold;
    });
    remaining = count_of(bits);
  }
  if (4 * remaining > count) schedule.plain_tiles = 15;
  multiply_rows(kernels, {vector.components, vectors, d, 0, d}, bits, products);
  keep_if(bits, [&](std::size_t i) {
    const std::size_t row = begin + i;
    const double relevance = scorer.relevance(products[i], row);
    const double score = has_factor ? scorer.score_at(relevance, factors[i]) : relevance;
    if (!(score >= threshold)) return false;
    collector.push(
        {score, products[i], static_cast<std::uint32_t>(row), scorer.rows.row_passage[row]});
    selection.threshold.push(block.segment, scorer.rows.row_passage[row],
                             static_cast<std::uint32_t>(row), score);
    threshold = std::max({threshold, collector.threshold(), best.load(std::memory_order_relaxed)});
    return true;
  });
}

}  // namespace asof::vector
