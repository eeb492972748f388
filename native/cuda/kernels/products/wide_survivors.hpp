// Certified scan on Hopper warpgroups (warpgroups.hpp). Sums are compared by one multiplication and
// one addition; those that pass are buffered in shared memory, sixteen at a time, for the exact
// test.
#pragma once

#include "cuda/kernels/products/warpgroups.hpp"

namespace asof::cuda::products {

#if ASOF_WARPGROUPS

/// Two neighbours.
struct alignas(8) Two {
  float near, far;
};

__device__ inline std::uint32_t bits_of(std::int32_t sum) {
  return static_cast<std::uint32_t>(sum);
}
__device__ inline std::uint32_t bits_of(float sum) {
  return __float_as_uint(sum);
}

/// What passed in a warp and has not met the exact rule, which reads what lies far: it does so a
/// list at a time, a lane for each entry.
template <typename Shape>
struct PassedList {
  Passed* list;
  unsigned count = 0;

  template <typename Take>
  __device__ void meet_rule(const Pass& pass, const Take& take) {
    __syncwarp();
    const unsigned lane = threadIdx.x % warp_lanes;
    if (lane < count) {
      const Passed& own = list[lane];
      for (std::uint32_t which = own.which; which != 0; which &= which - 1) {
        const unsigned at = static_cast<unsigned>(__ffs(static_cast<int>(which))) - 1;
        Sum<Shape::whole> sum;
        if constexpr (Shape::whole)
          sum = static_cast<std::int32_t>(own.sum[at]);
        else
          sum = __uint_as_float(own.sum[at]);
        meet_one<Shape::whole>(pass, take, sum, own.query + at / 4 * core_queries + at % 2,
                               own.row + at / 2 % 2);
      }
    }
    __syncwarp();
    count = 0;
  }

  /// Takes up what lanes have, as much at a time as there is room for. All lanes of the warp
  /// together.
  template <typename Take>
  __device__ void add(const Pass& pass, const Take& take, bool has, const Passed& own) {
    for (unsigned lanes = __ballot_sync(all_lanes, has); lanes != 0;
         lanes = __ballot_sync(all_lanes, has)) {
      const unsigned at = count + static_cast<unsigned>(
                                      __popc(lanes & ((1u << threadIdx.x % warp_lanes) - 1))),
                     all = count + static_cast<unsigned>(__popc(lanes));
      if (has && at < Shape::list_room) {
        list[at] = own;
        has = false;
      }
      count = all < Shape::list_room ? all : Shape::list_room;
      if (count == Shape::list_room) meet_rule(pass, take);
    }
  }
};

/// Sums that may be found, by a test of one addition. Few are, so that they are sought sixteen at
/// once.
template <typename Shape, typename Take>
__device__ inline void test_sums(const Pass& pass, const Take& take, const float* room,
                                 std::uint32_t panel, std::uint32_t query, const float (&scale)[2],
                                 const typename Shape::Sums& sums, PassedList<Shape>& list) {
  constexpr int tiles = Shape::chain / static_cast<int>(core_queries),
                together = tiles < 4 ? tiles : 4;
  const unsigned lane = threadIdx.x % warp_lanes;
  auto below = [&](Sum<Shape::whole> sum, int tile, int at) {  // its sign
    const Two two = reinterpret_cast<const Two*>(room)[tile * 4 + lane % 4];
    return __float_as_uint(
        __fmaf_rn(static_cast<float>(sum), scale[at / 2], at % 2 == 0 ? two.near : two.far));
  };
  std::uint32_t passing = 0;
  ASOF_UNROLL
  for (int first = 0; first < tiles; first += together) {
    std::uint32_t all_below = 0xffffffffu;
    ASOF_UNROLL
    for (int at = 0; at < 4 * together; ++at)
      all_below &= below(sums[4 * first + at], first + at / 4, at % 4);
    passing |= (~all_below >> 31) << first / together;
  }
  ASOF_ROLLED
  for (int group = 0; __any_sync(all_lanes, passing >> group != 0); ++group) {
    const bool has = (passing >> group & 1) != 0;
    if (!__any_sync(all_lanes, has)) continue;
    Passed own;
    own.which = 0;
    own.row = panel * panel_rows + lane / 4 * 2;
    own.query = query + static_cast<std::uint32_t>(group * together) * core_queries + lane % 4 * 2;
    ASOF_UNROLL
    for (int at = 0; at < 4 * together; ++at) {
      Sum<Shape::whole> sum = sums[at];
      ASOF_UNROLL
      for (int each = 1; each < tiles / together; ++each)
        sum = each == group ? sums[4 * together * each + at] : sum;
      own.which |= (~below(sum, group * together + at / 4, at % 4) >> 31) << at;
      own.sum[at] = bits_of(sum);
    }
    list.add(pass, take, has, own);
  }
}

/// What a scan does with a group's sums.
template <typename Shape, typename Take>
struct Testing {
  const Pass& pass;
  const Take& take;
  PassedList<Shape> list;

