// Scan of rows by their panels (index/segment/panels.hpp): int8, bf16 or int4 products with
// certified error bounds prune nearly all rows, and the rest is rescored by the f32 vectors.
// Results have the bits of the f32 scan, except with Exactness::rescored and ::raw.
//
// A batch is scanned by a plan (scan_plan.hpp) with thresholds (threshold_tracker.hpp,
// threshold_seeding.hpp, threshold_sampling.hpp), bounds of scores (bound_provider.hpp) and
// candidates (candidate_buffer.hpp, rescorer.hpp).
#pragma once

#include <memory>

#include "index/vector/quantized_scan/scan_batch.hpp"
#include "index/vector/quantized_scan/survivors.hpp"

namespace asof::vector {

class QuantizedScan {
 public:
  QuantizedScan(const Request& request, const inner_product::Kernels& kernels,
                const TimeKernels& times)
      : request_(request), kernels_(kernels), times_(times) {}

  /// Whether panels are faster than f32 rows for a batch of the active queries: without AVX-512
  /// several queries multiply floats as fast as integers.
  static bool pays(const std::vector<bool>& active);

  /// Whether a query of the request can be scanned by panels; `rows` are in scope.
  bool supports(std::size_t query, std::size_t rows) const;

  /// Plans a group's batch and seeds its thresholds. `kth`, one a query, is the shared lower bound
  /// of the k-th best scores.
  void open(const QueryGroup& group, std::atomic<double>* kth, GroupResults& results);

  /// Whether a sample of tiles, ThresholdSampling::tile_step, is to be scanned before the others.
  bool samples_tiles() const { return batch_ != nullptr && batch_->sampling.by_tiles(); }
  void end_tile_sample(std::span<ScanWorker* const> workers);

  /// Whether a pass over all tiles is to sample units of rows before the scan.
  bool samples_units() const { return batch_ != nullptr && batch_->sampling.by_units(); }
  void end_unit_sample(std::span<ScanWorker* const> workers);

  /// Whether the segment is scanned by panels, its own or on-the-fly ones, for some query; for the
  /// query.
  bool scans(std::size_t segment) const {
    return request_.segments[segment].rows.panels.has_value() ||
           (batch_ != nullptr && batch_->panels.on_the_fly());
  }
  bool scans(std::size_t q, std::size_t segment) const {
    return batch_ != nullptr && active_[q] && scans(segment);
  }

  /// Scans the tile, now or together with adjacent ones.
  void scan(ScanWorker& worker, const Tile& tile);
  /// Scans the worker's pending tiles.
  void flush(ScanWorker& worker);

  /// Rescores the workers' candidates and hands over the results.
  void finish(std::span<ScanWorker* const> workers, const Cancel& cancel);
  /// After finish(): whether an estimated threshold was too high. The batch then consists of the
  /// affected queries, without estimates, and has to be scanned again.
  bool repeat_missed();

  /// Rows whose f32 vectors were read for the query.
  double rescored(std::size_t q) const { return rescored_[q]; }

 private:
  void open_batch(ScanPlan plan);
  void open_worker(ScanWorker& worker) const;
  bool joins_range(const Tile& tile) const;
  void flush_range(ScanWorker& worker);
  void raise_thresholds(ScanWorker& worker) const;
  void scan_tile(ScanWorker& worker, const Tile& tile);
  bool floats_pay(const Tile& tile, const RowBounds& bounds, const BlockBits& rows) const;
  void scan_floats(ScanWorker& worker, const Tile& tile);

  const Request& request_;
  const inner_product::Kernels& kernels_;
  const TimeKernels times_;
  std::vector<bool> active_;
  std::atomic<double>* kth_ = nullptr;
  GroupResults* results_ = nullptr;
  std::unique_ptr<ScanBatch> batch_;  // null: no query is active
  std::vector<double> rescored_;      // one a query
};

}  // namespace asof::vector
