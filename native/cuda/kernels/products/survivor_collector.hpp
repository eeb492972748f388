// Destination of a scan's survivors: one list per query, read by candidates::merge_survivors or
// append_candidates. A count above `room` means overflow.
#pragma once

#include "cuda/target.hpp"

namespace asof::cuda::products {

struct Survivor {
  std::uint32_t row;
  float product, upper;
};

/// Distance of counts: atomic additions to adjacent ones would serialize if all rows survive.
inline constexpr std::uint32_t count_stride = 8;

struct SurvivorCollector {
  Survivor* list;        // query q's from q * room on
  std::uint32_t* count;  // query q's at q * count_stride
  std::uint32_t room;
  std::uint32_t first_query;  // of the pass

  __device__ void operator()(std::uint32_t query, std::uint32_t row, float product,
                             float upper) const {
    const std::uint32_t own = first_query + query, at = atomicAdd(count + own * count_stride, 1u);
    if (at < room) list[std::size_t(own) * room + at] = {row, product, upper};
  }
};

/// Destination of the lower bounds of all products of a sample: query q's from q * rows on, in the
/// order of the sample.
struct BoundStore {
  float* bounds;  // lower bounds of the products of f32 vectors
  std::uint32_t rows, first_query;
};

}  // namespace asof::cuda::products