  __device__ Testing(const Pass& pass, const Take& take, const WideShared& kept)
      : pass(pass),
        take(take),
        list{kept.passed + (threadIdx.x / warp_lanes - warpgroup_warps) * Shape::list_room} {}

  /// Of the records of a group: a lane's panel's greatest error and length, and two rows' scales.
  struct Read {
    float error, length, scale[2];

    __device__ Read(const Pass& pass, std::uint32_t panel) {
      const unsigned lane = threadIdx.x % warp_lanes;
      const std::uint32_t last = pass.last_panel - 1, near = panel + lane % warp_panels,
                          own = panel + lane / 8, place = lane % 8 * 2;
      const PanelRecord &bounds = pass.rows.record(near < last ? near : last),
                        &record = pass.rows.record(own < last ? own : last);
      error = bounds.most_error;
      length = bounds.most_length;
      scale[0] = record.scale[place];
      scale[1] = record.scale[place + 1];
    }
  };

  /// Scales, and what the group's greatest error and length add to a sum before it is tested, for
  /// each query.
  __device__ static void publish(const WideShared& kept, const Read& read,
                                 GroupDescriptor& descriptor, float* room) {
    const unsigned lane = threadIdx.x % warp_lanes;
    float error = read.error, length = read.length;
    descriptor.scale[2 * lane] = read.scale[0];
    descriptor.scale[2 * lane + 1] = read.scale[1];
    for (int step = 1; step < static_cast<int>(warp_panels); step *= 2) {
      error = fmaxf(error, __shfl_xor_sync(all_lanes, error, step));
      length = fmaxf(length, __shfl_xor_sync(all_lanes, length, step));
    }
    ASOF_UNROLL
    for (unsigned query = lane; query < Shape::width; query += warp_lanes) {
      const float more =
          kept.alpha[query] * error + (kept.beta[query] * length - kept.limit[query]);
      room[query] = more <= 3e38f ? more : INFINITY;  // of what is not a number nothing is known
    }
  }
  /// A chain's sums, from `query` on.
  __device__ void apply(std::uint32_t panel, const GroupDescriptor& descriptor, const float* room,
                        std::uint32_t query, const typename Shape::Sums& sums) {
    const unsigned lane = threadIdx.x % warp_lanes,
                   warp = threadIdx.x / warp_lanes % warpgroup_warps;
    if (panel + warp >= pass.last_panel) return;
    const Two two =
        *reinterpret_cast<const Two*>(descriptor.scale + warp * panel_rows + lane / 4 * 2);
    const float scale[2] = {two.near, two.far};
    test_sums<Shape>(pass, take, room + query, panel + warp, query, scale, sums, list);
  }
  __device__ void finish() { list.meet_rule(pass, take); }
};

#else

template <typename Shape, typename Take>
struct Testing;

#endif

template <typename Shape, typename Take>
__global__ void __launch_bounds__(wide_threads, 1)
    wide_survivors(const ASOF_STAYS Pass pass, const ASOF_STAYS Take take) {
  scan_wide<Shape, Testing<Shape, Take>>(pass, take);
}

}  // namespace asof::cuda::products
