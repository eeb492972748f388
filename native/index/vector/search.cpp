// Scan driver: tasks of rows over threads, tiles of rows within a task and chunks of queries within
// a tile, so that rows come from memory once per batch.
#include "index/vector/search.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/threads.hpp"
#include "index/vector/distinct_masks.hpp"
#include "index/vector/floats/exhaustive_scan.hpp"
#include "index/vector/floats/prefix_scan.hpp"
#include "index/vector/floats/threshold_scan.hpp"
#include "index/vector/masked_products.hpp"
#include "index/vector/on_device.hpp"
#include "index/vector/quantized_scan/quantized_scan.hpp"
#include "index/vector/result_writer.hpp"
#include "index/vector/selection.hpp"
#include "index/vector/tile_masks.hpp"
#include "index/vector/times/normalization.hpp"
#include "index/vector/window_scan.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {
namespace {

constexpr std::size_t max_group_queries = 512;
// Fewer are put in order before another thread wakes; those of a device lie in lists.
constexpr std::size_t min_parallel_hits = 4096, min_parallel_listed = 16384;
constexpr std::size_t max_candidate_bytes =
    std::size_t(24) << 20;  // what a group's queries may find and keep waiting

/// What one thread works with.
struct Worker {
  std::size_t segment = 0;
  std::vector<Collector> collectors;  // one a query of the group, of the worker's segment
  std::vector<float> similarities;    // of the exhaustive scan
  TileMasks masks;
  PrefixScan::Worker prefix_scan;
  ScanWorker quantized;
  ThresholdScan::Worker threshold_scan;
};

class Scan {
 public:
  Scan(const Request& request, const Cancel& cancel)
      : request_(request), cancel_(cancel), rows_(rows_in_scope(request)) {
    for (const SearchSegment& each : request.segments)
      has_panels_ = has_panels_ || each.rows.panels;
  }

  Result run() {
    Result result;
    result.reserve(
        std::min<std::size_t>(std::min(request_.k, rows_) * request_.queries.size(), 1 << 20));
    result.reserve_queries(request_.queries.size());
    result.offsets.push_back(0);
    for (std::size_t first = 0; first < request_.queries.size(); first += size_) {
      open_group(first);
      if (on_device_)
        scan_on_device();
      else
        scan_on_host();
      report(result);
    }
    return result;
  }

 private:
  void scan_on_host() {
    pass(&Scan::scan_tile);
    if (quantized_.repeat_missed()) pass(&Scan::scan_quantized);
    if (normalization_.summing().empty()) return;
    normalization_.finish();
    pass(&Scan::rescan_tile);
  }

  void scan_on_device() {
    const OnDevice::Counts counts =
        device_.scan({first_, size_, masks_, mask_of_, compiled_, normalization_.maps(), keep_},
                     results_, cancel_);
    for (std::size_t m = 0; m < masks_.size(); ++m) hidden_[m] = rows_ - counts.visible[m];
    device_rescored_ = counts.rescored;
  }

  using TileWork = void (Scan::*)(Worker&, std::size_t task, std::size_t begin, std::size_t count);

  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }

  /// The next queries: as many as their similarities may be kept in memory for, where they must be.
  void open_group(std::size_t first) {
    first_ = first;
    DistinctMasks distinct;
    mask_of_.clear();
    normalization_.clear(rows_);
    on_device_ = device_.suits(first);
    std::size_t most = on_device_ ? device_.group_size(rows_) : group_size();
    for (size_ = 0; first + size_ < request_.queries.size() &&
                    (size_ == 0 || device_.suits(first + size_) == on_device_);
         size_ += 1) {
      const Query& next = request_.queries[first + size_];
      if (next.form.combine == Combine::sum)
        most = std::min(most, group_size());  // it may be the host's yet
      if (size_ >= most) break;
      mask_of_.push_back(distinct.number_of(next.mask));
      normalization_.add(next, mask_of_.back());
    }
    masks_ = distinct.all();
    compiled_.clear();
    for (const SearchSegment& segment : request_.segments) {
      for (const Mask& mask : masks_) compiled_.push_back(compile_mask(mask, segment.rows));
    }
    // Who wants none is scanned as who wants one, and given none: without a best row there is
    // nothing to leave other rows by.
    keep_.assign(size_, std::max<std::size_t>(request_.k, 1));
    if (tasks_.empty() && (!on_device_ || !normalization_.summing().empty()))
      tasks_ = cut(request_);
    settle_normalization();
    for (std::size_t q = 0; q < size_; ++q)
      on_device_ =
          on_device_ && (query(q).form.combine != Combine::sum || normalization_.settled(q));
    best_ = std::make_unique<std::atomic<double>[]>(size_);
    for (std::size_t q = 0; q < size_; ++q) best_[q].store(-infinity, std::memory_order_relaxed);
    hidden_.assign(masks_.size(), 0);
    if (on_device_) {
      keep_.assign(size_,
                   request_.k * (request_.exactness == Exactness::rescored && has_panels_ ? 4 : 1));
      results_.open(request_.segments.size(), keep_, request_.pool);
    } else
      open_on_host();
  }

