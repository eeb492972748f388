// Drives the fused scan: tasks of rows over threads, tiles of rows within a task, chunks of queries
// within a tile, so that rows come from memory once whatever the batch. See search.hpp.
#include "index/vector/search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "core/threads.hpp"
#include "index/vector/distinct_masks.hpp"
#include "index/vector/floats/prefix_scan.hpp"
#include "index/vector/floats/threshold_scan.hpp"
#include "index/vector/masked_products.hpp"
#include "index/vector/on_device.hpp"
#include "index/vector/quantized_scan/quantized_scan.hpp"
#include "index/vector/result_writer.hpp"
#include "index/vector/selection.hpp"
#include "index/vector/times/normalization.hpp"
#include "index/vector/window_scan.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {
namespace {

constexpr std::size_t chunk_queries = 64;  // their similarities of a tile take 64 KiB
constexpr std::size_t group_queries = 512;
// Fewer are put in order before another thread wakes; those of a device lie in lists.
constexpr std::size_t parallel_finds = 4096, parallel_listed = 16384;
constexpr std::size_t found_bytes_most = std::size_t(24)
                                         << 20;  // what a group's queries may find and keep waiting

/// What one thread works with.
struct Lane {
  std::size_t segment = 0;
  std::vector<Collector> collectors;  // one a query of the group, of the lane's segment
  std::vector<float> similarities;    // chunk_queries * tile_rows, once they are needed
  std::vector<BlockBits> bits;        // one a mask: the tile's visible rows
  std::vector<std::size_t> visible;   // their number
  std::vector<std::uint64_t> hidden;  // one a mask: rows hidden so far
  PrefixScan::Lane prefix_scan;
  ScanWorker quantized;
  ThresholdScan::Lane direct;
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
      if (elsewhere_)
        scan_on_device();
      else
        scan_here();
      report(result);
    }
    return result;
  }

 private:
  void scan_here() {
    pass(&Scan::scan_tile);
    if (quantized_.repeat_missed()) pass(&Scan::scan_again);
    if (normalization_.summing().empty()) return;
    normalization_.finish();
    pass(&Scan::rescan_tile);
  }

  void scan_on_device() {
    const OnDevice::Counts counts =
        device_.scan({first_, size_, masks_, mask_of_, compiled_, normalization_.maps(), keep_},
                     results_, cancel_);
    for (std::size_t m = 0; m < masks_.size(); ++m) hidden_[m] = rows_ - counts.visible[m];
    scored_there_ = counts.rescored;
  }

  using TileWork = void (Scan::*)(Lane&, std::size_t task, std::size_t begin, std::size_t count);

  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }

  /// The next queries: as many as their similarities may be kept in memory for, where they must be.
  void open_group(std::size_t first) {
    first_ = first;
    DistinctMasks distinct;
    mask_of_.clear();
    normalization_.clear(rows_);
    elsewhere_ = device_.suits(first);
    std::size_t most = elsewhere_ ? device_.group_size(rows_) : group_size();
    for (size_ = 0; first + size_ < request_.queries.size() &&
                    (size_ == 0 || device_.suits(first + size_) == elsewhere_);
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
    if (tasks_.empty() && (!elsewhere_ || !normalization_.summing().empty()))
      tasks_ = cut(request_);
    settle();
    for (std::size_t q = 0; q < size_; ++q)
      elsewhere_ =
          elsewhere_ && (query(q).form.combine != Combine::sum || normalization_.settled(q));
    best_ = std::make_unique<std::atomic<double>[]>(size_);
    for (std::size_t q = 0; q < size_; ++q) best_[q].store(-infinity, std::memory_order_relaxed);
    hidden_.assign(masks_.size(), 0);
    if (elsewhere_) {
      keep_.assign(size_,
                   request_.k * (request_.exactness == Exactness::rescored && has_panels_ ? 4 : 1));
      results_.open(request_.segments.size(), keep_, request_.pool);
    } else
      open_here();
  }

  /// What reads rows here, and of which queries.
  void open_here() {
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
  }

  /// Settles the queries that sum and hide no row by a pass over times; of the others as many stay
  /// in the group as can be kept.
  void settle() {
    auto measured = [&](std::size_t q) { return normalization_.measured(query(q)); };
    std::vector<std::size_t> maybe;
    for (std::size_t q = 0; q < size_; ++q) {
      if (measured(q)) maybe.push_back(q);
    }
    if (!maybe.empty()) {
      if (!normalization_.count(masks_, [&] { pass(&Scan::time_tile); }))
        hidden_.assign(masks_.size(), 0);
      for (const std::size_t q : maybe) {
        if (hidden_[mask_of_[q]] == 0)
          normalization_.settle(
              q, query(q), request_.vectors.data() + (first_ + q) * request_.dimensions, cancel_);
      }
    }
    size_ = normalization_.open(size_);
  }

  void time_tile(Lane& lane, std::size_t t, std::size_t begin, std::size_t count) {
    if (mask_tile(lane, tasks_[t], begin, count))
      normalization_.count_recencies(t, begin, count, lane.bits);
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
    return std::clamp<std::size_t>(found_bytes_most / each, 1, group_queries);
  }

  /// Runs `work` on every tile of every task.
  void pass(TileWork work) {
    std::vector<Lane> lanes(thread_count());
    // (Moments of sums are merged in the order of tiles.)
    const bool samples =
        work == &Scan::scan_tile && quantized_.samples_tiles() && normalization_.summing().empty();
    auto sampled = [](std::size_t tile) {
      return tile % ThresholdSampling::tile_step == ThresholdSampling::tile_step / 2;
    };
    std::vector<ScanWorker*> workers;
    for (Lane& lane : lanes) workers.push_back(&lane.quantized);
    if (quantized_.samples_units()) {
      pass_over(lanes, &Scan::scan_again, [](std::size_t) { return true; });
      for (Lane& lane : lanes)
        std::fill(lane.hidden.begin(), lane.hidden.end(), 0);  // the next pass counts them
      quantized_.end_unit_sample(workers);
    }
    if (samples) pass_over(lanes, work, sampled);
    quantized_.end_tile_sample(workers);
    pass_over(lanes, work, [&](std::size_t tile) { return !samples || !sampled(tile); });
    hidden_.assign(masks_.size(), 0);
    for (Lane& lane : lanes) {
      flush(lane);
      for (std::size_t m = 0; m < lane.hidden.size(); ++m) hidden_[m] += lane.hidden[m];
    }
    if (work == &Scan::scan_tile || work == &Scan::scan_again) quantized_.finish(workers, cancel_);
  }

  /// The same for the tiles for which `takes(number)`.
  template <typename Takes>
  void pass_over(std::vector<Lane>& lanes, TileWork work, Takes takes) {
    parallel_for(tasks_.size(), lanes.size(), [&](std::size_t t, std::size_t l) {
      Lane& lane = lanes[l];
      const ScanTask& task = tasks_[t];
      if (lane.bits.empty()) {
        lane.bits.resize(masks_.size());
        lane.visible.resize(masks_.size());
        lane.hidden.resize(masks_.size());
        for (std::size_t q = 0; q < size_; ++q)
          lane.collectors.emplace_back(keep_[q], request_.pool);
      }
      if (lane.segment != task.segment) flush(lane);
      lane.segment = task.segment;
      for (std::size_t begin = task.begin; begin < task.end;) {
        cancel_.throw_if_requested();
        std::size_t next = std::min(task.end, begin / tile_rows * tile_rows + tile_rows);
        if (takes(begin / tile_rows)) (this->*work)(lane, t, begin, next - begin);
        begin = next;
      }
    });
    const auto left = std::count_if(lanes.begin(), lanes.end(), [](const Lane& lane) {
      return lane.quantized.range.rows.count > 0;
    });
    parallel_for(left == 0 ? 0 : lanes.size(), left > 1 ? lanes.size() : 1,
                 [&](std::size_t l, std::size_t) { quantized_.flush(lanes[l].quantized); });
  }

  /// Hands the lane's finds to the whole, segment by segment, so that ties between segments are
  /// left to the caller.
  void flush(Lane& lane) {
    quantized_.flush(lane.quantized);
    for (std::size_t q = 0; q < lane.collectors.size(); ++q) {
      if (!lane.collectors[q].empty()) results_.push(lane.segment, q, lane.collectors[q].take());
    }
  }

  /// Fills the lane's bitmaps; false where no query sees a row of the tile.
  bool mask_tile(Lane& lane, const ScanTask& task, std::size_t begin, std::size_t count) {
    const SearchSegment& segment = request_.segments[task.segment];
    const SegmentMask* masks = &compiled_[task.segment * masks_.size()];
    const bool may = std::any_of(masks, masks + masks_.size(), [&](const SegmentMask& mask) {
      return may_pass(mask, segment.rows, begin);
    });
    const BlockBits shown = may ? visible_passages(segment, begin, count) : BlockBits{};
    const bool some =
        std::any_of(shown.begin(), shown.end(), [](std::uint64_t word) { return word != 0; });
    bool any = false;
    for (std::size_t m = 0; m < masks_.size(); ++m) {
      lane.bits[m] = shown;
      if (some) apply_mask(masks[m], segment.rows, begin, count, lane.bits[m]);
      lane.visible[m] = 0;
      for (std::uint64_t word : lane.bits[m])
        lane.visible[m] += static_cast<std::size_t>(std::popcount(word));
      lane.hidden[m] += count - lane.visible[m];
      any = any || lane.visible[m] > 0;
    }
    return any;
  }

  void scan_tile(Lane& lane, std::size_t t, std::size_t begin, std::size_t count) {
    const ScanTask& task = tasks_[t];
    if (!mask_tile(lane, task, begin, count)) return;
    const SearchSegment& segment = request_.segments[task.segment];
    const Tile tile{task.segment, begin, count, mask_of_, lane.bits, lane.visible, lane.collectors};
    if (quantized_.scans(task.segment))
      quantized_.scan(lane.quantized, tile);
    else if (prefix_scan_.scan(lane.prefix_scan, tile))
      return;
    const bool direct = threshold_scan_.scan(lane.direct, tile);
    auto taken = [&](std::size_t q) {
      return quantized_.scans(q, task.segment) || (direct && threshold_scan_.takes(q));
    };
    BlockRecencies recencies(segment.rows, begin, count);
    for (std::size_t chunk = 0, width; chunk < size_; chunk += width) {
      for (width = 0; width < chunk_queries && chunk + width < size_ && !taken(chunk + width);)
        width += 1;
      if (width == 0) {
        width = 1;
        continue;
      }
      multiply(lane, segment.rows, chunk, width, begin, count);
      for (std::size_t q = chunk; q < chunk + width; ++q) {
        if (lane.visible[mask_of_[q]] == 0) continue;
        float* similarities = &lane.similarities[(q - chunk) * tile_rows];
        if (!query(q).has_vector) std::fill_n(similarities, count, 0.0f);
        Scored scored(query(q), segment, task.segment, normalization_.maps()[q]);
        if (query(q).form.combine == Combine::sum && normalization_.settled(q)) {
          const double* own = recencies.of(normalization_.recency_of(q), query(q).form);
          select_summed(scored, similarities, own, begin, lane.bits[mask_of_[q]],
                        lane.collectors[q], best_[q]);
        } else if (query(q).form.combine == Combine::sum)
          normalization_.keep(scored, q, t, similarities, begin, count, lane.bits[mask_of_[q]]);
        else
          select_rows(scored, similarities, begin, lane.bits[mask_of_[q]], lane.collectors[q],
                      best_[q]);
      }
    }
    if (normalization_.counts()) normalization_.count_recencies(t, begin, count, lane.bits);
  }

  /// For queries of panels that are scanned once more.
  void scan_again(Lane& lane, std::size_t t, std::size_t begin, std::size_t count) {
    const std::size_t s = tasks_[t].segment;
    if (!mask_tile(lane, tasks_[t], begin, count) || !quantized_.scans(s)) return;
    quantized_.scan(lane.quantized,
                    {s, begin, count, mask_of_, lane.bits, lane.visible, lane.collectors});
  }

  /// The similarities of the tile's rows that any of the queries sees.
  void multiply(Lane& lane, const FlatRows& rows, std::size_t chunk, std::size_t width,
                std::size_t begin, std::size_t count) {
    BlockBits seen{};
    for (std::size_t q = chunk; q < chunk + width; ++q) {
      if (!query(q).has_vector) continue;
      for (std::size_t word = 0; word < block_words; ++word)
        seen[word] |= lane.bits[mask_of_[q]][word];
    }
    const std::size_t d = request_.dimensions;
    const float* queries = request_.vectors.data() + (first_ + chunk) * d;
    lane.similarities.resize(chunk_queries * tile_rows);
    multiply_block(inner_product_, queries, width, rows.vectors.data() + begin * d, count, d, seen,
                   lane.similarities.data());
  }

  void rescan_tile(Lane& lane, std::size_t t, std::size_t begin, std::size_t count) {
    const ScanTask& task = tasks_[t];
    if (!mask_tile(lane, task, begin, count)) return;
    BlockRecencies recencies(request_.segments[task.segment].rows, begin, count);
    for (const std::size_t q : normalization_.summing()) {
      if (lane.visible[mask_of_[q]] == 0) continue;
      const double* own = recencies.of(normalization_.recency_of(q), query(q).form);
      Scored scored(query(q), request_.segments[task.segment], task.segment,
                    normalization_.maps()[q]);
      select_summed(scored, normalization_.similarities(q, t, begin), own, begin,
                    lane.bits[mask_of_[q]], lane.collectors[q], best_[q]);
    }
  }

  /// The group's results after those of the groups before.
  void report(Result& result) {
    std::size_t held = 0;
    for (std::size_t q = 0; q < size_; ++q) held += results_.held(q);
    const std::size_t width = held < (elsewhere_ ? parallel_listed : parallel_finds) ? 1 : 0,
                      first = result.row.size();
    std::vector<std::span<const Hit>> best(size_);
    parallel_for(size_, width,
                 [&](std::size_t q, std::size_t) { best[q] = results_.take(q, request_.k); });
    std::vector<std::size_t> begins{first};
    for (std::size_t q = 0; q < size_; ++q) {
      begins.push_back(begins.back() + best[q].size());
      result.offsets.push_back(static_cast<std::uint32_t>(begins.back()));
      report_query(q, result);
    }
    result.resize_rows(begins.back());
    parallel_for(size_, width, [&](std::size_t q, std::size_t) {
      write_rows(
          request_,
          {query(q), normalization_.maps()[q], compiled_.data() + mask_of_[q], masks_.size()},
          best[q], begins[q], result);
    });
  }

  void report_query(std::size_t q, Result& result) const {
    result.rows_scanned.push_back(static_cast<double>(rows_));
    result.rows_masked.push_back(static_cast<double>(hidden_[mask_of_[q]]));
    const bool sums = query(q).form.combine == Combine::sum;
    auto moment = [&](double value) {
      return sums ? value : std::numeric_limits<double>::quiet_NaN();
    };
    result.relevance_mean.push_back(moment(normalization_.relevance(q).mean));
    result.relevance_deviation.push_back(
        moment(standardize::deviation(normalization_.relevance(q))));
    result.recency_mean.push_back(moment(normalization_.recency(q).mean));
    result.recency_deviation.push_back(moment(standardize::deviation(normalization_.recency(q))));
    report_reading(q, result);
  }

  /// What was read of rows: the coarsest type that any segment's was.
  void report_reading(std::size_t q, Result& result) const {
    std::uint8_t storage = 0;
    for (std::size_t s = 0; s < request_.segments.size(); ++s) {
      const FlatRows& rows = request_.segments[s].rows;
      const bool few_bits = elsewhere_ ? device_storage(rows) != cuda::VectorStorage::f32
                                       : rows.panels && quantized_.scans(q, s);
      if (few_bits)
        storage =
            std::max<std::uint8_t>(storage, 1 + static_cast<std::uint8_t>(rows.panels->storage));
    }
    result.storage.push_back(storage);
    result.device.push_back(elsewhere_);
    result.exact.push_back(storage == 0 || request_.exactness == Exactness::certified);
    result.rescored.push_back(elsewhere_     ? static_cast<double>(scored_there_[q])
                              : storage == 0 ? 0
                                             : quantized_.rescored(q));
  }

  const Request& request_;
  const Cancel& cancel_;
  // Asked for once, so that a search keeps its level.
  const inner_product::Kernels& inner_product_ = inner_product::kernels();
  PrefixScan prefix_scan_{request_, inner_product_};
  QuantizedScan quantized_{request_, inner_product_, spline::kernels()};
  ThresholdScan threshold_scan_{request_, inner_product_};
  OnDevice device_{request_};
  bool elsewhere_ = false;                   // the group is scanned on the device
  std::vector<std::uint64_t> scored_there_;  // one a query
  std::vector<ScanTask> tasks_;
  std::size_t rows_;  // in scope, of all segments
  bool has_panels_ = false;
  Normalization normalization_{request_, tasks_};

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
