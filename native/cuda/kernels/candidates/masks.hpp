// Evaluation of a search's masks over the rows of a segment.
#pragma once

#include "cuda/kernels/candidates/query_descriptor.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned mask_threads = 256, mask_turns = 8, mask_rows = mask_threads * mask_turns;

/// Counts the rows that pass each mask, and marks the groups of 64 rows of which one passes any. A
/// block evaluates mask_rows rows, so that its counts are one addition per mask.
ASOF_KERNEL void __launch_bounds__(mask_threads)
    evaluate_masks(Columns columns, const Mask* masks, std::uint32_t mask_count,
                   unsigned long long* visible, unsigned long long* live_groups) {
  __shared__ std::uint32_t counts[mask_threads / warp_lanes];
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  const std::uint32_t first = blockIdx.x * mask_rows + threadIdx.x;
  unsigned scope_bits = 0, any_bits = 0;  // of the thread's rows; of its warp's
  ASOF_UNROLL
  for (unsigned turn = 0; turn < mask_turns; ++turn)
    scope_bits |= unsigned{in_scope(columns, first + turn * mask_threads)} << turn;
  for (std::uint32_t m = 0; m < mask_count; ++m) {
    std::uint32_t count = 0;
    for (unsigned turn = 0; turn < mask_turns; ++turn) {
      const unsigned lanes =
          __ballot_sync(all_lanes, (scope_bits >> turn & 1) != 0 &&
                                       passes_mask(columns, masks[m], first + turn * mask_threads));
      count += static_cast<std::uint32_t>(__popc(lanes));
      any_bits |= unsigned{lanes != 0} << turn;
    }
    if (lane == 0) counts[warp] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned long long sum = 0;
      for (const std::uint32_t each : counts) sum += each;
      if (sum > 0) atomicAdd(visible + m, sum);
    }
    __syncthreads();
  }
  for (unsigned turn = lane; turn < mask_turns; turn += warp_lanes) {
    const std::uint32_t row = blockIdx.x * mask_rows + turn * mask_threads + warp * warp_lanes;
    if (any_bits >> turn & 1) atomicOr(live_groups + row / 64 / 64, 1ull << (row / 64 % 64));
  }
}

}  // namespace asof::cuda::candidates
