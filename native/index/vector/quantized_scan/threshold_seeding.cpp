// Seed rows by lexical score and by recency, and their f32 scores.
#include "index/vector/quantized_scan/threshold_seeding.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/threads.hpp"
#include "index/vector/times/block_times.hpp"

namespace asof::vector {
namespace {

/// The recency that every one of the first `count` rows exceeds and no other row does.
double rest_of(const TopRecencies& top, std::size_t count) {
  return count < top.rows.size() ? top.rows[count].recency : top.rest_max;
}

/// The number of rows of greater recency.
std::size_t count_above(const TopRecencies& top, double recency) {
  const auto end = std::partition_point(top.rows.begin(), top.rows.end(),
                                        [&](const auto& row) { return row.recency > recency; });
  return static_cast<std::size_t>(end - top.rows.begin());
}

}  // namespace

struct ThresholdSeeds::Seeder {
  ThresholdSeeds& seeds;
  const ScanPlan& plan;
  const ThresholdTracker& thresholds;
  GroupResults& results;
  const inner_product::Kernels& kernels;

  const FlatRows& rows_of(RowId id) const { return plan.request().segments[id.segment].rows; }
  const float* row_vector(RowId id) const { return rows_of(id).vectors_at(id.row); }
  void seed_by_lexical_score(SlotRange slots) const;
  void seed_by_recency() const;
  void seed_by_recency(SlotRange slots) const;
  void score(SlotRange slots, std::span<const TopRecencies::Row> rows) const;
  void add_scores(std::size_t s, std::span<const TopRecencies::Row> rows,
                  const float* similarities) const;
};

ThresholdSeeds::ThresholdSeeds(const ScanPlan& plan, const ThresholdTracker& thresholds,
                               GroupResults& results, const inner_product::Kernels& kernels)
    : slots_(plan.size()), pool_(plan.request().pool) {
  const Seeder seeder{*this, plan, thresholds, results, kernels};
  const std::size_t together = plan.one_product() ? plan.size() : 1;
  for (std::size_t s = 0; s < plan.size(); s += together)
    seeder.seed_by_lexical_score({s, together});
  seeder.seed_by_recency();
}

void add_lexical_seeds(const ScanPlan& plan, const QuerySlot& slot, std::vector<RowId>& rows) {
  constexpr std::size_t piece = 512;
  const std::span<const RowId> seeds = slot.query->seeds;
  const std::size_t most = 2 * slot.keep;
  if (slot.query->form.combine != temporal::Combine::product || seeds.size() <= most) {
    rows.insert(rows.end(), seeds.begin(), seeds.end());
    return;
  }
  auto scorer_of = [&](std::size_t i) { return plan.scorer(slot, seeds[i].segment); };
  auto lexical_part = [&](std::size_t i) { return scorer_of(i).relevance(0, seeds[i].row); };
  std::vector<std::pair<double, std::size_t>> order;
  auto better = [](const auto& a, const auto& b) { return a.first > b.first; };
  // Seeds descend by lexical score: the loop ends once the next ones cannot be of the best even
  // with the best factor.
  for (std::size_t scored = 0, next; scored < seeds.size(); scored = next) {
    next = std::min(seeds.size(), std::max(2 * scored, 2 * most));
    order.resize(next);
    parallel_for((next - scored + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
      const std::size_t end = std::min(next, scored + (p + 1) * piece);
      for (std::size_t i = scored + p * piece; i < end; ++i) {
        order[i] = {scorer_of(i).score(lexical_part(i), seeds[i].row), i};
      }
    });
    std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(most - 1),
                     order.end(), better);
    if (next < seeds.size() && order[most - 1].first >= slot.max_factor * lexical_part(next)) break;
  }
  for (std::size_t i = 0; i < most; ++i) rows.push_back(seeds[order[i].second]);
}

/// Seeds slots that compare one product of a row, or a single slot.
void ThresholdSeeds::Seeder::seed_by_lexical_score(SlotRange slots) const {
  constexpr std::size_t piece = 256, ahead = 4, line = 16;
  const std::size_t d = plan.request().dimensions;
  const float* const vector = plan.slot(slots.first).vector;
  std::vector<RowId> rows;
  for (std::size_t s = slots.first; s < slots.first + slots.count; ++s) {
    const QuerySlot& slot = plan.slot(s);
    // In inexact scans the panels may give the seeds lower scores.
    if (!slot.query->normalizes() && plan.certified()) add_lexical_seeds(plan, slot, rows);
  }
  // In the order of the file.
  std::sort(rows.begin(), rows.end(), [](const RowId& a, const RowId& b) {
    return a.segment != b.segment ? a.segment < b.segment : a.row < b.row;
  });
  auto same = [](const RowId& a, const RowId& b) {
    return a.segment == b.segment && a.row == b.row;
  };
  rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());
  std::vector<float> similarities(rows.size());
  parallel_for((rows.size() + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    for (std::size_t i = p * piece; i < std::min(rows.size(), (p + 1) * piece); ++i) {
      if (i + ahead < rows.size()) {
        const RowId next = rows[i + ahead];
        const float* later = rows_of(next).vectors.address(next.row * d);
        for (std::size_t c = 0; c < d; c += line) __builtin_prefetch(later + c, 0, 2);
      }
      kernels.block({vector, 1, d}, {row_vector(rows[i]), 1, d}, d, &similarities[i], 1);
    }
  });
  for (std::size_t s = slots.first; s < slots.first + slots.count; ++s) {
    std::vector<BoundedHit>& hits = seeds.slots_[s].hits;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RowScorer scorer = plan.scorer(plan.slot(s), rows[i].segment);
      const double score =
          scorer.score(scorer.relevance(similarities[i], rows[i].row), rows[i].row);
      if (score > -infinity)
        hits.push_back({hit_key(plan.request(), rows[i].segment, rows[i].row), score});
    }
    thresholds.raise_kth(s, kth_score(hits, plan.slot(s).keep));
  }
}

