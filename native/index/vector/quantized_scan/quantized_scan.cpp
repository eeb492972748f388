// Driver: tiles joined to ranges, kernel calls, sampling phases and the repeated scan.
#include "index/vector/quantized_scan/quantized_scan.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "index/vector/masked_products.hpp"

namespace asof::vector {
namespace {

using quantized::panel_rows;

constexpr std::size_t few_queries = 4;  // of more, several queries use each panel
constexpr std::size_t first_range_rows = 2 * block_rows;

std::size_t count_bits(const std::uint64_t* words, std::size_t count) {
  std::size_t bits = 0;
  for (std::size_t word = 0; 64 * word < count; ++word)
    bits += static_cast<std::size_t>(__builtin_popcountll(words[word]));
  return bits;
}

/// The bitmap of `count` rows moved up by `shift` < 64 bits, in `words` words.
std::vector<std::uint64_t> shifted(const std::uint64_t* bits, std::size_t count, std::size_t shift,
                                   std::size_t words) {
  std::vector<std::uint64_t> out(words);
  for (std::size_t word = 0; word < words; ++word) {
    const std::uint64_t own = 64 * word < count ? bits[word] : 0;
    out[word] = shift == 0 ? own : own << shift | (word > 0 ? bits[word - 1] >> (64 - shift) : 0);
  }
  return out;
}

}  // namespace

bool QuantizedScan::pays(const std::vector<bool>& active) {
  constexpr std::ptrdiff_t min_batch_queries = 32;
  return std::count(active.begin(), active.end(), true) < min_batch_queries ||
         (isa() != Isa::x86_64_v2 && isa() != Isa::x86_64_v3);
}

bool QuantizedScan::supports(std::size_t q, std::size_t rows) const {
  const Query& query = request_.queries[q];
  if (!query.has_vector || !query.weighs_as_floats() || request_.k == 0 || 4 * request_.k > rows)
    return false;
  const float* vector = request_.vectors.data() + q * request_.dimensions;
  double squares = 0;
  for (std::size_t c = 0; c < request_.dimensions; ++c)
    squares += static_cast<double>(vector[c]) * static_cast<double>(vector[c]);
  return std::isfinite(squares) && squares > 0;
}

void QuantizedScan::open(const QueryGroup& group, std::atomic<double>* kth, GroupResults& results) {
  active_ = group.active;
  kth_ = kth;
  results_ = &results;
  rescored_.assign(group.active.size(), 0);
  batch_.reset();
  if (std::none_of(active_.begin(), active_.end(), [](bool active) { return active; })) return;
  open_batch(ScanPlan(request_, group));
  batch_->sampling = ThresholdSampling(batch_->plan, batch_->bounds);
}

void QuantizedScan::open_batch(ScanPlan plan) {
  batch_ = std::make_unique<ScanBatch>(std::move(plan),
                                       ScanResources{kernels_, times_, *results_, kth_});
  for (std::size_t s = 0; s < batch_->plan.size(); ++s)
    rescored_[batch_->plan.slot(s).q] += batch_->seeds.slot(s).rescored;
}

void QuantizedScan::open_worker(ScanWorker& worker) const {
  if (worker.candidates.is_open()) return;
  const ScanPlan& plan = batch_->plan;
  worker.bounds.open(plan);
  worker.candidates.open(plan, batch_->seeds, batch_->sampling);
  worker.rescored.assign(plan.size(), 0);
  worker.sparse.rescored = &worker.rescored;
  worker.range.capacity = std::min(batch_->panels.max_range_rows(), first_range_rows);
}

/// Whether all slots scan the same rows of the tile, and enough of them. (Fewer are gathered
/// already where that is possible.)
bool QuantizedScan::joins_range(const Tile& tile) const {
  const ScanPlan& plan = batch_->plan;
  if (plan.lexical() && plan.shared_term() != SharedTerm::lexical) return false;
  auto visible = [&](const QuerySlot& slot) { return tile.visible[tile.mask_of[slot.q]]; };
  if (plan.one_mask())
    return plan.size() > few_queries || plan.sparse_rows() ||
           4 * visible(plan.slot(0)) >= tile.count;
  return std::all_of(plan.slots().begin(), plan.slots().end(),
                     [&](const QuerySlot& slot) { return visible(slot) == tile.count; });
}

void QuantizedScan::scan(ScanWorker& worker, const Tile& tile) {
  if (batch_ == nullptr || batch_->seeds.complete()) return;
  open_worker(worker);
  TileRange& range = worker.range;
  SegmentRange& rows = range.rows;
  if (rows.count > 0 && (rows.segment != tile.segment || rows.begin + rows.count != tile.begin))
    flush_range(worker);
  if (batch_->sparse_rows.sparse(tile, worker.sparse)) {
    if (!samples_units()) batch_->sparse_rows.gather(tile, worker.sparse);
    return;
  }
  if (!joins_range(tile)) {
    flush_range(worker);
    if (!samples_units()) scan_tile(worker, tile);
    return;
  }
  if (rows.count == 0) {
    rows = {tile.segment, tile.begin, 0};
    range.bits.clear();
  }
  rows.count += tile.count;
  range.bits.push_back(batch_->bounds.shared().range_rows(tile));
  // A bitmap's words align only for whole blocks.
  if (rows.count >= range.capacity || tile.count != block_rows) flush_range(worker);
}

void QuantizedScan::flush(ScanWorker& worker) {
  if (batch_ == nullptr) return;
  flush_range(worker);
  batch_->sparse_rows.flush(worker.sparse);
}

void QuantizedScan::flush_range(ScanWorker& worker) {
  TileRange& range = worker.range;
  if (range.rows.count == 0) return;
  const SegmentRange rows = std::exchange(range.rows, {});
  range.capacity = std::min(batch_->panels.max_range_rows(), 2 * range.capacity);
  const std::uint64_t* bits = range.bits.front().data();
  const std::size_t visible = count_bits(bits, rows.count), shift = rows.begin % panel_rows;
  if (samples_units()) {
    if (visible == 0) return;
    const PanelRange panels = batch_->panels.shape(rows);
    const std::vector<std::uint64_t> sampled =
        shifted(bits, rows.count, shift, panels.rows.n / 64 + 1);
    batch_->sampling.sample_units({panels, sampled.data()}, batch_->bounds, batch_->panels, worker);
    return;
  }
  if (visible == 0) return;
  raise_thresholds(worker);
  const BlockTimes times(request_.segments[rows.segment].rows, rows.begin, rows.count);
  const RangeScope scope{rows, times};
  batch_->bounds.bound_range(scope, worker.bounds);
  if (worker.bounds.all_unreachable()) return;
  PanelRange panels = batch_->panels.panels(rows, worker.panels);
  SurvivorCollector::Call call;
  call.segment = rows.segment;
  call.base = rows.begin - shift;
  call.terms = batch_->bounds.shared().kernel_terms(scope, panels, worker.bounds);
  call.plain =
      batch_->plan.plain() || (call.terms.row_factors != nullptr && batch_->plan.exact_factors());
  if (call.terms.scaled_records != nullptr) panels.rows.records = call.terms.scaled_records;
  const bool filters = shift > 0 || visible < rows.count;
  const std::vector<std::uint64_t> filter =
      shifted(bits, rows.count, shift, filters ? panels.rows.n / 64 + 1 : 0);
  SurvivorCollector(*batch_, worker, kernels_)
      .scan(call, panels, filters ? filter.data() : nullptr);
}

/// Of queries with a temporal factor, whose later ranges may then be skipped.
void QuantizedScan::raise_thresholds(ScanWorker& worker) const {
  for (std::size_t s = 0; s < batch_->plan.size(); ++s) {
    if (batch_->plan.slot(s).query->form.combine == temporal::Combine::product)
      worker.candidates.raise(s, batch_->thresholds);
  }
}

void QuantizedScan::scan_tile(ScanWorker& worker, const Tile& tile) {
  const BlockBits bits = batch_->bounds.bound_tile(tile, worker.bounds);
  if (count_of(bits) == 0) return;
  if (floats_pay(tile, worker.bounds, bits)) return scan_floats(worker, tile);
  const SegmentRange rows{tile.segment, tile.begin, tile.count};
  const PanelRange panels = batch_->panels.panels(rows, worker.panels);
  const std::size_t shift = tile.begin % panel_rows;
  SurvivorCollector::Call call;
  call.segment = tile.segment;
  call.base = tile.begin - shift;
  call.tile = &tile;
  const bool filters = shift > 0 || count_of(bits) < tile.count;
  const std::vector<std::uint64_t> filter =
      shifted(bits.data(), tile.count, shift, filters ? panels.rows.n / 64 + 1 : 0);
  SurvivorCollector(*batch_, worker, kernels_)
      .scan(call, panels, filters ? filter.data() : nullptr);
}

/// Whether the f32 vectors of few rows cost less than the panels that hold them.
bool QuantizedScan::floats_pay(const Tile& tile, const RowBounds& bounds,
                               const BlockBits& rows) const {
  constexpr std::size_t panels_per_row = 4;  // that one query reads as fast as one f32 row
  const std::size_t slots = batch_->plan.size(), d = request_.dimensions;
  std::size_t panels = 0;
  for (std::uint64_t word : rows) {
    for (; word != 0; word >>= panel_rows) panels += (word & 0xffff) != 0;
  }
  const std::size_t bytes =
      panels * quantized::panel_bytes(batch_->panels.storage(tile.segment), d);
  if (slots <= few_queries && count_of(rows) * d * sizeof(float) < bytes) return true;
  std::size_t pairs = 0;
  for (std::size_t s = 0; s < slots; ++s) {
    if (tile.visible[tile.mask_of[batch_->plan.slot(s).q]] > 0) pairs += count_of(bounds.rows[s]);
  }
  return panels_per_row * pairs < panels * slots;
}

void QuantizedScan::scan_floats(ScanWorker& worker, const Tile& tile) {
  const FlatRows& rows = request_.segments[tile.segment].rows;
  const std::size_t d = request_.dimensions;
  float similarities[block_rows];
  for (std::size_t s = 0; s < batch_->plan.size(); ++s) {
    const QuerySlot& slot = batch_->plan.slot(s);
    const BlockBits& bits = worker.bounds.rows[s];
    if (tile.visible[tile.mask_of[slot.q]] == 0) continue;
    const float* vectors = block_vectors(rows, tile.begin, bits);
    multiply_rows(kernels_, {slot.vector, vectors, d, 0, d}, bits, similarities);
    worker.rescored[s] += static_cast<double>(count_of(bits));
    const RowScorer scorer = batch_->plan.scorer(slot, tile.segment);
    const TopK top{tile.collectors[slot.q], batch_->thresholds.kth(s)};
    if (!slot.adds_recency())
      select_rows(scorer, {similarities, tile.begin}, bits, top);
    else
      select_additive(scorer,
                      {similarities, tile.begin, worker.bounds.recencies[slot.recency].data()},
                      bits, top);
  }
}

void QuantizedScan::end_tile_sample(std::span<ScanWorker* const> workers) {
  if (!samples_tiles()) return;
  std::vector<Candidate> sampled;
  for (std::size_t s = 0; s < batch_->plan.size(); ++s) {
    sampled.clear();
    for (ScanWorker* worker : workers) {
      if (!worker->candidates.is_open()) continue;
      const std::vector<Candidate>& rows = worker->candidates.list(s).rows;
      sampled.insert(sampled.end(), rows.begin(), rows.end());
    }
    if (batch_->sampling.samples(s))
      batch_->sampling.raise_estimate(s, sampled, batch_->thresholds);
    for (ScanWorker* worker : workers) {
      if (worker->candidates.is_open()) worker->candidates.end_sampling(s, batch_->thresholds);
    }
  }
  batch_->sampling.end_tiles();
}

void QuantizedScan::end_unit_sample(std::span<ScanWorker* const> workers) {
  std::vector<const ThresholdSampling::Buffer*> buffers;
  for (const ScanWorker* worker : workers) buffers.push_back(&worker->sample);
  batch_->sampling.end_units(buffers, batch_->thresholds);
}

void QuantizedScan::finish(std::span<ScanWorker* const> workers, const Cancel& cancel) {
  if (batch_ == nullptr) return;
  std::vector<CandidateBuffer*> buffers;
  for (ScanWorker* worker : workers) buffers.push_back(&worker->candidates);
  const std::vector<Rescorer::Outcome> outcomes = batch_->rescorer.finish(buffers, cancel);
  for (std::size_t s = 0; s < outcomes.size(); ++s) {
    double& rescored = rescored_[batch_->plan.slot(s).q];
    for (const ScanWorker* worker : workers) {
      if (!worker->rescored.empty()) rescored += worker->rescored[s];
    }
    rescored += outcomes[s].rescored;
    batch_->thresholds.verify(s, outcomes[s].kth_score);
  }
}

bool QuantizedScan::repeat_missed() {
  if (batch_ == nullptr) return false;
  const std::vector<std::size_t> missed = batch_->thresholds.missed();
  if (missed.empty()) return false;
  for (const std::size_t s : missed) {
    // Results of segments without panels do not depend on estimates.
    for (std::size_t segment = 0; segment < request_.segments.size(); ++segment) {
      if (scans(segment)) results_->drop(segment, batch_->plan.slot(s).q);
    }
  }
  open_batch(ScanPlan(batch_->plan, missed));
  return true;
}

}  // namespace asof::vector
