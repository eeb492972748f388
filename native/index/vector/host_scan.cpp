// Choice of scanners for each query, and the passes of a group.
#include "index/vector/host_scan.hpp"

#include <algorithm>
#include <cmath>

#include "index/vector/selectivity.hpp"
#include "index/vector/times/block_times.hpp"

namespace asof::vector {
namespace {

constexpr std::size_t max_group_queries = 512;
constexpr std::size_t max_candidate_bytes = std::size_t(24) << 20;  // of a group's queries

bool all_tiles(std::size_t) {
  return true;
}

bool sampled_tile(std::size_t tile) {
  return tile % ThresholdSampling::tile_step == ThresholdSampling::tile_step / 2;
}

std::vector<ScanWorker*> scan_workers(TilePass& pass) {
  std::vector<ScanWorker*> workers;
  for (TileWorker& worker : pass.workers()) workers.push_back(&worker.quantized_scan);
  return workers;
}

/// The numbers of the tasks, by the greatest temporal factor of their rows in eighths: where rows
/// are in the order of time the best raise thresholds, and others are skipped. In file order where
/// factors are alike, since adjacent rows are read faster; empty where no query has any.
std::vector<std::size_t> timely_order(const Request& request, const std::vector<ScanTask>& tasks,
                                      std::span<const Query> queries) {
  constexpr double steps = 8;
  const auto timed = std::find_if(queries.begin(), queries.end(), [](const Query& each) {
    return each.form.combine != temporal::Combine::none && !temporal::normalizes(each.form);
  });
  if (timed == queries.end()) return {};
  const temporal::Form& form = timed->form;
  std::vector<double> factors;
  std::vector<std::size_t> order;
  for (const ScanTask& task : tasks) {
    const BlockTimes times(request.segments[task.segment].rows, task.begin, task.end - task.begin);
    factors.push_back(std::ceil(steps * times.range(form).greatest));
    order.push_back(order.size());
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return factors[a] > factors[b]; });
  return order;
}

}  // namespace

HostScan::HostScan(const Request& request, const std::vector<ScanTask>& tasks,
                   Normalization& normalization, const Cancel& cancel)
    : request_(request),
      tasks_(tasks),
      normalization_(normalization),
      cancel_(cancel),
      rows_(rows_in_scope(request)),
      has_panels_(request.has_panels()) {}

std::size_t HostScan::max_candidates() const {
  return 1024 + (request_.exactness == Exactness::rescored ? 12 : 4) * std::min(request_.k, rows_);
}

std::size_t HostScan::max_group_size() const {
  const std::size_t k = std::min(request_.k, rows_) *
                        (request_.exactness == Exactness::rescored ? 4 : 1),
                    hit_bytes = sizeof(Entry) * (3 * k + 64);
  const std::size_t query_bytes =
      thread_count() * (hit_bytes + sizeof(Candidate) * max_candidates()) +
      request_.segments.size() * hit_bytes;
  return std::clamp<std::size_t>(max_candidate_bytes / query_bytes, 1, max_group_queries);
}

void HostScan::count_recencies(SearchGroup& group) {
  TilePass pass(request_, tasks_, group, cancel_);
  pass.run(
      all_tiles,
      [&](TileWorker&, std::size_t t, const Tile& tile) {
        normalization_.count_recencies(t, tile.begin, tile.count, tile.bits);
      },
      [](TileWorker&) {});
  pass.finish();
}

void HostScan::scan(SearchGroup& group) {
  open(group);
  scan_rows(group);
  if (quantized_.repeat_missed()) rescan_quantized(group);
  if (normalization_.additive().empty()) return;
  normalization_.finish();
  rescan_additive(group);
}

/// Assigns the group's queries to scanners.
void HostScan::open(SearchGroup& group) {
  const std::span queries = std::span(request_.queries).subspan(group.first, group.size);
  auto adds_recency = [](const Query& query) {
    return query.form.combine == temporal::Combine::sum;
  };
  std::vector<bool> active;
  std::vector<WindowSelectivity> windows;
  const std::vector<WindowSelectivity> selectivities =
      estimate_selectivity(request_, tasks_, group.masks.distinct, group.size);
  for (std::size_t q = 0; q < group.size; ++q) {
    const WindowSelectivity& window = windows.emplace_back(selectivities[group.masks.number[q]]);
    const bool ready = has_panels_ ? !adds_recency(queries[q]) || normalization_.is_normalized(q)
                                   : !adds_recency(queries[q]) && !queries[q].weighs_words();
    active.push_back(ready && !window.narrow && (has_panels_ || window.broad) &&
                     quantized_.supports(group.first + q, rows_));
  }
  if (!(has_panels_ ? QuantizedScan::pays(active)
                    : PanelSource::pays_on_the_fly(request_, group.first, active, kernels_)))
    active.assign(group.size, false);
  // k = 0 is scanned as k = 1: without a best row there is no threshold to prune by.
  group.keep.clear();
  for (std::size_t q = 0; q < group.size; ++q) {
    const bool rescored = request_.exactness == Exactness::rescored && active[q];
    group.keep.push_back(std::max<std::size_t>(request_.k_of(group.first + q), 1) *
                         (rescored ? 4 : 1));
  }
  group.results.open(request_.segments.size(), group.keep, request_.pool);
  std::atomic<double>* const kth = group.kth.get();
  quantized_.open(
      {group.first, active, windows, group.keep, normalization_, rows_, max_candidates()}, kth,
      group.results);
  threshold_scan_.open(group.first, active, kth);
  exhaustive_.open(group.first, group.size, kth);
}

