// Products of int8 panels, and the code common to both panel storages. See multiply.hpp.
#include "cuda/search/multiply_panels.hpp"

namespace asof::cuda {

namespace {

/// Whether warpgroups have shared memory for `size` queries; the same for both storages.
bool fits_wide(const Device& device, std::uint32_t size, std::uint32_t tiles) {
  if (!has_warpgroups(device)) return false;
  switch (size) {
    case 256:
      return wide_stages<products::Wide<true, 256, 1>>(device, tiles) > 0;
    case 128:
      return wide_stages<products::Wide<true, 128, 1>>(device, tiles) > 0;
    case 64:
      return wide_stages<products::Wide<true, 64, 1>>(device, tiles) > 0;
    case 32:
      return wide_stages<products::Wide<true, 32, 1>>(device, tiles) > 0;
    default:
      return wide_stages<products::Wide<true, 16, 1>>(device, tiles) > 0;
  }
}

}  // namespace

std::uint32_t pass_queries(const Device& device, std::uint32_t queries, std::uint32_t tiles) {
  for (std::uint32_t size = max_pass_queries; size >= quantized::panel_rows; size /= 2) {
    if (fits_wide(device, size, tiles)) return size;
  }
  for (std::uint32_t size = max_pass_queries; size >= quantized::panel_rows; size /= 2) {
    const std::uint32_t nq = std::min(size, std::max<std::uint32_t>(queries, 1));
    if (fitting_query_warps(device, nq, tiles, nq <= 64 ? 1 : nq <= 128 ? 2 : 4) > 0) return size;
  }
  return 0;
}

void swizzle(std::uint8_t* panels, std::size_t bytes, cudaStream_t stream) {
  const std::size_t lines = bytes / quantized::line_bytes;
  if (lines == 0) return;
  const dim3 blocks(
      static_cast<unsigned>((lines + products::swizzle_threads - 1) / products::swizzle_threads));
  check(launch({blocks, products::swizzle_threads, 0, stream}, products::swizzle,
               reinterpret_cast<Chunk16*>(panels), lines),
        "to swizzle rows");
}

bool can_store_bounds(const Device& device, std::uint32_t tiles) {
  return fits_wide(device, pass_queries(device, max_pass_queries, tiles), tiles);
}

void multiply_int8(Device& device, const products::Pass& pass,
                   const products::SurvivorCollector& survivors) {
  multiply_panels<true>(device, pass, survivors);
}

void store_bounds_int8(Device& device, const products::Pass& pass,
                       const products::BoundStore& store) {
  multiply_wide<true>(device, pass, store);
}

}  // namespace asof::cuda
