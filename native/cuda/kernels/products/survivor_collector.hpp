// Destination of a scan's survivors: one list per query, read by candidates::merge_survivors or
// append_candidates. A count above `room` means overflow.
#pragma once

#include "cuda/target.hpp"

namespace asof::cuda::products {

struct Survivor {
  std::uint32_t row;
  float product, upper;
};

/// Counts lie so far apart: neighbours would wait for each other where all rows survive.
inline constexpr std::uint32_t count_stride = 8;

struct SurvivorCollector {
  Survivor* list;        // of query q of the search from q * room on
  std::uint32_t* count;  // query q's at q * count_stride
  std::uint32_t room;
  std::uint32_t first_query;  // number of the pass's first

  __device__ void operator()(std::uint32_t query, std::uint32_t row, float product,
                             float most) const {
    const std::uint32_t own = first_query + query, at = atomicAdd(count + own * count_stride, 1u);
    if (at < room) list[std::size_t(own) * room + at] = {row, product, most};
  }
};

/// Where bounds of all products of a sample are laid instead: of query q of the search from q *
/// rows on, a row's at its place in the sample.
struct BoundStore {
  float* least;  // no product by f32 vectors is less
  std::uint32_t rows, first_query;
};

}  // namespace asof::cuda::products
