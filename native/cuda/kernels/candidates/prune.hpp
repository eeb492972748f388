// Pruning of candidate lists: the k-th greatest lower bound (of passages, when rows pool) becomes
// the threshold, and candidates below it are removed. A radix select over the upper 32 bits of the
// bounds, stopped a little below the k-th, so that rounding loses no candidate. One block per
// query.
#pragma once

#include "cuda/kernels/candidates/lists.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned prune_threads = 256, prune_warps = prune_threads / warp_lanes;
inline constexpr unsigned long long no_passage = ~0ull;

/// Doubles as integers of the same order.
__device__ inline std::uint64_t ordered(double value) {
  const std::uint64_t bits = static_cast<std::uint64_t>(__double_as_longlong(value));
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}
__device__ inline double value_of(std::uint64_t order) {
  return __longlong_as_double(
      static_cast<long long>(order >> 63 ? order & ~(std::uint64_t{1} << 63) : ~order));
}
__device__ inline std::uint32_t key_of(const Candidate& candidate) {
  return static_cast<std::uint32_t>(ordered(candidate.lower) >> 32);
}

/// The best key of each passage, in an open table: the passage above, the key below.
__device__ inline void note_passage(unsigned long long* table, std::uint32_t slots,
                                    const Candidate& candidate) {
  // Passages that collide count once, which lowers the threshold.
  const std::uint32_t passage = candidate.passage + candidate.segment * 0x9e3779b1u;
  const unsigned long long value =
      static_cast<unsigned long long>(passage) << 32 | key_of(candidate);
  std::uint32_t slot = (passage * 0x85ebca6bu) >> 8 & (slots - 1);
  for (;; slot = (slot + 1) & (slots - 1)) {
    const unsigned long long before = atomicCAS(table + slot, no_passage, value);
    if (before == no_passage) return;
    if (before >> 32 != value >> 32) continue;
    atomicMax(table + slot, value);
    return;
  }
}

/// Reduction over the threads of a block, in any order; returned to every thread.
template <typename Value, typename Join>
__device__ inline Value reduce_block(Value own, Value* shared, Join join) {
  for (int distance = 16; distance > 0; distance /= 2)
    own = join(own, __shfl_xor_sync(all_lanes, own, distance));
  if (threadIdx.x % warp_lanes == 0) shared[threadIdx.x / warp_lanes] = own;
  __syncthreads();
  Value all = shared[0];
  for (unsigned warp = 1; warp < prune_warps; ++warp) all = join(all, shared[warp]);
  return all;
}

/// Inclusive prefix sum over the threads of a block.
__device__ inline std::uint32_t running_sum(std::uint32_t own, std::uint32_t* shared) {
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  for (unsigned distance = 1; distance < warp_lanes; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(all_lanes, own, distance);
    if (lane >= distance) own += before;
  }
  if (lane == warp_lanes - 1) shared[warp] = own;
  __syncthreads();
  for (unsigned w = 0; w < warp; ++w) own += shared[w];
  return own;
}

/// The k-th greatest, or a little less, of the keys of `count` slots; key(i, out) returns false for
/// an empty one. 0 if there are fewer than k.
template <typename Key>
__device__ inline std::uint32_t kth_greatest(std::uint32_t count, std::uint32_t k, Key key) {
  __shared__ std::uint32_t histogram[prune_threads], warps[4][prune_warps], chosen[3];
  std::uint32_t least = 0xffffffffu, most = 0, keys = 0;
  for (std::uint32_t i = threadIdx.x; i < count; i += prune_threads) {
    std::uint32_t value;
    if (!key(i, value)) continue;
    least = value < least ? value : least;
    most = value > most ? value : most;
    ++keys;
  }
  __syncthreads();  // the previous call has read the shared arrays
  least =
      reduce_block(least, warps[0], [](std::uint32_t a, std::uint32_t b) { return a < b ? a : b; });
  most =
      reduce_block(most, warps[1], [](std::uint32_t a, std::uint32_t b) { return a > b ? a : b; });
  keys = reduce_block(keys, warps[2], [](std::uint32_t a, std::uint32_t b) { return a + b; });
  if (keys < k) return 0;
  const unsigned bits = 32 - static_cast<unsigned>(__clz(static_cast<int>(most - least)));
  std::uint32_t base = least, left = k;
  for (unsigned span = 32, shift = bits > 8 ? bits - 8 : 0;;
       span = shift, shift = shift > 8 ? shift - 8 : 0) {
    histogram[threadIdx.x] = 0;
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < count; i += prune_threads) {
      std::uint32_t value;
      if (key(i, value) && value >= base && (span == 32 || (value - base) >> span == 0))
        atomicAdd(histogram + ((value - base) >> shift), 1u);
    }
    __syncthreads();
    const std::uint32_t digit = prune_threads - 1 - threadIdx.x, own = histogram[digit],
                        sum = running_sum(own, warps[3]);
    if (sum >= left && sum - own < left) {
      chosen[0] = digit;
      chosen[1] = left - (sum - own);
      chosen[2] = own;
    }
    __syncthreads();
    base += chosen[0] << shift;
    left = chosen[1];
    const std::uint32_t reaching = k - left + chosen[2];
    if (shift == 0 || reaching <= k + k / 8 + 2) return base;
  }
}

