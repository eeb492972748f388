// Launch shapes of the scan of panels, shared by multiply_int8.cpp and multiply_bf16.cpp.
#pragma once

#include <algorithm>

#include "cuda/kernels/products/wide_bounds.hpp"
#include "cuda/kernels/products/wide_survivors.hpp"
#include "cuda/search/multiply.hpp"

namespace asof::cuda {

/// The least number of warps over queries, from `query_warps` on, with which the ring of rows fits
/// shared memory (warps without queries idle); 0 if it never fits.
inline std::uint32_t fitting_query_warps(const Device& device, std::uint32_t nq,
                                         std::uint32_t tiles, std::uint32_t query_warps) {
  for (; query_warps <= products::block_warps; query_warps *= 2) {
    if (products::query_bytes(nq, tiles) + 2 * products::stage_bytes(query_warps) <=
        device.properties.sharedMemPerBlockOptin)
      return query_warps;
  }
  return 0;
}

template <bool whole, int query_tiles>
void start_panels(Device& device, products::Pass pass, const products::SurvivorCollector& survivors,
                  std::uint32_t query_warps) {
  const auto kernel = products::survivors<whole, query_tiles, products::SurvivorCollector>;
  query_warps = fitting_query_warps(device, pass.queries.nq, pass.rows.tiles, query_warps);
  const std::size_t queries = products::query_bytes(pass.queries.nq, pass.rows.tiles),
                    stage = products::stage_bytes(query_warps);
  // Two blocks per processor, if registers allow them, hide each other's barriers; four stages each
  // then suffice.
  const std::size_t room = device.properties.sharedMemPerBlockOptin - queries,
                    shared_half = device.properties.sharedMemPerMultiprocessor / 2;
  const std::size_t half =
                        shared_half > queries + 1024 ? (shared_half - queries - 1024) / stage : 0,
                    all = room / stage;
  pass.query_warps = query_warps;
  pass.stages = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(half >= 4 ? half : all, 2, products::max_stages));
  const std::size_t shared = queries + pass.stages * stage;
  const unsigned threads = products::block_warps * warp_lanes;
  check(allow_shared(kernel, shared), "so much shared memory");
  const std::uint32_t rows_a_block = products::block_warps / query_warps * products::warp_panels;
  const std::uint32_t needed =
      (pass.last_panel - pass.first_panel + rows_a_block - 1) / rows_a_block;
  const std::uint32_t most = static_cast<std::uint32_t>(device.properties.multiProcessorCount) *
                             blocks_at_once(kernel, threads, shared);
  check(launch({dim3(std::min(most, needed)), dim3(threads), shared, device.stream}, kernel, pass,
               survivors),
        "to multiply");
}

/// Whether the device is a Hopper, whose warpgroups multiply; the library has their code for that
/// generation alone.
inline bool has_warpgroups(const Device& device) {
  return device.properties.major == 9 && device.properties.minor == 0;
}

/// Stages of each ring that fit shared memory next to the queries; 0 if too few.
template <typename Shape>
std::uint32_t wide_stages(const Device& device, std::uint32_t tiles) {
  std::uint32_t stages = products::max_wide_stages;
  while (stages >= products::min_wide_stages &&
         Shape::shared_bytes(tiles, stages) > device.properties.sharedMemPerBlockOptin)
    --stages;
  return stages >= products::min_wide_stages ? stages : 0;
}

template <typename Shape>
constexpr auto wide_kernel(const products::SurvivorCollector&) {
  return products::wide_survivors<Shape, products::SurvivorCollector>;
}
template <typename Shape>
constexpr auto wide_kernel(const products::BoundStore&) {
  return products::wide_bounds<Shape>;
}

template <typename Shape, typename Sink>
bool start_shape(Device& device, products::Pass pass, const Sink& sink) {
  pass.stages = wide_stages<Shape>(device, pass.rows.tiles);
  if (pass.stages == 0) return false;
  const auto kernel = wide_kernel<Shape>(sink);
  const std::size_t shared = Shape::shared_bytes(pass.rows.tiles, pass.stages);
  check(allow_shared(kernel, shared), "so much shared memory");
  const std::uint32_t groups =
      (pass.last_panel - pass.first_panel + products::warp_panels - 1) / products::warp_panels;
  const dim3 blocks(
      std::min(static_cast<std::uint32_t>(device.properties.multiProcessorCount), groups));
  check(launch({blocks, dim3(products::wide_threads), shared, device.stream}, kernel, pass, sink),
        "to multiply");
  return true;
}

template <bool whole, int width, typename Sink>
bool start_wide(Device& device, const products::Pass& pass, const Sink& sink) {
  if constexpr (width >= 128 &&
                std::is_same_v<Sink,
                               products::SurvivorCollector>) {  // fewer queries wait for rows alone
    if (pass.rows.tiles % 6 == 0 &&
        start_shape<products::Wide<whole, width, 6>>(device, pass, sink))
      return true;
    if (pass.rows.tiles % 4 == 0 &&
        start_shape<products::Wide<whole, width, 4>>(device, pass, sink))
      return true;
  }
  return start_shape<products::Wide<whole, width, 2>>(device, pass, sink) ||
         start_shape<products::Wide<whole, width, 1>>(device, pass, sink);
}

/// False if shared memory does not hold the pass's queries.
template <bool whole, typename Sink>
bool multiply_wide(Device& device, const products::Pass& pass, const Sink& sink) {
  const std::uint32_t nq = pass.queries.nq;
  if (nq <= 16) return start_wide<whole, 16>(device, pass, sink);
  if (nq <= 32) return start_wide<whole, 32>(device, pass, sink);
  if (nq <= 64) return start_wide<whole, 64>(device, pass, sink);
  if (nq <= 128) return start_wide<whole, 128>(device, pass, sink);
  return start_wide<whole, 256>(device, pass, sink);
}

template <bool whole>
void multiply_panels(Device& device, const products::Pass& pass,
                     const products::SurvivorCollector& survivors) {
  const std::uint32_t nq = pass.queries.nq;
  if (has_warpgroups(device) && multiply_wide<whole>(device, pass, survivors)) return;
  if (nq <= 16) return start_panels<whole, 2>(device, pass, survivors, 1);
  if (nq <= 32) return start_panels<whole, 4>(device, pass, survivors, 1);
  start_panels<whole, 8>(device, pass, survivors, nq <= 64 ? 1 : nq <= 128 ? 2 : 4);
}

}  // namespace asof::cuda