void ThresholdSeeds::Seeder::seed_by_recency() const {
  constexpr std::size_t max_together = 64;
  const auto& slots = plan.slots();
  if (std::none_of(slots.begin(), slots.end(),
                   [](const QuerySlot& slot) { return slot.top_recencies != nullptr; }))
    return;
  for (const VisibleRows& segment : plan.request().segments) {
    const FlatRows& rows = segment.rows;
    const double longest =
        rows.panels ? static_cast<double>(rows.max_norm(0, rows.rows)) : infinity;
    seeds.max_row_norm_ = std::max(seeds.max_row_norm_, longest);
  }
  for (std::size_t first = 0, end; first < slots.size(); first = end) {
    for (end = first + 1; end < slots.size() && end - first < max_together &&
                          slots[end].top_recencies == slots[first].top_recencies;)
      end += 1;
    if (slots[first].top_recencies != nullptr) seed_by_recency({first, end - first});
  }
  seeds.complete_ = std::all_of(seeds.slots_.begin(), seeds.slots_.end(),
                                [](const SlotSeeds& slot) { return slot.complete; });
}

/// For slots with the same top recencies: a few times k rows, then the other top recencies that can
/// be results, if no further row can.
void ThresholdSeeds::Seeder::seed_by_recency(SlotRange slots) const {
  const TopRecencies& top = *plan.slot(slots.first).top_recencies;
  const std::span<const TopRecencies::Row> rows = top.rows;
  const std::size_t k = plan.request().k, first_count = std::min(rows.size(), 2 * k + 64);
  double cap = rest_of(top, first_count);
  std::size_t scored = count_above(top, cap);
  if (scored < std::min(k, rows.size())) {
    // More than k rows share the recency: scoring a few times as many still pays.
    const auto below = std::partition_point(rows.begin(), rows.end(),
                                            [&](const auto& row) { return row.recency >= cap; });
    const auto equals = static_cast<std::size_t>(below - rows.begin());
    if (equals <= 8 * first_count) {
      scored = equals;
      cap = rest_of(top, equals);
    }
  }
  score(slots, rows.first(scored));
  std::size_t more = scored;
  for (std::size_t s = slots.first; s < slots.first + slots.count; ++s) {
    const double least = min_recency(plan.slot(s), thresholds.kth_bound(s), seeds.max_row_norm_);
    seeds.slots_[s].complete = least > top.rest_max;
    if (seeds.slots_[s].complete) more = std::max(more, count_above(top, least));
  }
  if (more > scored) {
    cap = rest_of(top, more);
    score(slots, rows.subspan(scored, count_above(top, cap) - scored));
  }
  for (std::size_t s = slots.first; s < slots.first + slots.count; ++s)
    seeds.slots_[s].recency_cap = cap;
}

double min_recency(const QuerySlot& slot, double threshold, double max_row_norm) {
  const temporal::Form& form = slot.query->form;
  const standardize::Map& map = *slot.normalization;
  const double max_similarity =
      slot.query->semantic_weight * slot.norm * max_row_norm * (1 + rounding_slack) +
      rounding_slack;
  const double missing = threshold - rounding_slack * std::abs(threshold) - max_similarity,
               less = missing - rounding_slack * std::abs(missing);
  if (!(less > form.weight * map.mean_to) || !(map.factor > 0)) return -infinity;
  const double recency = map.mean_from + (less / form.weight - map.mean_to) / map.factor;
  return std::isfinite(recency) ? recency - rounding_slack * std::abs(recency) : -infinity;
}

void ThresholdSeeds::Seeder::score(SlotRange slots, std::span<const TopRecencies::Row> rows) const {
  const std::size_t d = plan.request().dimensions;
  std::vector<float> queries, vectors, products(slots.count * rows.size());
  for (std::size_t s = slots.first; s < slots.first + slots.count; ++s)
    queries.insert(queries.end(), plan.slot(s).vector, plan.slot(s).vector + d);
  for (const TopRecencies::Row& row : rows)
    vectors.insert(vectors.end(), row_vector(row.place), row_vector(row.place) + d);
  kernels.block({queries.data(), slots.count, d}, {vectors.data(), rows.size(), d}, d,
                products.data(), rows.size());
  for (std::size_t i = 0; i < slots.count; ++i)
    add_scores(slots.first + i, rows, products.data() + i * rows.size());
}

void ThresholdSeeds::Seeder::add_scores(std::size_t s, std::span<const TopRecencies::Row> rows,
                                        const float* similarities) const {
  const QuerySlot& slot = plan.slot(s);
  SlotSeeds& own = seeds.slots_[s];
  std::vector<Entry> entries;
  for (std::uint32_t segment = 0; segment < plan.request().segments.size(); ++segment) {
    const RowScorer scorer = plan.scorer(slot, segment);
    entries.clear();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].place.segment != segment) continue;
      const std::uint32_t row = rows[i].place.row;
      const double score = scorer.score_at(scorer.relevance(similarities[i], row), rows[i].recency);
      if (!(score >= thresholds.kth_bound(s))) continue;  // nor NaN
      entries.push_back({score, similarities[i], row, scorer.rows.row_passage[row]});
      if (score > -infinity) own.hits.push_back({hit_key(plan.request(), segment, row), score});
    }
    results.push(segment, slot.q, entries);
  }
  thresholds.raise_kth(s, kth_score(own.hits, slot.keep));
  own.rescored += static_cast<double>(rows.size());
}

}  // namespace asof::vector
