// Lower bounds of all products of a sample, stored in global memory, by Hopper warpgroups
// (warpgroups.hpp). Input of threshold seeding.
#pragma once

#include "cuda/kernels/products/survivor_collector.hpp"
#include "cuda/kernels/products/warpgroups.hpp"

namespace asof::cuda::products {

#if ASOF_WARPGROUPS

template <typename Shape>
struct BoundEpilogue {
  const Pass& pass;
  const BoundStore& store;

  __device__ BoundEpilogue(const Pass& pass, const BoundStore& store, const WideShared&)
      : pass(pass), store(store) {}
  struct Read {
    __device__ Read(const Pass&, std::uint32_t) {}
  };
  __device__ static void publish(const WideShared&, const Read&, GroupDescriptor&, float*) {}
  __device__ void finish() {}

  struct Row {
    float scale, error, length;
  };
  struct Query {
    float scale, alpha, beta, omega;
  };

  /// Lower bound of a product, with slack for rounding.
  __device__ static float lower_bound(Sum<Shape::whole> sum, const Query& query, const Row& row) {
    float product;
    if constexpr (Shape::whole)
      product = static_cast<float>(sum) * row.scale * query.scale;
    else
      product = sum;
    const float error = query.alpha * row.error + query.beta * row.length + query.omega;
    const float least = product - error * (1 + 0x1p-20f), lower = least - 0x1p-22f * fabsf(least);
    return lower == lower ? lower : -INFINITY;
  }

  __device__ void apply(std::uint32_t panel, const GroupDescriptor&, const float*,
                        std::uint32_t first, const typename Shape::Sums& sums) {
    const unsigned lane = threadIdx.x % warp_lanes;
    const std::uint32_t own = panel + threadIdx.x / warp_lanes % warpgroup_warps,
                        place = lane / 4 * 2;
    if (own >= pass.last_panel) return;
    const PanelRecord& record = pass.rows.record(own);
    const Row near{record.scale[place], record.error[place], record.length[place]},
        far{record.scale[place + 1], record.error[place + 1], record.length[place + 1]};
    float* to = store.bounds + own * panel_rows + place;
    ASOF_UNROLL
    for (unsigned tile = 0; tile < Shape::chain / core_queries; ++tile) {
      ASOF_UNROLL
      for (unsigned at = 0; at < 2; ++at) {
        const std::uint32_t query = first + tile * core_queries + lane % 4 * 2 + at;
        if (query >= pass.queries.nq) continue;
        const Queries& queries = pass.queries;
        const Query operand{queries.scale[query], queries.alpha[query], queries.beta[query],
                            queries.omega[query]};
        const Chunk8 least{{__float_as_uint(lower_bound(sums[4 * tile + at], operand, near)),
                            __float_as_uint(lower_bound(sums[4 * tile + 2 + at], operand, far))}};
        *reinterpret_cast<Chunk8*>(to + std::size_t(store.first_query + query) * store.rows) =
            least;
      }
    }
  }
};

#else

template <typename Shape>
struct BoundEpilogue;

#endif

template <typename Shape>
__global__ void __launch_bounds__(wide_threads, 1)
    wide_bounds(const ASOF_STAYS Pass pass, const ASOF_STAYS BoundStore store) {
  scan_wide<Shape, BoundEpilogue<Shape>>(pass, store);
}

}  // namespace asof::cuda::products
