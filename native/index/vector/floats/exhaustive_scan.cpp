// Products of chunks of queries with a tile, and their selection.
#include "index/vector/floats/exhaustive_scan.hpp"

#include <algorithm>

#include "index/vector/masked_products.hpp"

namespace asof::vector {

/// Similarities of the rows that are visible to any of the queries.
void ExhaustiveScan::multiply(std::vector<float>& similarities, const Tile& tile,
                              Chunk chunk) const {
  BlockBits visible{};
  for (std::size_t q = chunk.first; q < chunk.first + chunk.count; ++q) {
    if (!query(q).has_vector) continue;
    for (std::size_t word = 0; word < block_words; ++word)
      visible[word] |= tile.bits[tile.mask_of[q]][word];
  }
  const std::size_t d = request_.dimensions;
  const float* queries = request_.vectors.data() + (first_ + chunk.first) * d;
  const float* vectors = block_vectors(request_.segments[tile.segment].rows, tile.begin, visible);
  similarities.resize(max_chunk * block_rows);
  multiply_block(kernels_, {queries, chunk.count, vectors, tile.count, d}, visible,
                 similarities.data());
}

/// The visible rows that the query may find.
BlockBits ExhaustiveScan::rows_of(const RowScorer& scorer, const Tile& tile, std::size_t q) const {
  BlockBits bits = tile.bits[tile.mask_of[q]];
  if (!scorer.query.only_matching) return bits;
  if (scorer.lexical == nullptr) return {};
  for_each(tile.bits[tile.mask_of[q]], [&](std::size_t i) {
    if (!(scorer.lexical[tile.begin + i] > 0)) bits[i / 64] &= ~(std::uint64_t{1} << (i % 64));
  });
  return bits;
}

void ExhaustiveScan::select(float* similarities, const TimedTile& timed, Chunk chunk) {
  const Tile& tile = timed.tile;
  for (std::size_t q = chunk.first; q < chunk.first + chunk.count;
       ++q, similarities += block_rows) {
    if (tile.visible[tile.mask_of[q]] == 0) continue;
    if (!query(q).has_vector) std::fill_n(similarities, tile.count, 0.0f);
    const RowScorer own = scorer(q, tile.segment);
    const BlockBits bits = rows_of(own, tile, q);
    const TopK top{tile.collectors[q], best_[q]};
    if (query(q).form.combine != temporal::Combine::sum) {
      select_rows(own, {similarities, tile.begin}, bits, top);
    } else if (normalization_.is_normalized(q)) {
      const double* recencies = timed.recencies.of(normalization_.recency_of(q), query(q).form);
      select_additive(own, {similarities, tile.begin, recencies}, bits, top);
    } else {
      normalization_.keep(own, q, {timed.t, tile.begin, tile.count}, similarities,
                          tile.bits[tile.mask_of[q]]);
    }
  }
}

void ExhaustiveScan::rescan(std::size_t t, const Tile& tile) {
  BlockRecencies recencies(request_.segments[tile.segment].rows, tile.begin, tile.count);
  for (const std::size_t q : normalization_.additive()) {
    const std::size_t mask = tile.mask_of[q];
    if (tile.visible[mask] == 0) continue;
    const double* own = recencies.of(normalization_.recency_of(q), query(q).form);
    select_additive(scorer(q, tile.segment),
                    {normalization_.similarities(q, t, tile.begin), tile.begin, own},
                    tile.bits[mask], {tile.collectors[q], best_[q]});
  }
}

}  // namespace asof::vector
