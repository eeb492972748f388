// The plan of a quantized scan: slots, their order, and the term that they share.
#include "index/vector/quantized_scan/scan_plan.hpp"

#include "scan_fixture.hpp"

using namespace asof;
using namespace asof::test;

namespace {

void slots_are_the_active_queries_by_window() {
  const MemoryRows rows = corpus();
  std::vector<Query> given = queries(4);
  for (std::size_t q = 0; q < given.size(); ++q) {
    given[q].mask.has_window = true;
    given[q].mask.window = {static_cast<double>(10 - q) * day, 100 * day};
  }
  Batch batch(rows, given, 5);
  batch.deactivate(2);
  const ScanPlan plan = batch.plan();
  CHECK(plan.size() == 3);
  CHECK(plan.slot(0).q == 3 && plan.slot(1).q == 1 && plan.slot(2).q == 0);
  CHECK(plan.plain() && !plan.one_mask() && !plan.lexical() && !plan.packs_on_the_fly());
  for (const QuerySlot& slot : plan.slots()) {
    CHECK(slot.query == &batch.request.queries[slot.q]);
    double squares = 0;
    for (std::size_t c = 0; c < dimensions; ++c)
      squares += static_cast<double>(slot.vector[c]) * static_cast<double>(slot.vector[c]);
    CHECK(slot.norm * slot.norm >= squares && slot.norm * slot.norm < squares * 1.001);
  }
}

void shared_terms() {
  const MemoryRows rows = corpus();
  CHECK(Batch(rows, queries(6), 5).plan().shared_term() == SharedTerm::none);
  CHECK(Batch(rows, queries(6, spline_form()), 5).plan().shared_term() == SharedTerm::factor);
  CHECK(Batch(rows, queries(6, spline_form()), 5).plan().exact_factors());
  CHECK(Batch(rows, queries(3, spline_form()), 5).plan().shared_term() == SharedTerm::none);
  CHECK(Batch(rows, queries(1, decay_form()), 5).plan().shared_term() == SharedTerm::factor);
  CHECK(Batch(rows, queries(1, decay_form()), 5).plan().exact_factors());
  CHECK(Batch(rows, queries(1, decay_form(0.3)), 5).plan().shared_term() == SharedTerm::recency);
  CHECK(Batch(rows, queries(6, recency_form(1)), 5).plan().shared_term() == SharedTerm::recency);
  CHECK(Batch(rows, queries(1, recency_form(1)), 5).plan().shared_term() == SharedTerm::recency);

  std::vector<Query> other = queries(6, spline_form());
  other[3].form.spline.outside = 0.4;
  CHECK(Batch(rows, other, 5).plan().shared_term() == SharedTerm::none);

  const std::vector<float> scores(corpus_rows, 1.0f);
  std::vector<Query> lexical = queries(3);
  for (Query& query : lexical) {
    query.lexical = {scores};
    query.lexical_weight = 0.5;
  }
  CHECK(Batch(rows, lexical, 5).plan().shared_term() == SharedTerm::lexical);
  lexical[1].lexical_weight = 0.25;
  CHECK(Batch(rows, lexical, 5).plan().shared_term() == SharedTerm::none);
}

void a_subset_keeps_what_the_batch_shares() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(6, spline_form()), 5);
  const ScanPlan plan = batch.plan(), subset(plan, {1, 4});
  CHECK(subset.size() == 2 && subset.slot(0).q == 1 && subset.slot(1).q == 4);
  CHECK(subset.shared_term() == SharedTerm::factor && subset.exact_factors());
}

void packed_slots_survive_by_their_products() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(20), 5);
  const ScanPlan plan = batch.plan();
  const PanelSource source(plan);
  PanelSource::Buffer buffer;
  const PanelRange panels = source.panels({0, 0, block_rows}, buffer);
  const std::vector<float> thresholds(plan.size(), 20.0f);
  std::vector<std::vector<bool>> survived(plan.size(), std::vector<bool>(block_rows));
  const quantized::Scan scan{
      0,
      quantized::panels(panels.rows.n),
      thresholds.data() + 16,
      nullptr,
      [](void* context, const quantized::PanelSurvivor* found, std::size_t n) {
        auto& all = *static_cast<std::vector<std::vector<bool>>*>(context);
        for (std::size_t i = 0; i < n; ++i) all[16 + found[i].query][found[i].row] = true;
      },
      &survived};
  plan.packed().survivors(panels, {16, 4}, scan);
  for (std::size_t s = 16; s < plan.size(); ++s) {
    for (std::size_t row = 0; row < block_rows; ++row) {
      const float similarity = batch.similarity(plan.slot(s).q, row);
      CHECK(similarity < 20 || survived[s][row]);
      CHECK(similarity > 19 || !survived[s][row]);
    }
  }
}

}  // namespace

int main() {
  slots_are_the_active_queries_by_window();
  shared_terms();
  a_subset_keeps_what_the_batch_shares();
  packed_slots_survive_by_their_products();
  return 0;
}
