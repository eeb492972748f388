// Threshold seeding: seeds raise the threshold to what k of them score, never above the true k-th
// best, and rows of top recency are scored before the scan.
#include "index/vector/quantized_scan/threshold_seeding.hpp"

#include "scan_fixture.hpp"

using namespace asof;
using namespace asof::test;

namespace {

constexpr std::size_t k = 10;

void lexical_seeds_set_the_threshold() {
  const MemoryRows rows = corpus();
  std::vector<float> scores(corpus_rows);
  std::vector<RowId> seeds;
  for (std::uint32_t row = 0; row < corpus_rows; row += 16) {
    scores[row] = 100;
    seeds.push_back({0, row});
  }
  std::vector<Query> given = queries(2);
  for (Query& query : given) {
    query.lexical = {scores};
    query.lexical_weight = 1;
    query.seeds = seeds;
  }
  given[1].seeds = {};
  Batch batch(rows, given, k);
  const auto parts = batch.open();
  CHECK(parts->seeds.slot(0).hits.size() == k && !parts->seeds.distinct(0));
  CHECK(parts->thresholds.threshold(0) == batch.scores(0)[k - 1]);
  CHECK(parts->thresholds.threshold(1) == -infinity && parts->seeds.distinct(1));
  CHECK(!parts->seeds.complete());
}

void many_seeds_are_chosen_at_their_times() {
  const MemoryRows rows = corpus();
  std::vector<float> scores(corpus_rows);
  std::vector<RowId> seeds;
  for (std::uint32_t row = 0; row < corpus_rows; ++row) {
    scores[row] = 1;
    seeds.push_back({0, row});
  }
  std::vector<Query> given = queries(1, spline_form());
  given[0].lexical = {scores};
  given[0].lexical_weight = 1;
  given[0].seeds = seeds;
  Batch batch(rows, given, k);
  const ScanPlan plan = batch.plan();
  const std::vector<RowId> best = lexical_seeds(plan, plan.slot(0));
  CHECK(best.size() == 1024);
  double least = infinity;
  for (const RowId& place : best)
    least = std::min(least, row_time(given[0].form, batch.rows(), place.row).value);
  CHECK(least > 0.5);  // all on the line
  CHECK(std::is_sorted(best.begin(), best.end(),
                       [](const RowId& a, const RowId& b) { return a.row < b.row; }));
}

void top_recencies_are_scored(double weight, bool complete) {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(2, recency_form(weight)), k);
  const auto parts = batch.open();
  for (std::size_t s = 0; s < 2; ++s) {
    const SlotSeeds& seeds = parts->seeds.slot(s);
    CHECK(seeds.rescored >= k && seeds.recency_cap < infinity);
    CHECK(seeds.complete == complete);
    const double kth = batch.scores(parts->plan.slot(s).q)[k - 1];
    CHECK(parts->thresholds.threshold(s) <= kth);
    CHECK(!complete || parts->thresholds.threshold(s) == kth);
    std::size_t newer = 0;
    for (std::size_t row = 0; row < corpus_rows; ++row)
      newer += seeds.scored(row_time(recency_form(weight), batch.rows(), row).value);
    CHECK(static_cast<double>(newer) == seeds.rescored);
  }
  CHECK(parts->seeds.complete() == complete);
}

void min_recency_excludes_no_result() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(1, recency_form(3)), k);
  const auto parts = batch.open();
  const QuerySlot& slot = parts->plan.slot(0);
  const double threshold = batch.scores(0)[k - 1],
               norm = static_cast<double>(max_norm(batch.rows().panels->records)),
               least = min_recency(slot, threshold, norm);
  for (std::size_t row = 0; row < corpus_rows; ++row) {
    if (row_time(slot.query->form, batch.rows(), row).value <= least)
      CHECK(batch.score(0, row) < threshold);
  }
  CHECK(min_recency(slot, -infinity, norm) == -infinity);
}

}  // namespace

int main() {
  lexical_seeds_set_the_threshold();
  many_seeds_are_chosen_at_their_times();
  top_recencies_are_scored(0.1, false);
  top_recencies_are_scored(50, true);
  min_recency_excludes_no_result();
  return 0;
}