/// A candidate list in memory.
struct CandidateSpan {
  Candidate* candidates;
  std::uint32_t count;
};

/// Moves the candidates that reach the threshold to the front, in order, except those of the
/// segment `dropped`; returns their number.
__device__ inline std::uint32_t move_to_front(CandidateSpan span, double threshold,
                                              std::uint32_t dropped) {
  const auto [list, count] = span;
  __shared__ std::uint32_t before[2][prune_warps];
  std::uint32_t base = 0;
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  for (std::uint32_t first = 0, turn = 0; first < count; first += prune_threads, turn = 1 - turn) {
    const std::uint32_t at = first + threadIdx.x;
    const bool exists = at < count;
    const Candidate candidate = exists ? list[at] : Candidate{};
    const bool stays = exists && candidate.upper >= threshold && candidate.segment != dropped;
    const unsigned staying = __ballot_sync(all_lanes, stays);
    if (lane == 0) before[turn][warp] = static_cast<std::uint32_t>(__popc(staying));
    __syncthreads();  // all candidates are read
    std::uint32_t place = base + static_cast<std::uint32_t>(__popc(staying & ((1u << lane) - 1)));
    for (unsigned w = 0; w < prune_warps; ++w) {
      if (w < warp) place += before[turn][w];
      base += before[turn][w];
    }
    if (stays) list[place] = candidate;
  }
  __syncthreads();
  return base;
}

/// Length and threshold of a pruned list.
struct PruneResult {
  std::uint32_t count;
  double threshold;
};

/// The key of the k-th best of a list, or a little less; 0 if there are fewer than k, or k is 0.
/// `key_at(i)` is key_of its i-th. With `table`, of slots_of(count) slots, rows of one passage
/// count once. Called by all threads of a block.
template <typename Key>
__device__ inline std::uint32_t kth_key(CandidateSpan span, std::uint32_t k,
                                        unsigned long long* table, Key key_at) {
  const auto [list, count] = span;
  if (k == 0 || count < k) return 0;
  if (table == nullptr) {
    return kth_greatest(count, k, [&](std::uint32_t i, std::uint32_t& value) {
      value = key_at(i);
      return true;
    });
  }
  const std::uint32_t slots = slots_of(count);
  for (std::uint32_t i = threadIdx.x; i < slots; i += prune_threads) table[i] = no_passage;
  __syncthreads();
  for (std::uint32_t i = threadIdx.x; i < count; i += prune_threads)
    note_passage(table, slots, list[i]);
  __syncthreads();
  return kth_greatest(slots, k, [&](std::uint32_t i, std::uint32_t& value) {
    value = static_cast<std::uint32_t>(table[i]);
    return table[i] != no_passage;
  });
}

/// Removes the candidates that cannot be among the k best, by the key of the k-th. Called by all
/// threads of a block.
__device__ inline PruneResult prune_at(CandidateSpan span, std::uint32_t k, std::uint32_t key,
                                       double threshold, std::uint32_t dropped) {
  if (k == 0) return {0, INFINITY};
  const double reached = key == 0 ? -INFINITY : value_of(static_cast<std::uint64_t>(key) << 32),
               higher = reached > threshold ? reached : threshold;
  return {move_to_front(span, higher, dropped), higher};
}

/// prune_at with the key of the k-th best.
__device__ inline PruneResult prune_list(CandidateSpan span, std::uint32_t k, double threshold,
                                         unsigned long long* table) {
  const std::uint32_t key =
      kth_key(span, k, table, [&](std::uint32_t i) { return key_of(span.candidates[i]); });
  return prune_at(span, k, key, threshold, no_segment);
}

}  // namespace asof::cuda::candidates
