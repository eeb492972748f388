// Plan of the passes of a pipelined scan over one segment: first a sample from all over it, which
// yields a threshold, then its rows, in passes that grow as fast as the lists can hold their
// survivors. An estimate: overflow is detected when the passes run.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace asof::cuda {

struct ScanPass {
  bool sample;  // rows of the segment's sample, else of the segment
  std::uint32_t first, last;
  bool ends_sample;    // candidates of the sample are dropped: its rows are scanned again
  bool stores_bounds;  // score bounds of all rows are stored, and the best of them selected
};

struct PassPlanInput {
  std::uint32_t first_row, last_row;  // in scope
  std::uint32_t sample_rows;          // 0: no sample
  std::uint32_t bound_rows;           // rows whose bounds may be stored; 0: none
  std::uint64_t known_rows;           // scanned before, of other segments: thresholds are known
  std::uint32_t max_k, queries;
  std::uint32_t room;  // survivors of a query that a list holds
  double share;        // of rows visible to every query
};

/// None if passes would be so short that checking after each costs no more.
std::optional<std::vector<ScanPass>> plan_passes(const PassPlanInput& input);

}  // namespace asof::cuda
