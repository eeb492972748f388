// Swizzled layout of panels in device memory: that of kernels/quantized, with the halves of lines
// exchanged in every other pair of lines, so that the reads of a warp from shared memory have no
// bank conflicts.
#pragma once

#include "cuda/kernels/async_copy.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::cuda::products {

using quantized::line_bytes;

inline constexpr unsigned line_chunks = line_bytes / sizeof(Chunk16), swizzle_threads = 256;

/// XOR of byte offsets within a line.
__device__ constexpr unsigned swizzle_offset(unsigned line) {
  return line / 2 % 2 * (line_bytes / 2);
}

/// Index of a chunk of a tile.
__device__ inline unsigned chunk_place(unsigned line, unsigned chunk) {
  return line * line_chunks + (chunk ^ swizzle_offset(line) / sizeof(Chunk16));
}

/// Swizzles `lines` lines from the first of a tile on; applied twice, it restores them. A thread
/// per chunk of the first half of a line whose halves are exchanged.
ASOF_KERNEL void __launch_bounds__(swizzle_threads) swizzle(Chunk16* chunks, std::size_t lines) {
  const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x,
                    pair = at / line_chunks, line = pair * 4 + 2 + at / 2 % 2;
  if (line >= lines) return;
  Chunk16* own = chunks + line * line_chunks + at % 2;
  const Chunk16 first = own[0];
  own[0] = own[2];
  own[2] = first;
}

}  // namespace asof::cuda::products
