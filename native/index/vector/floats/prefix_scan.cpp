// Choice between prefix selection and the exhaustive scan, tile by tile.
#include "index/vector/floats/prefix_scan.hpp"

#include <algorithm>
#include <span>

namespace asof::vector {

void PrefixScan::open(std::size_t first, std::size_t size, std::atomic<double>* best) {
  first_ = first;
  // The quantized scan takes segments with panels.
  const auto& segments = request_.segments;
  const bool some = std::any_of(segments.begin(), segments.end(),
                                [](const VisibleRows& segment) { return !segment.rows.panels; });
  size_ = some && size <= prefix_scan_queries ? size : 0;
  best_ = best;
  for (std::size_t q = 0; q < size_; ++q) seed_threshold(q);
}

void PrefixScan::seed_threshold(std::size_t q) {
  thresholds_[q].open(request_.k, request_.pool, best_[q]);
  thresholds_[q].deduplicate();
  const std::size_t d = request_.dimensions;
  // The first seeds have the best lexical scores. One thread scores them, and further ones cost
  // more than they save.
  const std::span<const RowId> seeds = query(q).seeds;
  for (const RowId& place :
       seeds.first(std::min(seeds.size(), std::max<std::size_t>(8 * request_.k, 4096)))) {
    const FlatRows& rows = request_.segments[place.segment].rows;
    float similarity = 0;
    if (query(q).has_vector)
      kernels_.block({vector(q), 1, d}, {rows.vectors_at(place.row), 1, d}, d, &similarity, 1);
    const RowScorer against = scorer(q, place.segment);
    thresholds_[q].push(place.segment, rows.row_passage[place.row], place.row,
                        against.score(against.relevance(similarity, place.row), place.row));
  }
}

bool PrefixScan::pays(Worker& worker, const Tile& tile, const SuffixNorms& suffix_norms,
                      std::size_t q) {
  if (worker.schedules[q].plain_tiles > 0) {
    worker.schedules[q].plain_tiles -= 1;
    return false;
  }
  if (!query(q).has_vector || !(query(q).semantic_weight > 0)) return false;
  const double threshold =
      std::max(tile.collectors[q].threshold(), best_[q].load(std::memory_order_relaxed));
  if (!(min_relevance(query(q), threshold) > -infinity)) return false;
  if (worker.vectors[q].dimensions == 0)
    worker.vectors[q] = PrefixQuery(vector(q), request_.dimensions, suffix_norms);
  return worker.vectors[q].usable;
}

bool PrefixScan::scan(Worker& worker, const Tile& tile) {
  const FlatRows& rows = request_.segments[tile.segment].rows;
  const std::size_t number = tile.begin / block_rows;
  const bool whole = tile.begin % block_rows == 0 &&
                     (tile.count == block_rows || tile.begin + tile.count == rows.rows);
  if (size_ == 0 || rows.suffix_norms == nullptr || !whole) return false;
  const float* vectors = rows.vectors_at(tile.begin, tile.count);
  const auto block = rows.suffix_norms->block(number);
  if (!block) {
    // Only if the exhaustive scan reads most of it.
    const bool most = std::any_of(tile.visible.begin(), tile.visible.end(),
                                  [&](std::size_t visible) { return 2 * visible > tile.count; });
    if (most) rows.suffix_norms->measure(number, vectors, tile.count);
    return false;
  }
  for (std::size_t q = 0; q < size_; ++q) {
    if (tile.visible[tile.mask_of[q]] > 0 && !pays(worker, tile, *rows.suffix_norms, q))
      return false;
  }
  for (std::size_t q = 0; q < size_; ++q) {
    if (tile.visible[tile.mask_of[q]] == 0) continue;
    const RowScorer own = scorer(q, tile.segment);
    select_by_prefix(
        {own, worker.vectors[q], kernels_, {tile.collectors[q], best_[q]}, thresholds_[q]},
        {*block, vectors, tile.segment, tile.begin, tile.count}, tile.bits[tile.mask_of[q]],
        worker.schedules[q]);
  }
  return true;
}

}  // namespace asof::vector
