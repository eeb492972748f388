// Bound providers against exact scores: no row that reaches its slot's threshold is excluded, by a
// tile's bounds, a range's bounds, or kernel terms; and most other rows are.
#include "index/vector/quantized_scan/bound_set.hpp"

#include "scan_fixture.hpp"

using namespace asof;
using namespace asof::test;

namespace {

constexpr std::size_t k = 20;

/// Thresholds that some k rows reach.
void set_thresholds(Batch& batch, const ScanBatch& parts) {
  for (std::size_t s = 0; s < parts.plan.size(); ++s)
    parts.thresholds.raise_kth(s, batch.scores(parts.plan.slot(s).q)[k - 1]);
}

/// The share of (slot, row) pairs that the bounds leave, when similarities are compared with them.
double check_tiles(Batch& batch, const ScanBatch& parts) {
  RowBounds bounds;
  bounds.open(parts.plan);
  std::size_t left = 0;
  for (std::size_t begin = 0; begin < batch.corpus_size(); begin += block_rows) {
    const WholeTile whole(batch, begin);
    const BlockBits any = parts.bounds.bound_tile(whole.tile, bounds);
    for (std::size_t s = 0; s < parts.plan.size(); ++s) {
      const std::size_t q = parts.plan.slot(s).q;
      const SlotSeeds& seeds = parts.seeds.slot(s);
      for (std::size_t i = 0; i < whole.tile.count; ++i) {
        const bool listed = (bounds.rows[s][i / 64] >> (i % 64) & 1) != 0,
                   passes = listed && batch.similarity(q, begin + i) >= bounds.min_similarity[s];
        left += passes;
        CHECK(!listed || (any[i / 64] >> (i % 64) & 1) != 0);
        const temporal::Form& form = parts.plan.slot(s).query->form;
        if (seeds.complete || (form.combine == temporal::Combine::sum &&
                               seeds.scored(row_time(form, batch.rows(), begin + i).value)))
          continue;
        CHECK(passes || batch.score(q, begin + i) < parts.thresholds.threshold(s));
      }
    }
  }
  return static_cast<double>(left) / static_cast<double>(parts.plan.size() * batch.corpus_size());
}

/// The same of ranges that begin within a panel, with their kernel terms. Lexical scores that slots
/// do not share are bounded by tiles alone.
double check_ranges(Batch& batch, const ScanBatch& parts) {
  if (parts.plan.lexical() && parts.plan.shared_term() != SharedTerm::lexical) return 0;
  RowBounds bounds;
  bounds.open(parts.plan);
  PanelSource::Buffer buffer;
  std::size_t left = 0;
  const std::size_t length = 4 * block_rows;
  for (std::size_t begin = 24; begin + length <= batch.corpus_size(); begin += length) {
    const SegmentRange rows{0, begin, length};
    const BlockTimes times(batch.rows(), begin, length);
    const RangeScope scope{rows, times};
    parts.bounds.bound_range(scope, bounds);
    const PanelRange panels = parts.panels.panels(rows, buffer);
    const KernelTerms terms = parts.bounds.shared().kernel_terms(scope, panels, bounds);
    const std::size_t base = begin / quantized::panel_rows * quantized::panel_rows;
    for (std::size_t s = 0; s < parts.plan.size(); ++s) {
      const std::size_t q = parts.plan.slot(s).q;
      const temporal::Form& form = parts.plan.slot(s).query->form;
      for (std::size_t row = begin; row < begin + length; ++row) {
        float value = batch.similarity(q, row);
        if (bounds.min_similarity[s] != RowBounds::unreachable) {
          if (terms.row_factors != nullptr) value *= terms.row_factors[row - base];
          if (terms.row_bias != nullptr)
            value += terms.bias_weights[s] * terms.row_bias[row - base];
        }
        value += 1e-5f * std::abs(value);
        left += value >= bounds.min_similarity[s];
        if (form.combine == temporal::Combine::sum &&
            parts.seeds.slot(s).scored(row_time(form, batch.rows(), row).value))
          continue;
        CHECK(value >= bounds.min_similarity[s] || parts.seeds.slot(s).complete ||
              batch.score(q, row) < parts.thresholds.threshold(s));
      }
    }
  }
  return static_cast<double>(left) / static_cast<double>(parts.plan.size() * batch.corpus_size());
}

struct Left {
  double tiles, ranges;
};

Left check(std::vector<Query> given) {
  const MemoryRows rows = corpus();
  Batch batch(rows, std::move(given), k);
  const auto parts = batch.open();
  const double before = check_tiles(batch, *parts);
  CHECK(before > 0.9 || parts->plan.slot(0).top_recencies != nullptr);  // no threshold, no bounds
  set_thresholds(batch, *parts);
  return {check_tiles(batch, *parts), check_ranges(batch, *parts)};
}

void plain_bounds() {
  const Left left = check(queries(3));
  CHECK(left.tiles < 0.01 && left.ranges < 0.01);
}

void temporal_bounds() {
  const Left own = check(queries(2, spline_form())), shared = check(queries(6, spline_form()));
  CHECK(own.tiles < 0.05 && own.ranges < 0.05);
  CHECK(shared.ranges < own.ranges + 0.01);
}

void recency_bounds() {
  const Left little = check(queries(2, recency_form(0.2)));
  CHECK(little.tiles < 0.2 && little.ranges < 0.05);
  check(queries(2, recency_form(5)));
  check(queries(2, decay_form()));
  check(queries(2, decay_form(0.3)));
  check(queries(2, decay_form(-0.3)));
  std::vector<Query> mixed = queries(4, recency_form(0.2));
  mixed[1].form.recency.at = 900 * day;
  mixed[2].form.weight = -1;
  check(mixed);
}

void lexical_bounds() {
  std::mt19937 random(3);
  std::vector<float> scores(corpus_rows), block_max(corpus_rows / block_rows);
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (random() % 20 == 0) scores[row] = static_cast<float>(random() % 32);
    float& most = block_max[row / block_rows];
    most = std::max(most, scores[row]);
  }
  for (const temporal::Form& form : {temporal::Form{}, spline_form()}) {
    std::vector<Query> given = queries(3, form);
    for (Query& query : given) {
      query.semantic_weight = 0.5;
      query.lexical_weight = 2;
      query.lexical = {scores};
      query.lexical_block_max = {block_max};
    }
    CHECK(check(given).tiles < 0.2);
    given[2].lexical_weight = -1;  // no shared term, and no filter by the least score
    check(given);
    given[0].lexical.clear();
    check(given);
  }
}

}  // namespace

int main() {
  plain_bounds();
  temporal_bounds();
  recency_bounds();
  lexical_bounds();
  return 0;
}
