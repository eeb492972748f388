// What multiply_int8.cpp and multiply_bf16.cpp share: the shapes of a scan of panels.
#pragma once

#include <algorithm>
#include <bit>

#include "cuda/kernels/products/warpgroups.hpp"
#include "cuda/search/multiply.hpp"

namespace asof::cuda {

/// So many warps side by side over queries, or more of them (which find none) where the ring of fewer would not fit; 0 where none does.
inline std::uint32_t fitting_query_warps(const Device& device, std::uint32_t nq, std::uint32_t tiles, std::uint32_t query_warps) {
  for (; query_warps <= products::block_warps; query_warps *= 2) {
    if (products::query_bytes(nq, tiles) + 2 * products::stage_bytes(query_warps) <= device.properties.sharedMemPerBlockOptin) return query_warps;
  }
  return 0;
}

template <bool whole, int query_tiles>
void start_panels(Device& device, products::Pass pass, const products::Collecting& survivors, std::uint32_t query_warps) {
  const auto kernel = products::survivors<whole, query_tiles, products::Collecting>;
  query_warps = fitting_query_warps(device, pass.queries.nq, pass.rows.tiles, query_warps);
  const std::size_t queries = products::query_bytes(pass.queries.nq, pass.rows.tiles), stage = products::stage_bytes(query_warps);
  // Two blocks a processor, where their registers allow them, hide each other's barriers; four stages each are enough then.
  const std::size_t room = device.properties.sharedMemPerBlockOptin - queries, shared_half = device.properties.sharedMemPerMultiprocessor / 2;
  const std::size_t half = shared_half > queries + 1024 ? (shared_half - queries - 1024) / stage : 0, all = room / stage;
  pass.query_warps = query_warps;
  pass.stages = static_cast<std::uint32_t>(std::clamp<std::size_t>(half >= 4 ? half : all, 2, products::most_stages));
  const std::size_t shared = queries + pass.stages * stage;
  const unsigned threads = products::block_warps * warp_lanes;
  check(allow_shared(kernel, shared), "so much shared memory");
  const std::uint32_t rows_a_block = products::block_warps / query_warps * products::warp_panels;
  const std::uint32_t wanted = (pass.last_panel - pass.first_panel + rows_a_block - 1) / rows_a_block;
  const std::uint32_t most = static_cast<std::uint32_t>(device.properties.multiProcessorCount) * blocks_at_once(kernel, threads, shared);
  check(launch({dim3(std::min(most, wanted)), dim3(threads), shared, device.stream}, kernel, pass, survivors), "to multiply");
}

/// Stages of a ring beside so many queries of warpgroups' scan, 0 where too few fit.
inline std::uint32_t wide_stages(const Device& device, std::uint32_t width, std::uint32_t tiles) {
  std::uint32_t stages = products::most_wide_stages;
  while (stages >= products::least_wide_stages && products::wide_bytes(width, tiles, stages) > device.properties.sharedMemPerBlockOptin) --stages;
  return stages >= products::least_wide_stages ? stages : 0;
}

inline std::uint32_t wide_width(std::uint32_t nq) { return std::max<std::uint32_t>(16, std::bit_ceil(nq)); }

template <bool whole, int width>
void start_wide(Device& device, products::Pass pass, const products::Collecting& survivors) {
  const auto kernel = products::wide_survivors<whole, width, products::Collecting>;
  pass.stages = wide_stages(device, width, pass.rows.tiles);
  const std::size_t shared = products::wide_bytes(width, pass.rows.tiles, pass.stages);
  check(allow_shared(kernel, shared), "so much shared memory");
  const std::uint32_t groups = (pass.last_panel - pass.first_panel + products::warp_panels - 1) / products::warp_panels;
  const dim3 blocks(std::min(static_cast<std::uint32_t>(device.properties.multiProcessorCount), groups));
  check(launch({blocks, dim3(products::wide_threads), shared, device.stream}, kernel, pass, survivors), "to multiply");
}

/// Whether the device is a Hopper, whose warpgroups multiply; the library has their code for that generation alone.
inline bool has_warpgroups(const Device& device) { return device.properties.major == 9 && device.properties.minor == 0; }

template <bool whole>
void multiply_wide(Device& device, const products::Pass& pass, const products::Collecting& survivors) {
  switch (wide_width(pass.queries.nq)) {
    case 16: return start_wide<whole, 16>(device, pass, survivors);
    case 32: return start_wide<whole, 32>(device, pass, survivors);
    case 64: return start_wide<whole, 64>(device, pass, survivors);
    case 128: return start_wide<whole, 128>(device, pass, survivors);
    default: return start_wide<whole, 256>(device, pass, survivors);
  }
}

template <bool whole>
void multiply_panels(Device& device, const products::Pass& pass, const products::Collecting& survivors) {
  const std::uint32_t nq = pass.queries.nq;
  if (has_warpgroups(device) && wide_stages(device, wide_width(nq), pass.rows.tiles) > 0) return multiply_wide<whole>(device, pass, survivors);
  if (nq <= 16) return start_panels<whole, 2>(device, pass, survivors, 1);
  if (nq <= 32) return start_panels<whole, 4>(device, pass, survivors, 1);
  start_panels<whole, 8>(device, pass, survivors, nq <= 64 ? 1 : nq <= 128 ? 2 : 4);
}

}  // namespace asof::cuda
