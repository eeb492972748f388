// Pass over the tiles of all tasks on all threads: visible rows of each tile, and collectors whose
// hits go to the group's results segment by segment.
#pragma once

#include <vector>

#include "core/cancel.hpp"
#include "core/threads.hpp"
#include "index/vector/floats/threshold_scan.hpp"
#include "index/vector/quantized_scan/worker.hpp"
#include "index/vector/search_group.hpp"
#include "index/vector/tile_masks.hpp"
#include "index/vector/work_queue.hpp"

namespace asof::vector {

/// State of one thread.
struct TileWorker {
  std::size_t segment = 0;
  std::vector<Collector> collectors;  // one a query of the group, of hits in the segment
  TileMasks masks;
  std::vector<float> similarities;  // of the exhaustive scan
  ThresholdScan::Worker threshold_scan;
  ScanWorker quantized_scan;
};

class TilePass {
 public:
  /// Tasks are taken in this order of their numbers; empty: in file order.
  TilePass(const Request& request, const std::vector<ScanTask>& tasks, SearchGroup& group,
           const Cancel& cancel, std::vector<std::size_t> order = {})
      : request_(request),
        tasks_(tasks),
        order_(std::move(order)),
        group_(group),
        cancel_(cancel),
        workers_(thread_count()) {}

  std::vector<TileWorker>& workers() { return workers_; }

  /// Calls work(worker, task number, tile) for every tile with a visible row for whose number
  /// takes(number) is true, and flush(worker) before a worker continues in another segment.
  template <typename Takes, typename Work, typename Flush>
  void run(Takes takes, Work work, Flush flush) {
    parallel_for(tasks_.size(), workers_.size(), [&](std::size_t place, std::size_t w) {
      const std::size_t t = order_.empty() ? place : order_[place];
      TileWorker& worker = workers_[w];
      const ScanTask& task = tasks_[t];
      open(worker);
      if (worker.segment != task.segment) flush(worker);
      worker.segment = task.segment;
      const VisibleRows& segment = request_.segments[task.segment];
      const std::span<const SegmentMask> masks = group_.masks.of_segment(task.segment);
      for (std::size_t begin = task.begin, next; begin < task.end; begin = next) {
        cancel_.throw_if_requested();
        next = std::min(task.end, begin / tile_rows * tile_rows + tile_rows);
        if (!takes(begin / tile_rows) || !worker.masks.apply(segment, masks, begin, next - begin))
          continue;
        work(worker, t,
             Tile{task.segment, begin, next - begin, group_.masks.number, worker.masks.bits,
                  worker.masks.visible, worker.collectors});
      }
    });
  }

  /// Hands the worker's hits to the group's results.
  void push_hits(TileWorker& worker) {
    for (std::size_t q = 0; q < worker.collectors.size(); ++q) {
      if (!worker.collectors[q].empty())
        group_.results.push(worker.segment, q, worker.collectors[q].take());
    }
  }

  /// Restarts the count of hidden rows, before another run over the same tiles.
  void reset_hidden() {
    for (TileWorker& worker : workers_)
      std::fill(worker.masks.hidden.begin(), worker.masks.hidden.end(), 0);
  }

  /// Hands over the hidden rows of all workers.
  void finish() {
    std::vector<std::uint64_t>& hidden = group_.masks.hidden;
    hidden.assign(group_.masks.distinct.size(), 0);
    for (const TileWorker& worker : workers_) {
      for (std::size_t m = 0; m < worker.masks.hidden.size(); ++m)
        hidden[m] += worker.masks.hidden[m];
    }
  }

 private:
  void open(TileWorker& worker) const {
    if (!worker.masks.bits.empty()) return;
    worker.masks.open(group_.masks.distinct.size());
    for (const std::size_t keep : group_.keep) worker.collectors.emplace_back(keep, request_.pool);
  }

  const Request& request_;
  const std::vector<ScanTask>& tasks_;
  const std::vector<std::size_t> order_;
  SearchGroup& group_;
  const Cancel& cancel_;
  std::vector<TileWorker> workers_;
};

}  // namespace asof::vector
