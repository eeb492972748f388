// Search driver: queries in groups, each scanned on the host or on a device.
#include "index/vector/search.hpp"

#include <algorithm>

#include "core/threads.hpp"
#include "index/vector/host_scan.hpp"
#include "index/vector/on_device.hpp"
#include "index/vector/result_writer.hpp"
#include "index/vector/search_group.hpp"
#include "index/vector/times/normalization.hpp"

namespace asof::vector {
namespace {

// Of fewer hits, one thread sorts sooner than others wake; those of a device lie in lists.
constexpr std::size_t min_parallel_hits = 4096, min_parallel_device_hits = 16384;

class Search {
 public:
  Search(const Request& request, const Cancel& cancel) : request_(request), cancel_(cancel) {}

  Result run() {
    const std::size_t queries = request_.queries.size();
    Result result;
    result.reserve(std::min<std::size_t>(std::min(request_.k, rows_) * queries, 1 << 20));
    result.reserve_queries(queries);
    result.offsets.push_back(0);
    for (std::size_t first = 0; first < queries; first += group_.size) {
      open_group(first);
      if (on_device_)
        scan_on_device();
      else
        host_.scan(group_);
      append_results(result);
    }
    return result;
  }

 private:
  const Query& query(std::size_t q) const { return request_.queries[group_.first + q]; }
  bool normalizes(std::size_t q) const { return query(q).normalizes(); }

  void open_group(std::size_t first) {
    choose_queries(first);
    // A group on a device needs tasks for its normalization alone.
    if (tasks_.empty() && (!on_device_ || !normalization_.additive().empty()))
      tasks_ = split(request_);
    normalize_by_moments();
    group_.size = normalization_.open(group_.size);
    for (std::size_t q = 0; q < group_.size; ++q)
      on_device_ = on_device_ && (!normalizes(q) || normalization_.is_normalized(q));
    group_.open_thresholds();
    group_.masks.hidden.assign(group_.masks.distinct.size(), 0);
  }

  /// The next queries: as many as fit the limits of memory.
  void choose_queries(std::size_t first) {
    DistinctMasks masks;
    group_.first = first;
    group_.masks.number.clear();
    normalization_.clear(rows_);
    on_device_ = device_.suits(first);
    std::size_t max_size = on_device_ ? device_.max_group_size(rows_) : host_.max_group_size();
    for (group_.size = 0; first + group_.size < request_.queries.size() &&
                          (group_.size == 0 || device_.suits(first + group_.size) == on_device_);
         group_.size += 1) {
      const Query& next = request_.queries[first + group_.size];
      if (next.normalizes())  // the host may have to scan it
        max_size = std::min(max_size, host_.max_group_size());
      if (group_.size >= max_size) break;
      group_.masks.number.push_back(masks.number_of(next.mask));
      normalization_.add(next, group_.masks.number.back());
    }
    group_.masks.distinct = masks.all();
    group_.masks.compile(request_);
  }

  /// Normalizes additive queries that hide no row, by the moments of the vectors and of recencies.
  void normalize_by_moments() {
    std::vector<std::size_t> with_moments;
    for (std::size_t q = 0; q < group_.size; ++q) {
      if (normalization_.has_moments(query(q))) with_moments.push_back(q);
    }
    if (with_moments.empty()) return;
    std::vector<std::uint64_t>& hidden = group_.masks.hidden;
    const std::vector<temporal::Mask>& masks = group_.masks.distinct;
    group_.keep.clear();  // a pass over times collects no hits
    if (!normalization_.count(masks, [&] { host_.count_recencies(group_); }))
      hidden.assign(masks.size(), 0);
    for (const std::size_t q : with_moments) {
      if (hidden[group_.masks.number[q]] > 0) continue;
      const float* vector = request_.vectors.data() + (group_.first + q) * request_.dimensions;
      normalization_.normalize_by_moments(q, query(q), vector, cancel_);
    }
  }

  void scan_on_device() {
    const bool rescores = request_.exactness == Exactness::rescored && request_.has_panels();
    group_.keep.assign(group_.size, request_.k * (rescores ? 4 : 1));
    group_.results.open(request_.segments.size(), group_.keep, request_.pool);
    OnDevice::Counts counts = device_.scan(group_, normalization_.maps(), cancel_);
    for (std::size_t m = 0; m < counts.visible.size(); ++m)
      group_.masks.hidden[m] = rows_ - counts.visible[m];
    device_rescored_ = std::move(counts.rescored);
  }

  /// Appends the group's results to those of earlier groups.
  void append_results(Result& result) {
    std::size_t hits = 0;
    for (std::size_t q = 0; q < group_.size; ++q) hits += group_.results.size(q);
    const std::size_t width =
        hits < (on_device_ ? min_parallel_device_hits : min_parallel_hits) ? 1 : 0;
    std::vector<std::span<const Hit>> best(group_.size);
    parallel_for(group_.size, width, [&](std::size_t q, std::size_t) {
      best[q] = group_.results.take(q, request_.k_of(group_.first + q));
    });
    std::vector<std::size_t> begins{result.row.size()};
    for (std::size_t q = 0; q < group_.size; ++q) {
      begins.push_back(begins.back() + best[q].size());
      result.offsets.push_back(static_cast<std::uint32_t>(begins.back()));
      statistics_of(q).append_to(result);
    }
    result.resize_rows(begins.back());
    const GroupMasks& masks = group_.masks;
    parallel_for(group_.size, width, [&](std::size_t q, std::size_t) {
      write_rows(request_,
                 {query(q), normalization_.maps()[q], masks.compiled.data() + masks.number[q],
                  masks.distinct.size()},
                 best[q], begins[q], result);
    });
  }

  QueryStatistics statistics_of(std::size_t q) const {
    QueryStatistics statistics;
    statistics.rows_scanned = static_cast<double>(rows_);
    statistics.rows_masked = static_cast<double>(group_.masks.hidden[group_.masks.number[q]]);
    if (normalizes(q)) {
      statistics.relevance = normalization_.relevance(q);
      statistics.recency = normalization_.recency(q);
    }
    statistics.on_device = on_device_;
    if (on_device_) {
      for (const VisibleRows& segment : request_.segments) {
        if (device_storage(segment.rows) != cuda::VectorStorage::f32)
          statistics.add_storage(segment.rows.panels->storage);
      }
      statistics.rescored = static_cast<double>(device_rescored_[q]);
    } else {
      host_.add_statistics(q, statistics);
    }
    statistics.exact = statistics.storage == 0 || request_.exactness == Exactness::certified;
    return statistics;
  }

  const Request& request_;
  const Cancel& cancel_;
  std::size_t rows_ = rows_in_scope(request_);
  std::vector<ScanTask> tasks_;
  Normalization normalization_{request_, tasks_};
  HostScan host_{request_, tasks_, normalization_, cancel_};
  OnDevice device_{request_};
  bool on_device_ = false;                      // the group is scanned on the device
  std::vector<std::uint64_t> device_rescored_;  // one a query of the group
  SearchGroup group_;
};

}  // namespace

Result search(const Request& request, const Cancel& cancel) {
  cancel.throw_if_requested();
  return Search(request, cancel).run();
}

}  // namespace asof::vector