/// The first pass: all queries, after the samples that estimate thresholds.
void HostScan::scan_rows(SearchGroup& group) {
  const std::span queries = std::span(request_.queries).subspan(group.first, group.size);
  TilePass pass(request_, tasks_, group, cancel_, timely_order(request_, tasks_, queries));
  const std::vector<ScanWorker*> workers = scan_workers(pass);
  // Moments of additive queries are merged in the order of tiles.
  const bool samples_tiles = quantized_.samples_tiles() && normalization_.additive().empty();
  if (quantized_.samples_units()) {
    run(pass, all_tiles, [&](TileWorker& worker, std::size_t, const Tile& tile) {
      if (quantized_.scans(tile.segment)) quantized_.scan(worker.quantized_scan, tile);
    });
    pass.reset_hidden();
    quantized_.end_unit_sample(workers);
  }
  const auto scan_tile = [&](TileWorker& worker, std::size_t t, const Tile& tile) {
    this->scan_tile(worker, t, tile);
  };
  if (samples_tiles) run(pass, sampled_tile, scan_tile);
  quantized_.end_tile_sample(workers);
  run(pass, [&](std::size_t tile) { return !samples_tiles || !sampled_tile(tile); }, scan_tile);
  finish(pass);
  quantized_.finish(workers, cancel_);
}

/// Another pass for the queries of the quantized scan whose estimated threshold was too high.
void HostScan::rescan_quantized(SearchGroup& group) {
  TilePass pass(request_, tasks_, group, cancel_);
  run(pass, all_tiles, [&](TileWorker& worker, std::size_t, const Tile& tile) {
    if (quantized_.scans(tile.segment)) quantized_.scan(worker.quantized_scan, tile);
  });
  finish(pass);
  quantized_.finish(scan_workers(pass), cancel_);
}

/// A second pass over cached similarities for additive queries, once their normalization is known.
void HostScan::rescan_additive(SearchGroup& group) {
  TilePass pass(request_, tasks_, group, cancel_);
  run(pass, all_tiles,
      [&](TileWorker&, std::size_t t, const Tile& tile) { exhaustive_.rescan(t, tile); });
  finish(pass);
}

template <typename Takes, typename Work>
void HostScan::run(TilePass& pass, Takes takes, Work work) {
  pass.run(takes, work, [&](TileWorker& worker) {
    quantized_.flush(worker.quantized_scan);
    pass.push_hits(worker);
  });
  std::vector<TileWorker>& workers = pass.workers();
  const auto pending = std::count_if(workers.begin(), workers.end(), [](const TileWorker& worker) {
    return worker.quantized_scan.range.rows.count > 0;
  });
  parallel_for(pending == 0 ? 0 : workers.size(), pending > 1 ? workers.size() : 1,
               [&](std::size_t w, std::size_t) { quantized_.flush(workers[w].quantized_scan); });
}

void HostScan::finish(TilePass& pass) {
  for (TileWorker& worker : pass.workers()) {
    quantized_.flush(worker.quantized_scan);
    pass.push_hits(worker);
  }
  pass.finish();
}

void HostScan::scan_tile(TileWorker& worker, std::size_t t, const Tile& tile) {
  if (quantized_.scans(tile.segment)) quantized_.scan(worker.quantized_scan, tile);
  const bool thresholds = threshold_scan_.scan(worker.threshold_scan, tile);
  exhaustive_.scan(worker.similarities, t, tile, [&](std::size_t q) {
    return quantized_.scans(q, tile.segment) || (thresholds && threshold_scan_.takes(q));
  });
  if (normalization_.needs_recency_counts())
    normalization_.count_recencies(t, tile.begin, tile.count, tile.bits);
}

void HostScan::add_statistics(std::size_t q, QueryStatistics& statistics) const {
  for (std::size_t s = 0; s < request_.segments.size(); ++s) {
    const FlatRows& rows = request_.segments[s].rows;
    if (rows.panels && quantized_.scans(q, s)) statistics.add_storage(rows.panels->storage);
  }
  statistics.rescored = statistics.storage == 0 ? 0 : quantized_.rescored(q);
}

}  // namespace asof::vector
