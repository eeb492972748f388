// Launch of the products of rows and queries, in the shape that suits their number. One source file
// per storage, so that the compiler builds their kernels in parallel.
#pragma once

#include "cuda/kernels/products/survivor_collector.hpp"
#include "cuda/search/queries.hpp"

namespace asof::cuda {

inline constexpr std::uint32_t max_pass_queries = 256;

/// Queries of panels that a pass may have, so that they and a ring of rows fit shared memory; 0:
/// not even 16.
std::uint32_t pass_queries(const Device& device, std::uint32_t queries, std::uint32_t tiles);

/// Arranges panels that have come to the device, on that stream.
void swizzle(std::uint8_t* panels, std::size_t bytes, cudaStream_t stream);

void multiply_int8(Device& device, const products::Pass& pass,
                   const products::SurvivorCollector& survivors);
void multiply_bf16(Device& device, const products::Pass& pass,
                   const products::SurvivorCollector& survivors);
void multiply_f32(Device& device, const products::FloatPass& pass,
                  const products::SurvivorCollector& survivors);

/// Whether bounds of products can be laid out there, by passes of pass_queries.
bool can_store_bounds(const Device& device, std::uint32_t tiles);
void store_bounds_int8(Device& device, const products::Pass& pass,
                       const products::BoundStore& laying);
void store_bounds_bf16(Device& device, const products::Pass& pass,
                       const products::BoundStore& laying);

}  // namespace asof::cuda
