// Threshold sampling: when a batch is sampled, and that estimates lie near the k-th best score.
#include "index/vector/quantized_scan/threshold_sampling.hpp"

#include "scan_fixture.hpp"

using namespace asof;
using namespace asof::test;

namespace {

constexpr std::size_t k = 20, many_rows = 72 * block_rows;

ThresholdSampling choose(Batch& batch) {
  const auto parts = batch.open();
  return ThresholdSampling(parts->plan, parts->bounds);
}

void small_batches_and_corpora_are_not_sampled() {
  const MemoryRows small = corpus(), large = corpus(many_rows);
  Batch few_rows(small, queries(16), k), few_queries(large, queries(2), k),
      many(large, queries(16), k);
  CHECK(!choose(few_rows).by_units() && !choose(few_rows).by_tiles());
  CHECK(!choose(few_queries).by_units() && !choose(few_queries).by_tiles());
  CHECK(choose(many).by_units() && !choose(many).by_tiles());
  std::vector<Query> mixed = queries(16);
  mixed[3].form = spline_form();
  Batch forms(large, mixed, 100), too_few_results(large, mixed, 10);
  CHECK(choose(forms).by_tiles() && !choose(forms).by_units());
  CHECK(!choose(too_few_results).by_tiles());
  CHECK(!ThresholdSampling().by_tiles() && !ThresholdSampling().by_units());
}

void units_estimate_the_kth_score(const temporal::Form& form, bool pool) {
  const MemoryRows rows = corpus(many_rows);
  Batch batch(rows, queries(16, form), k, pool);
  const auto parts = batch.open();
  ThresholdSampling sampling(parts->plan, parts->bounds);
  CHECK(sampling.by_units());
  ScanWorker worker;
  const std::vector<std::uint64_t> all(many_rows / 64 + 1, ~std::uint64_t{0});
  const PanelRange panels = parts->panels.shape({0, 0, many_rows});
  sampling.sample_units({panels, all.data()}, parts->bounds, parts->panels, worker);
  const ThresholdSampling::Buffer* buffers[] = {&worker.sample};
  sampling.end_units(buffers, parts->thresholds);
  CHECK(!sampling.by_units() && sampling.expected_candidates() > k);
  std::size_t missed = 0;
  for (std::size_t s = 0; s < parts->plan.size(); ++s) {
    const std::vector<double> best = batch.scores(parts->plan.slot(s).q);
    const double estimate = parts->thresholds.estimate(s);
    missed += estimate > best[k - 1];
    CHECK(estimate > best[40 * k]);  // few rows reach it
    CHECK(parts->thresholds.kth_bound(s) == -infinity || form.combine == temporal::Combine::sum);
  }
  CHECK(missed <= 1);
}

void tiles_estimate_by_rank() {
  const MemoryRows rows = corpus(many_rows);
  std::vector<Query> given = queries(16);
  given[3].form = spline_form();
  Batch batch(rows, given, 100);
  const auto parts = batch.open();
  ThresholdSampling sampling(parts->plan, parts->bounds);
  std::vector<Candidate> sampled;
  for (std::uint32_t row = 0; row < 100; ++row) {
    const float score = static_cast<float>(row);
    sampled.push_back({score + 1, score - 1, 0, row});
  }
  sampling.raise_estimate(0, sampled, parts->thresholds);
  // 100 / 16 rows of the sample are among the best 100; a rank some deviations beyond is taken.
  CHECK(parts->thresholds.estimate(0) < 99 && parts->thresholds.estimate(0) > 80);
  CHECK(sampling.samples(0));
  sampling.end_tiles();
  CHECK(!sampling.samples(0));
}

}  // namespace

int main() {
  small_batches_and_corpora_are_not_sampled();
  units_estimate_the_kth_score({}, false);
  units_estimate_the_kth_score({}, true);
  units_estimate_the_kth_score(spline_form(), false);
  units_estimate_the_kth_score(recency_form(0.2), false);
  units_estimate_the_kth_score(decay_form(), false);
  units_estimate_the_kth_score(decay_form(0.3), false);
  tiles_estimate_by_rank();
  return 0;
}
