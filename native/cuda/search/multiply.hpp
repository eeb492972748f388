// Launch of the products of rows and queries, in a shape that depends on their number. One source
// file per storage, so that their kernels compile in parallel.
#pragma once

#include "cuda/kernels/products/survivor_collector.hpp"
#include "cuda/search/queries.hpp"

namespace asof::cuda {

inline constexpr std::uint32_t max_pass_queries = 256;

/// Queries per pass, so that they and a ring of rows fit shared memory; 0 if not even 16 do.
std::uint32_t pass_queries(const Device& device, std::uint32_t queries, std::uint32_t tiles);

/// Swizzles panels in device memory, on that stream.
void swizzle(std::uint8_t* panels, std::size_t bytes, cudaStream_t stream);

void multiply_int8(Device& device, const products::Pass& pass,
                   const products::SurvivorCollector& survivors);
void multiply_bf16(Device& device, const products::Pass& pass,
                   const products::SurvivorCollector& survivors);
void multiply_f32(Device& device, const products::FloatPass& pass,
                  const products::SurvivorCollector& survivors);

/// Whether the device can store bounds of products, in passes of pass_queries.
bool can_store_bounds(const Device& device, std::uint32_t tiles);
void store_bounds_int8(Device& device, const products::Pass& pass,
                       const products::BoundStore& store);
void store_bounds_bf16(Device& device, const products::Pass& pass,
                       const products::BoundStore& store);

}  // namespace asof::cuda
