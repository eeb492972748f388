// Lower bounds of all products of a sample, stored in memory, on Hopper warpgroups
// (warpgroups.hpp). Input of threshold seeding.
#pragma once

#include "cuda/kernels/products/survivor_collector.hpp"
#include "cuda/kernels/products/warpgroups.hpp"

namespace asof::cuda::products {

#if ASOF_WARPGROUPS

template <typename Shape>
struct LayingBounds {
  const Pass& pass;
  const BoundStore& laying;

  __device__ LayingBounds(const Pass& pass, const BoundStore& laying, const WideShared&)
      : pass(pass), laying(laying) {}
  struct Read {
    __device__ Read(const Pass&, std::uint32_t) {}
  };
  __device__ static void publish(const WideShared&, const Read&, GroupDescriptor&, float*) {}
  __device__ void finish() {}

  /// What is needed of a row, and of a query.
  struct Row {
    float scale, error, length;
  };
  struct Query {
    float scale, alpha, beta, omega;
  };

  /// A little less than the product by its error is: for rounding.
  __device__ static float least_of(Sum<Shape::whole> sum, const Query& query, const Row& row) {
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
    float* to = laying.least + own * panel_rows + place;
    ASOF_UNROLL
    for (unsigned tile = 0; tile < Shape::chain / core_queries; ++tile) {
      ASOF_UNROLL
      for (unsigned at = 0; at < 2; ++at) {
        const std::uint32_t query = first + tile * core_queries + lane % 4 * 2 + at;
        if (query >= pass.queries.nq) continue;
        const Queries& queries = pass.queries;
        const Query operand{queries.scale[query], queries.alpha[query], queries.beta[query],
                            queries.omega[query]};
        const Eight least{{__float_as_uint(least_of(sums[4 * tile + at], operand, near)),
                           __float_as_uint(least_of(sums[4 * tile + 2 + at], operand, far))}};
        *reinterpret_cast<Eight*>(to + std::size_t(laying.first_query + query) * laying.rows) =
            least;
      }
    }
  }
};

#else

template <typename Shape>
struct LayingBounds;

#endif

template <typename Shape>
__global__ void __launch_bounds__(wide_threads, 1)
    wide_bounds(const ASOF_STAYS Pass pass, const ASOF_STAYS BoundStore laying) {
  scan_wide<Shape, LayingBounds<Shape>>(pass, laying);
}

}  // namespace asof::cuda::products
