// The candidate buffer: what is cut, what its bounds prove, and when it has to be rescored.
#include "index/vector/quantized_scan/candidate_buffer.hpp"

#include "scan_fixture.hpp"

using namespace asof;
using namespace asof::test;

namespace {

constexpr std::size_t k = 10;

/// Candidates of scores 0, 1, 2 ... in random order, bounded within `width`.
std::vector<Candidate> candidates(std::size_t count, float width) {
  std::vector<Candidate> all;
  for (std::uint32_t row = 0; row < count; ++row) {
    const float score = static_cast<float>(row);
    all.push_back({score + width, score - width, 0, row});
  }
  std::shuffle(all.begin(), all.end(), std::mt19937(7));
  return all;
}

void cuts_raise_the_threshold_and_keep_the_best() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(1), k);
  const auto parts = batch.open();
  CandidateBuffer buffer;
  CHECK(!buffer.is_open());
  buffer.open(parts->plan, parts->seeds, parts->sampling);
  CandidateList& list = buffer.list(0);
  const std::size_t count = 4000;
  for (const Candidate& each : candidates(count, 1)) {
    if (static_cast<double>(each.upper) < parts->thresholds.threshold(0)) continue;
    list.rows.push_back(each);
    if (list.rows.size() >= list.capacity)
      CHECK(!buffer.prune(0, parts->thresholds, parts->sampling));
  }
  const double kth = static_cast<double>(count - k);  // the true k-th best score
  CHECK(parts->thresholds.kth_bound(0) <= kth && parts->thresholds.kth_bound(0) > kth - 500);
  std::vector<bool> kept(count);
  for (const Candidate& each : list.rows) kept[each.row] = true;
  for (std::size_t row = count - k; row < count; ++row) CHECK(kept[row]);
  CHECK(list.rows.size() < list.capacity);
}

void the_threshold_rises_before_the_list_is_full() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(1), k);
  const auto parts = batch.open();
  CandidateBuffer buffer;
  buffer.open(parts->plan, parts->seeds, parts->sampling);
  const std::size_t count = 3 * k;
  buffer.list(0).rows = candidates(count, 0.25f);
  CHECK(count < buffer.list(0).capacity);
  buffer.raise(0, parts->thresholds);
  const double kth = static_cast<double>(count - k);
  CHECK(parts->thresholds.kth_bound(0) <= kth && parts->thresholds.kth_bound(0) > kth - 0.5);
  CHECK(buffer.list(0).rows.size() == k);
  buffer.list(0).rows.push_back({1000, 999, 0, static_cast<std::uint32_t>(count)});
  buffer.raise(0, parts->thresholds);
  CHECK(parts->thresholds.kth_bound(0) > kth + 0.5 && buffer.list(0).rows.size() == k);
}

void equal_rows_have_to_be_rescored() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(1), k);
  const auto parts = batch.open();
  CandidateBuffer buffer;
  buffer.open(parts->plan, parts->seeds, parts->sampling);
  bool full = false;
  for (std::uint32_t row = 0; row < 8000 && !full; ++row) {
    buffer.list(0).rows.push_back({1, 0, 0, row});
    if (buffer.list(0).rows.size() >= buffer.list(0).capacity)
      full = buffer.prune(0, parts->thresholds, parts->sampling);
  }
  CHECK(full && parts->thresholds.kth_bound(0) == 0);
  CHECK(buffer.list(0).rows.size() <= parts->plan.max_candidates());
}

void passages_count_once() {
  const MemoryRows rows = corpus();
  for (const bool pool : {false, true}) {
    Batch batch(rows, queries(1), 2, pool);
    const auto parts = batch.open();
    CandidateBuffer buffer;
    buffer.open(parts->plan, parts->seeds, parts->sampling);
    // Rows 0 and 1 are of one passage.
    buffer.list(0).rows = {{5, 5, 0, 0}, {4, 4, 0, 1}, {3, 3, 0, 2}};
    buffer.prune(0, parts->thresholds, parts->sampling);
    CHECK(parts->thresholds.kth_bound(0) == (pool ? 3 : 4));
  }
}

void inexact_scans_keep_the_best_by_panel_and_their_ties() {
  std::vector<Candidate> rows = {{3, 0, 0, 1}, {2, 0, 0, 5}, {2, 0, 0, 4}, {1, 0, 0, 2}};
  const MemoryRows corpus_ = corpus();
  Batch batch(corpus_, queries(1), 2, false, Exactness::raw);
  CHECK(keep_best(batch.request, rows, 2) == 2);
  CHECK(rows.size() == 2 && rows[0].row == 1 && rows[1].row == 4);
  CHECK(keep_best(batch.request, rows, 3) == -infinity && rows.size() == 2);
}

void lists_move() {
  const MemoryRows rows = corpus();
  Batch batch(rows, queries(2), k);
  const auto parts = batch.open();
  CandidateBuffer one, other;
  one.open(parts->plan, parts->seeds, parts->sampling);
  other.open(parts->plan, parts->seeds, parts->sampling);
  one.list(1).rows = candidates(5, 0);
  other.list(1).rows = candidates(7, 0);
  CandidateList all;
  one.move_to(1, all);
  other.move_to(1, all);
  CHECK(all.rows.size() == 12 && one.list(1).rows.empty() && other.list(1).rows.empty());
}

}  // namespace

int main() {
  cuts_raise_the_threshold_and_keep_the_best();
  the_threshold_rises_before_the_list_is_full();
  equal_rows_have_to_be_rescored();
  passages_count_once();
  inexact_scans_keep_the_best_by_panel_and_their_ties();
  lists_move();
  return 0;
}
