// State of one thread of a quantized scan.
#pragma once

#include "index/vector/quantized_scan/candidate_buffer.hpp"
#include "index/vector/quantized_scan/panel_source.hpp"
#include "index/vector/quantized_scan/row_bounds.hpp"
#include "index/vector/quantized_scan/sparse_rows.hpp"
#include "index/vector/quantized_scan/threshold_sampling.hpp"

namespace asof::vector {

/// Adjacent tiles, to be scanned by one kernel call: kernels are faster on long ranges.
struct TileRange {
  SegmentRange rows;
  std::size_t capacity = 0;     // rows, which grows from call to call
  std::vector<BlockBits> bits;  // one a tile: rows to scan
};

struct ScanWorker {
  RowBounds bounds;
  CandidateBuffer candidates;
  TileRange range;
  PanelSource::Buffer panels;
  ThresholdSampling::Buffer sample;
  SparseRows::Buffer sparse;
  std::vector<double> rescored;  // one a slot: rows whose f32 vectors were read
};

}  // namespace asof::vector
