// Starts the products of rows and queries on a device, in the shape that suits their number;
// survivors are collected. Each storage is a file of its own, so that its kernels are compiled
// beside the others'.
#pragma once

#include "cuda/kernels/products/collecting.hpp"
#include "cuda/search/queries.hpp"

namespace asof::cuda {

inline constexpr std::uint32_t most_pass_queries = 256;

/// Queries of panels that a pass may have, so that they and a ring of rows fit shared memory; 0:
/// not even 16.
std::uint32_t pass_queries(const Device& device, std::uint32_t queries, std::uint32_t tiles);

/// Arranges panels that have come to the device, on that stream.
void arrange(std::uint8_t* panels, std::size_t bytes, cudaStream_t stream);

void multiply_int8(Device& device, const products::Pass& pass,
                   const products::Collecting& survivors);
void multiply_bf16(Device& device, const products::Pass& pass,
                   const products::Collecting& survivors);
void multiply_f32(Device& device, const products::FloatPass& pass,
                  const products::Collecting& survivors);

/// Whether bounds of products can be laid out there, by passes of pass_queries.
bool lays(const Device& device, std::uint32_t tiles);
void lay_int8(Device& device, const products::Pass& pass, const products::Laying& laying);
void lay_bf16(Device& device, const products::Pass& pass, const products::Laying& laying);

}  // namespace asof::cuda
