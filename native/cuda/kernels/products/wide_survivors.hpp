// Certified scan on Hopper warpgroups (warpgroups.hpp). Sums are tested by one multiplication and
// one addition; those that pass are buffered in shared memory, in groups of sixteen, for the exact
// test.
#pragma once

#include "cuda/kernels/products/warpgroups.hpp"

namespace asof::cuda::products {

#if ASOF_WARPGROUPS

/// The numbers of two adjacent rows or queries.
struct alignas(8) FloatPair {
  float first, second;
};

__device__ inline std::uint32_t bits_of(std::int32_t sum) {
  return static_cast<std::uint32_t>(sum);
}
__device__ inline std::uint32_t bits_of(float sum) {
  return __float_as_uint(sum);
}

/// A warp's buffer of sums that passed the first test. The exact test reads global memory, so it
/// takes a whole buffer at a time, one lane per entry.
template <typename Shape>
struct PassingBuffer {
  PassingSums* list;
  unsigned count = 0;

  template <typename Take>
  __device__ void flush(const Pass& pass, const Take& take) {
    __syncwarp();
    const unsigned lane = threadIdx.x % warp_lanes;
    if (lane < count) {
      const PassingSums& own = list[lane];
      for (std::uint32_t which = own.which; which != 0; which &= which - 1) {
        const unsigned at = static_cast<unsigned>(__ffs(static_cast<int>(which))) - 1;
        Sum<Shape::whole> sum;
        if constexpr (Shape::whole)
          sum = static_cast<std::int32_t>(own.sum[at]);
        else
          sum = __uint_as_float(own.sum[at]);
        test_sum<Shape::whole>(pass, take, sum, own.query + at / 4 * core_queries + at % 2,
                               own.row + at / 2 % 2);
      }
    }
    __syncwarp();
    count = 0;
  }

  /// Appends the entries of lanes that have one, and flushes whenever the buffer is full. Called by
  /// all lanes of the warp.
  template <typename Take>
  __device__ void add(const Pass& pass, const Take& take, bool has, const PassingSums& own) {
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
      if (count == Shape::list_room) flush(pass, take);
    }
  }
};

/// Epilogue of a scan: tests a group's sums.
template <typename Shape, typename Take>
struct SurvivorEpilogue {
  const Pass& pass;
  const Take& take;
  PassingBuffer<Shape> list;

  __device__ SurvivorEpilogue(const Pass& pass, const Take& take, const WideShared& shared)
      : pass(pass),
        take(take),
        list{shared.passing + (threadIdx.x / warp_lanes - warpgroup_warps) * Shape::list_room} {}

  /// Of a group's records: the greatest error and length of the lane's panel, and two rows' scales.
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

  /// Publishes the scales, and per query the addend of the test by the group's greatest error and
  /// length.
  __device__ static void publish(const WideShared& shared, const Read& read,
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
          shared.alpha[query] * error + (shared.beta[query] * length - shared.limit[query]);
      room[query] = more <= 3e38f ? more : INFINITY;  // NaN passes every sum
    }
  }
  /// A chain's sums, from `query` on.
  __device__ void apply(std::uint32_t panel, const GroupDescriptor& descriptor, const float* room,
                        std::uint32_t query, const typename Shape::Sums& sums) {
    const unsigned lane = threadIdx.x % warp_lanes,
                   warp = threadIdx.x / warp_lanes % warpgroup_warps;
    if (panel + warp >= pass.last_panel) return;
    const FloatPair scales =
        *reinterpret_cast<const FloatPair*>(descriptor.scale + warp * panel_rows + lane / 4 * 2);
    const float scale[2] = {scales.first, scales.second};
    test_sums(panel + warp, query, room + query, scale, sums);
  }
  __device__ void finish() { list.flush(pass, take); }

 private:
  /// Buffers the sums that pass a test of one addition. Few do, so that sixteen are tested at once.
  __device__ void test_sums(std::uint32_t panel, std::uint32_t query, const float* room,
                            const float (&scale)[2], const typename Shape::Sums& sums) {
    constexpr int tiles = Shape::chain / static_cast<int>(core_queries),
                  together = tiles < 4 ? tiles : 4;
    const unsigned lane = threadIdx.x % warp_lanes;
    auto below = [&](Sum<Shape::whole> sum, int tile, int at) {  // its sign
      const FloatPair pair = reinterpret_cast<const FloatPair*>(room)[tile * 4 + lane % 4];
      return __float_as_uint(__fmaf_rn(static_cast<float>(sum), scale[at / 2],
                                       at % 2 == 0 ? pair.first : pair.second));
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
      PassingSums own;
      own.which = 0;
      own.row = panel * panel_rows + lane / 4 * 2;
      own.query =
          query + static_cast<std::uint32_t>(group * together) * core_queries + lane % 4 * 2;
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
};

#else

template <typename Shape, typename Take>
struct SurvivorEpilogue;

#endif

template <typename Shape, typename Take>
__global__ void __launch_bounds__(wide_threads, 1)
    wide_survivors(const ASOF_STAYS Pass pass, const ASOF_STAYS Take take) {
  scan_wide<Shape, SurvivorEpilogue<Shape, Take>>(pass, take);
}

}  // namespace asof::cuda::products
