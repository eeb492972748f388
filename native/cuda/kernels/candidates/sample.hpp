// A sample of a segment's rows, side by side: groups of 64 from all over it. Where rows are in some
// order (of time, say) the first of them say little of the rest, and a scan that begins with the
// sample knows a threshold for all.
#pragma once

#include "cuda/kernels/copies.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned sample_threads = 256;

/// Block g copies group groups[g], of so many chunks of sixteen bytes.
ASOF_KERNEL void __launch_bounds__(sample_threads)
    sample(const Sixteen* from, const std::uint32_t* groups, std::uint32_t chunks, Sixteen* to) {
  const Sixteen* source = from + std::size_t(groups[blockIdx.x]) * chunks;
  for (std::uint32_t i = threadIdx.x; i < chunks; i += sample_threads)
    to[std::size_t(blockIdx.x) * chunks + i] = source[i];
}

}  // namespace asof::cuda::candidates