  /// What reads rows here, and of which queries.
  void open_on_host() {
    std::vector<bool> active;
    std::vector<WindowSelectivity> windows;
    const std::vector<WindowSelectivity> selectivities =
        estimate_selectivity(request_, tasks_, masks_, size_);
    for (std::size_t q = 0; q < size_; ++q) {
      const WindowSelectivity& width = windows.emplace_back(selectivities[mask_of_[q]]);
      const bool sums = query(q).form.combine == Combine::sum,
                 ready = has_panels_ ? !sums || normalization_.settled(q)
                                     : !sums && !query(q).weighs_words();
      active.push_back(ready && !width.narrow && (has_panels_ || width.broad) &&
                       quantized_.supports(first_ + q, rows_));
    }
    if (!(has_panels_ ? QuantizedScan::pays(active)
                      : PanelSource::pays_on_the_fly(request_, first_, active, inner_product_)))
      active.assign(size_, false);
    keep_.assign(size_, std::max<std::size_t>(request_.k, 1));
    for (std::size_t q = 0; q < size_ && request_.exactness == Exactness::rescored; ++q)
      keep_[q] *= active[q] ? 4 : 1;
    results_.open(request_.segments.size(), keep_, request_.pool);
    const auto* queries = &query(0);
    const bool sums = std::any_of(queries, queries + size_, [](const Query& each) {
      return each.form.combine == Combine::sum;
    });
    prefix_scan_.open(first_, !sums && request_.exactness == Exactness::certified ? size_ : 0,
                      best_.get());
    quantized_.open({first_, active, windows, keep_, normalization_, rows_, max_candidates()},
                    best_.get(), results_);
    threshold_scan_.open(first_, active, best_.get());
    exhaustive_.open(first_, size_, best_.get());
  }

  /// Settles the queries that sum and hide no row by a pass over times; of the others as many stay
  /// in the group as can be kept.
  void settle_normalization() {
    auto measured = [&](std::size_t q) { return normalization_.measured(query(q)); };
    std::vector<std::size_t> maybe;
    for (std::size_t q = 0; q < size_; ++q) {
      if (measured(q)) maybe.push_back(q);
    }
    if (!maybe.empty()) {
      if (!normalization_.count(masks_, [&] { pass(&Scan::count_tile); }))
        hidden_.assign(masks_.size(), 0);
      for (const std::size_t q : maybe) {
        if (hidden_[mask_of_[q]] == 0)
          normalization_.settle(
              q, query(q), request_.vectors.data() + (first_ + q) * request_.dimensions, cancel_);
      }
    }
    size_ = normalization_.open(size_);
  }

  void count_tile(Worker& worker, std::size_t t, std::size_t begin, std::size_t count) {
    if (mask_tile(worker, tasks_[t], begin, count))
      normalization_.count_recencies(t, begin, count, worker.masks.bits);
  }

  std::size_t max_candidates() const {
    return 1024 +
           (request_.exactness == Exactness::rescored ? 12 : 4) * std::min(request_.k, rows_);
  }

  /// So many queries that their finds stay in bounds: each thread's, and those of all.
  std::size_t group_size() const {
    const std::size_t k = std::min(request_.k, rows_) *
                          (request_.exactness == Exactness::rescored ? 4 : 1),
                      kept = sizeof(Entry) * (3 * k + 64);
    const std::size_t each = thread_count() * (kept + sizeof(Candidate) * max_candidates()) +
                             request_.segments.size() * kept;
    return std::clamp<std::size_t>(max_candidate_bytes / each, 1, max_group_queries);
  }

