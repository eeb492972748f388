// The rescorer against all rows' exact scores: from candidates with loose bounds it hands over the
// best k with their f32 scores, and reads few vectors of the rest.
#include "index/vector/quantized_scan/rescorer.hpp"

#include "scan_fixture.hpp"

using namespace asof;
using namespace asof::test;

namespace {

constexpr std::size_t k = 10;

/// All rows of the corpus as candidates, bounded within `width` of their scores, in two buffers.
struct Buffers {
  CandidateBuffer even, odd;
  std::vector<CandidateBuffer*> all{&even, &odd};

  Buffers(const Batch& batch, const ScanBatch& parts, float width) {
    even.open(parts.plan, parts.seeds, parts.sampling);
    odd.open(parts.plan, parts.seeds, parts.sampling);
    for (std::size_t s = 0; s < parts.plan.size(); ++s) {
      for (std::uint32_t row = 0; row < batch.corpus_size(); ++row) {
        const float score = static_cast<float>(batch.score(parts.plan.slot(s).q, row));
        const float upper = score + width * static_cast<float>(row % 7 + 1),
                    lower = score - width * static_cast<float>(row % 5 + 1);
        (row % 2 == 0 ? even : odd).list(s).rows.push_back({upper, lower, 0, row});
      }
    }
  }
};

void finish_finds_the_best(const temporal::Form& form) {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(3, form), k);
  const auto parts = batch.open();
  Buffers buffers(batch, *parts, 0.25f);
  const auto outcomes = parts->rescorer.finish(buffers.all, Cancel());
  for (std::size_t s = 0; s < outcomes.size(); ++s) {
    const std::size_t q = parts->plan.slot(s).q;
    const std::vector<double> best = batch.scores(q);
    const auto hits = batch.results.take(q, k);
    CHECK(hits.size() == k);
    for (std::size_t i = 0; i < k; ++i) CHECK(hits[i].score == best[i]);
    CHECK(outcomes[s].kth_score <= best[k - 1] && outcomes[s].kth_score > best[k - 1] - 1e-5);
    CHECK(outcomes[s].rescored >= k && outcomes[s].rescored < corpus_rows / 8);
  }
}

void estimates_bound_what_is_scored() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(1), k);
  const auto parts = batch.open();
  const std::vector<double> best = batch.scores(0);
  parts->thresholds.raise_estimate(0, best[k / 2] + 1e-3);  // too high: few rows reach it
  Buffers buffers(batch, *parts, 0.0f);
  const auto outcomes = parts->rescorer.finish(buffers.all, Cancel());
  CHECK(outcomes[0].kth_score < parts->thresholds.estimate(0));
  parts->thresholds.verify(0, outcomes[0].kth_score);
  CHECK(parts->thresholds.missed() == std::vector<std::size_t>{0});
}

void resolve_empties_a_list() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(1), k);
  const auto parts = batch.open();
  CandidateList list;
  for (std::uint32_t row = 100; row < 200; ++row) list.rows.push_back({1000, -1000, 0, row});
  CHECK(parts->rescorer.resolve(0, list) == 100);
  CHECK(list.rows.empty() && list.hits.size() == k);
  std::vector<double> best;
  for (std::size_t row = 100; row < 200; ++row) best.push_back(batch.score(0, row));
  std::sort(best.rbegin(), best.rend());
  CHECK(parts->thresholds.kth_bound(0) <= best[k - 1]);
  CHECK(parts->thresholds.kth_bound(0) > best[k - 1] - 1e-5);
  CHECK(batch.results.take(0, k).front().score == best[0]);
}

void inexact_scores() {
  const MemoryRows rows = corpus();
  for (const Exactness exactness : {Exactness::rescored, Exactness::raw}) {
    Batch batch(rows, queries(1), k, false, exactness);
    const auto parts = batch.open();
    CandidateBuffer buffer;
    buffer.open(parts->plan, parts->seeds, parts->sampling);
    for (std::uint32_t row = 0; row < 100; ++row)
      buffer.list(0).rows.push_back({static_cast<float>(row), static_cast<float>(row), 0, row});
    CandidateBuffer* buffers[] = {&buffer};
    const auto outcomes = parts->rescorer.finish(buffers, Cancel());
    const bool raw = exactness == Exactness::raw;
    CHECK(outcomes[0].rescored == (raw ? 0 : 4 * k));
    const auto hits = batch.results.take(0, k);
    if (raw)
      CHECK(hits[0].row == 99 && hits[0].score == 99);
    else
      CHECK(hits[0].score == batch.score(0, hits[0].row));
  }
}

}  // namespace

int main() {
  finish_finds_the_best({});
  finish_finds_the_best(spline_form());
  finish_finds_the_best(recency_form(0));
  finish_finds_the_best(decay_form());
  finish_finds_the_best(decay_form(0.3));
  estimates_bound_what_is_scored();
  resolve_empties_a_list();
  inexact_scores();
  return 0;
}
