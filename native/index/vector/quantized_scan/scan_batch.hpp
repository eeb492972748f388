// Parts of a quantized scan of one batch, in the order of their construction.
#pragma once

#include "index/vector/quantized_scan/bound_set.hpp"
#include "index/vector/quantized_scan/panel_source.hpp"
#include "index/vector/quantized_scan/rescorer.hpp"
#include "index/vector/quantized_scan/sparse_rows.hpp"
#include "index/vector/quantized_scan/threshold_sampling.hpp"

namespace asof::vector {

/// Kernels, results and shared thresholds of the group, which the parts borrow.
struct ScanResources {
  const inner_product::Kernels& products;
  const TimeKernels& times;
  GroupResults& results;
  std::atomic<double>* kth;  // one a query of the group
};

struct ScanBatch {
  ScanBatch(ScanPlan scan_plan, const ScanResources& resources)
      : plan(std::move(scan_plan)),
        thresholds(shared_thresholds(plan, resources.kth)),
        seeds(plan, thresholds, resources.results, resources.products),
        bounds({plan, thresholds, seeds}, resources.times),
        panels(plan),
        sparse_rows(plan, thresholds, resources.products),
        rescorer({plan, thresholds, seeds}, resources.products, resources.results) {}
  ScanBatch(const ScanBatch&) = delete;

  const ScanPlan plan;
  ThresholdTracker thresholds;
  const ThresholdSeeds seeds;
  const BoundSet bounds;
  const PanelSource panels;
  const SparseRows sparse_rows;
  const Rescorer rescorer;
  ThresholdSampling sampling;  // none until it is chosen

 private:
  static ThresholdTracker shared_thresholds(const ScanPlan& plan, std::atomic<double>* kth) {
    std::vector<std::atomic<double>*> own;
    for (const QuerySlot& slot : plan.slots()) own.push_back(kth + slot.q);
    return ThresholdTracker(std::move(own));
  }
};

}  // namespace asof::vector