  /// Runs `work` on every tile of every task.
  void pass(TileWork work) {
    std::vector<Worker> workers(thread_count());
    // (Moments of sums are merged in the order of tiles.)
    const bool samples =
        work == &Scan::scan_tile && quantized_.samples_tiles() && normalization_.summing().empty();
    auto sampled = [](std::size_t tile) {
      return tile % ThresholdSampling::tile_step == ThresholdSampling::tile_step / 2;
    };
    std::vector<ScanWorker*> scan_workers;
    for (Worker& worker : workers) scan_workers.push_back(&worker.quantized);
    if (quantized_.samples_units()) {
      pass_over(workers, &Scan::scan_quantized, [](std::size_t) { return true; });
      for (Worker& worker : workers)
        std::fill(worker.masks.hidden.begin(), worker.masks.hidden.end(),
                  0);  // the next pass counts them
      quantized_.end_unit_sample(scan_workers);
    }
    if (samples) pass_over(workers, work, sampled);
    quantized_.end_tile_sample(scan_workers);
    pass_over(workers, work, [&](std::size_t tile) { return !samples || !sampled(tile); });
    hidden_.assign(masks_.size(), 0);
    for (Worker& worker : workers) {
      flush(worker);
      for (std::size_t m = 0; m < worker.masks.hidden.size(); ++m)
        hidden_[m] += worker.masks.hidden[m];
    }
    if (work == &Scan::scan_tile || work == &Scan::scan_quantized)
      quantized_.finish(scan_workers, cancel_);
  }

  /// The same for the tiles for which `takes(number)`.
  template <typename Takes>
  void pass_over(std::vector<Worker>& workers, TileWork work, Takes takes) {
    parallel_for(tasks_.size(), workers.size(), [&](std::size_t t, std::size_t l) {
      Worker& worker = workers[l];
      const ScanTask& task = tasks_[t];
      if (worker.masks.bits.empty()) {
        worker.masks.open(masks_.size());
        for (std::size_t q = 0; q < size_; ++q)
          worker.collectors.emplace_back(keep_[q], request_.pool);
      }
      if (worker.segment != task.segment) flush(worker);
      worker.segment = task.segment;
      for (std::size_t begin = task.begin; begin < task.end;) {
        cancel_.throw_if_requested();
        std::size_t next = std::min(task.end, begin / tile_rows * tile_rows + tile_rows);
        if (takes(begin / tile_rows)) (this->*work)(worker, t, begin, next - begin);
        begin = next;
      }
    });
    const auto left = std::count_if(workers.begin(), workers.end(), [](const Worker& worker) {
      return worker.quantized.range.rows.count > 0;
    });
    parallel_for(left == 0 ? 0 : workers.size(), left > 1 ? workers.size() : 1,
                 [&](std::size_t l, std::size_t) { quantized_.flush(workers[l].quantized); });
  }

  /// Hands the worker's finds to the whole, segment by segment, so that ties between segments are
  /// left to the caller.
  void flush(Worker& worker) {
    quantized_.flush(worker.quantized);
    for (std::size_t q = 0; q < worker.collectors.size(); ++q) {
      if (!worker.collectors[q].empty())
        results_.push(worker.segment, q, worker.collectors[q].take());
    }
  }

  bool mask_tile(Worker& worker, const ScanTask& task, std::size_t begin, std::size_t count) {
    const std::span masks(&compiled_[task.segment * masks_.size()], masks_.size());
    return worker.masks.apply(request_.segments[task.segment], masks, begin, count);
  }

  Tile tile_of(Worker& worker, std::size_t t, std::size_t begin, std::size_t count) const {
    return {tasks_[t].segment, begin, count, mask_of_, worker.masks.bits, worker.masks.visible,
            worker.collectors};
  }

  void scan_tile(Worker& worker, std::size_t t, std::size_t begin, std::size_t count) {
    const std::size_t segment = tasks_[t].segment;
    if (!mask_tile(worker, tasks_[t], begin, count)) return;
    const Tile tile = tile_of(worker, t, begin, count);
    if (quantized_.scans(segment))
      quantized_.scan(worker.quantized, tile);
    else if (prefix_scan_.scan(worker.prefix_scan, tile))
      return;
    const bool thresholds = threshold_scan_.scan(worker.threshold_scan, tile);
    exhaustive_.scan(worker.similarities, t, tile, [&](std::size_t q) {
      return quantized_.scans(q, segment) || (thresholds && threshold_scan_.takes(q));
    });
    if (normalization_.counts()) normalization_.count_recencies(t, begin, count, worker.masks.bits);
  }

