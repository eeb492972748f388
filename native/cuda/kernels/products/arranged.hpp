// How panels lie in a device's memory: as kernels/quantized has them, but for the halves of lines,
// which change places in every other pair of lines. So copied to shared memory as they are, what
// the lanes of a warp read at once lies in all of its banks.
#pragma once

#include "cuda/kernels/copies.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::cuda::products {

using quantized::line_bytes;

inline constexpr unsigned line_chunks = line_bytes / sizeof(Sixteen), arrange_threads = 256;

/// By how many bytes places of a line are exclusive-ored.
__device__ inline constexpr unsigned turned(unsigned line) {
  return line / 2 % 2 * (line_bytes / 2);
}

/// The place of a chunk of a tile.
__device__ inline unsigned chunk_place(unsigned line, unsigned chunk) {
  return line * line_chunks + (chunk ^ turned(line) / sizeof(Sixteen));
}

/// Arranges `lines` lines from the first of a tile on; done once more, it takes the arrangement
/// back. A thread a chunk of a turned line's first half.
ASOF_KERNEL void __launch_bounds__(arrange_threads) arrange(Sixteen* chunks, std::size_t lines) {
  const std::size_t at = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x,
                    pair = at / line_chunks, line = pair * 4 + 2 + at / 2 % 2;
  if (line >= lines) return;
  Sixteen* own = chunks + line * line_chunks + at % 2;
  const Sixteen first = own[0];
  own[0] = own[2];
  own[2] = first;
}

}  // namespace asof::cuda::products
