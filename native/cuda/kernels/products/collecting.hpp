// Where scans leave their survivors: one list for all queries, which another kernel reads (candidates::join). What a scan does with a pair is then a
// few registers, and what masks, words and times ask of it stands once in the library. A count above `room` says that some are missing.
#pragma once

#include "cuda/target.hpp"

namespace asof::cuda::products {

struct Survivor {
  std::uint32_t query, row;
  float product, most;
};

struct Collecting {
  Survivor* list;
  std::uint32_t* count;
  std::uint32_t room;
  std::uint32_t first_query;  // number of the pass's first

  __device__ void operator()(std::uint32_t query, std::uint32_t row, float product, float most) const {
    const std::uint32_t at = atomicAdd(count, 1u);
    if (at < room) list[at] = {first_query + query, row, product, most};
  }
};

}  // namespace asof::cuda::products
