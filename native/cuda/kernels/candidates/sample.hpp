// Sample of a segment: groups of 64 rows spread over it, contiguous in memory. If rows are sorted
// (by time, say), its threshold suits the whole segment, while that of the first rows does not.
#pragma once

#include "cuda/kernels/async_copy.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned sample_threads = 256;

/// Block g copies group groups[g], of `chunks` chunks of sixteen bytes.
ASOF_KERNEL void __launch_bounds__(sample_threads)
    sample(const Chunk16* from, const std::uint32_t* groups, std::uint32_t chunks, Chunk16* to) {
  const Chunk16* source = from + std::size_t(groups[blockIdx.x]) * chunks;
  for (std::uint32_t i = threadIdx.x; i < chunks; i += sample_threads)
    to[std::size_t(blockIdx.x) * chunks + i] = source[i];
}

}  // namespace asof::cuda::candidates
