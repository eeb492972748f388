// Queries of a search in device memory: packed as panels, or as f32 vectors.
#pragma once

#include "cuda/device/device.hpp"
#include "cuda/kernels/products/float_products.hpp"
#include "cuda/kernels/products/survivors.hpp"

namespace asof::cuda {

/// Packed on the device, with the bits and bounds of quantized::QueryBlock.
class PackedQueries {
 public:
  /// `vectors` are on the device.
  PackedQueries(Device& device, quantized::Storage storage, const float* vectors,
                std::uint32_t count, std::uint32_t dimensions);

  /// The queries [first, first + count), first a multiple of 16, with their thresholds.
  products::Queries slice(std::uint32_t first, std::uint32_t count, const float* thresholds) const;

 private:
  std::size_t line_bytes_;  // of a panel of queries
  Buffer<std::uint8_t> lines_;
  Buffer<float> numbers_;  // scale, alpha, beta and omega, `room_` each
  std::size_t room_;
};

class PlainQueries {
 public:
  PlainQueries(Device& device, const float* vectors, std::uint32_t count, std::uint32_t dimensions);

  products::FloatQueries slice(std::uint32_t first, std::uint32_t count,
                               const float* thresholds) const;

 private:
  std::size_t dimensions_, count_;
  Buffer<float> vectors_, numbers_;  // beta and omega
};

}  // namespace asof::cuda
