// Scan of a query group on the host: quantized panels where they pay, else f32 rows by
// thresholds in registers, or exhaustively.
#pragma once

#include "index/vector/floats/exhaustive_scan.hpp"
#include "index/vector/floats/threshold_scan.hpp"
#include "index/vector/quantized_scan/quantized_scan.hpp"
#include "index/vector/result_writer.hpp"
#include "index/vector/tile_pass.hpp"

namespace asof::vector {

class HostScan {
 public:
  /// `tasks` may be cut later, before the first pass.
  HostScan(const Request& request, const std::vector<ScanTask>& tasks, Normalization& normalization,
           const Cancel& cancel);

  /// Queries of a group whose hits and candidates stay within a memory limit.
  std::size_t max_group_size() const;

  /// Counts the recencies of the group's visible rows, and its hidden rows.
  void count_recencies(SearchGroup& group);

  /// Scans the group's queries; its masks and normalization are set.
  void scan(SearchGroup& group);

  /// Storage and rescored rows of a query of the group.
  void add_statistics(std::size_t q, QueryStatistics& statistics) const;

 private:
  void open(SearchGroup& group);
  std::size_t max_candidates() const;
  void scan_rows(SearchGroup& group);
  void rescan_quantized(SearchGroup& group);
  void rescan_additive(SearchGroup& group);
  template <typename Takes, typename Work>
  void run(TilePass& pass, Takes takes, Work work);
  void finish(TilePass& pass);
  void scan_tile(TileWorker& worker, std::size_t t, const Tile& tile);

  const Request& request_;
  const std::vector<ScanTask>& tasks_;
  Normalization& normalization_;
  const Cancel& cancel_;
  std::size_t rows_;  // in scope, of all segments
  bool has_panels_;
  // Chosen once, so that a search keeps its instruction-set level.
  const inner_product::Kernels& kernels_ = inner_product::kernels();
  QuantizedScan quantized_{request_, kernels_, {spline::kernels(), decay::kernels()}};
  ThresholdScan threshold_scan_{request_, kernels_};
  ExhaustiveScan exhaustive_{request_, kernels_, normalization_};
};

}  // namespace asof::vector