  /// For the queries of the quantized scan alone.
  void scan_quantized(Worker& worker, std::size_t t, std::size_t begin, std::size_t count) {
    if (!mask_tile(worker, tasks_[t], begin, count) || !quantized_.scans(tasks_[t].segment)) return;
    quantized_.scan(worker.quantized, tile_of(worker, t, begin, count));
  }

  void rescan_tile(Worker& worker, std::size_t t, std::size_t begin, std::size_t count) {
    if (mask_tile(worker, tasks_[t], begin, count))
      exhaustive_.rescan(t, tile_of(worker, t, begin, count));
  }

  /// The group's results after those of the groups before.
  void report(Result& result) {
    std::size_t held = 0;
    for (std::size_t q = 0; q < size_; ++q) held += results_.held(q);
    const std::size_t width = held < (on_device_ ? min_parallel_listed : min_parallel_hits) ? 1 : 0,
                      first = result.row.size();
    std::vector<std::span<const Hit>> best(size_);
    parallel_for(size_, width,
                 [&](std::size_t q, std::size_t) { best[q] = results_.take(q, request_.k); });
    std::vector<std::size_t> begins{first};
    for (std::size_t q = 0; q < size_; ++q) {
      begins.push_back(begins.back() + best[q].size());
      result.offsets.push_back(static_cast<std::uint32_t>(begins.back()));
      statistics_of(q).append_to(result);
    }
    result.resize_rows(begins.back());
    parallel_for(size_, width, [&](std::size_t q, std::size_t) {
      write_rows(
          request_,
          {query(q), normalization_.maps()[q], compiled_.data() + mask_of_[q], masks_.size()},
          best[q], begins[q], result);
    });
  }

  QueryStatistics statistics_of(std::size_t q) const {
    QueryStatistics statistics;
    statistics.rows_scanned = static_cast<double>(rows_);
    statistics.rows_masked = static_cast<double>(hidden_[mask_of_[q]]);
    if (query(q).form.combine == Combine::sum) {
      statistics.relevance = normalization_.relevance(q);
      statistics.recency = normalization_.recency(q);
    }
    statistics.on_device = on_device_;
    for (std::size_t s = 0; s < request_.segments.size(); ++s) {
      const FlatRows& rows = request_.segments[s].rows;
      const bool quantized = on_device_ ? device_storage(rows) != cuda::VectorStorage::f32
                                        : rows.panels && quantized_.scans(q, s);
      if (quantized) statistics.add_storage(rows.panels->storage);
    }
    statistics.exact = statistics.storage == 0 || request_.exactness == Exactness::certified;
    statistics.rescored = on_device_                ? static_cast<double>(device_rescored_[q])
                          : statistics.storage == 0 ? 0
                                                    : quantized_.rescored(q);
    return statistics;
  }

  const Request& request_;
  const Cancel& cancel_;
  // Asked for once, so that a search keeps its level.
  const inner_product::Kernels& inner_product_ = inner_product::kernels();
  PrefixScan prefix_scan_{request_, inner_product_};
  QuantizedScan quantized_{request_, inner_product_, spline::kernels()};
  ThresholdScan threshold_scan_{request_, inner_product_};
  OnDevice device_{request_};
  bool on_device_ = false;                      // the group is scanned on the device
  std::vector<std::uint64_t> device_rescored_;  // one a query
  std::vector<ScanTask> tasks_;
  std::size_t rows_;  // in scope, of all segments
  bool has_panels_ = false;
  Normalization normalization_{request_, tasks_};
  ExhaustiveScan exhaustive_{request_, inner_product_, normalization_};

  // The group of queries in hand: [first_, first_ + size_). Lists are one a query unless they say
  // otherwise.
  std::size_t first_ = 0, size_ = 0;
  std::vector<Mask> masks_;  // distinct
  std::vector<std::size_t> mask_of_;
  std::vector<SegmentMask> compiled_;  // segments * masks
  std::vector<std::uint64_t> hidden_;  // one a mask
  std::unique_ptr<std::atomic<double>[]> best_;
  std::vector<std::size_t> keep_;
  GroupResults results_;
};

}  // namespace

Result search(const Request& request, const Cancel& cancel) {
  cancel.throw_if_requested();
  return Scan(request, cancel).run();
}

}  // namespace asof::vector
