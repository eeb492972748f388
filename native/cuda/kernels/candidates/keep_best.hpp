// Cuts the lists of candidates back: the k-th greatest lower bound of a list (of its passages, where they pool) is the new threshold, and who cannot
// reach it goes. A radix select over the first 32 bits of the bounds: the threshold is theirs, a little below the k-th bound at most,
// so that no candidate is lost to rounding. A block a query.
#pragma once

#include "cuda/kernels/candidates/lists.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned keep_threads = 256;
inline constexpr unsigned long long no_passage = ~0ull;

/// Doubles in an order of integers.
__device__ inline std::uint64_t ordered(double value) {
  const std::uint64_t bits = static_cast<std::uint64_t>(__double_as_longlong(value));
  return bits >> 63 ? ~bits : bits | std::uint64_t{1} << 63;
}
__device__ inline double value_of(std::uint64_t order) {
  return __longlong_as_double(static_cast<long long>(order >> 63 ? order & ~(std::uint64_t{1} << 63) : ~order));
}
__device__ inline std::uint32_t key_of(const Candidate& candidate) { return static_cast<std::uint32_t>(ordered(candidate.least) >> 32); }

/// Slots of a table that holds the passages of `room` candidates.
constexpr std::uint32_t slots_of(std::uint32_t room) {
  std::uint32_t slots = 64;
  while (slots < 2 * room) slots *= 2;
  return slots;
}

/// The best key of each passage, in an open table: the passage above, the key below.
__device__ inline void note_passage(unsigned long long* table, std::uint32_t slots, const Candidate& candidate) {
  const std::uint32_t passage = candidate.passage + candidate.segment * 0x9e3779b1u;  // passages that meet here count once: the threshold is lower
  const unsigned long long value = static_cast<unsigned long long>(passage) << 32 | key_of(candidate);
  std::uint32_t slot = (passage * 0x85ebca6bu) >> 8 & (slots - 1);
  for (;; slot = (slot + 1) & (slots - 1)) {
    const unsigned long long before = atomicCAS(table + slot, no_passage, value);
    if (before == no_passage) return;
    if (before >> 32 != value >> 32) continue;
    atomicMax(table + slot, value);
    return;
  }
}

/// The k-th greatest of `count` keys that `key(i, out)` gives (false: none there), by eight bits at a time; 0 where there are fewer than k.
template <typename Key>
__device__ inline std::uint32_t kth_greatest(std::uint32_t count, std::uint32_t k, Key key) {
  __shared__ std::uint32_t histogram[256];
  __shared__ std::uint32_t chosen, left;
  if (threadIdx.x == 0) {
    chosen = 0;
    left = k;
  }
  for (int shift = 24; shift >= 0; shift -= 8) {
    for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) histogram[i] = 0;
    __syncthreads();
    const std::uint32_t prefix = chosen;
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) {
      std::uint32_t value;
      if (key(i, value) && (shift == 24 || value >> (shift + 8) == prefix >> (shift + 8))) atomicAdd(histogram + (value >> shift & 255), 1u);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      int digit = 255;
      while (digit > 0 && histogram[digit] < left) left -= histogram[digit--];
      if (digit == 0 && histogram[0] < left) left = 0xffffffffu;  // fewer than k: every further digit is 0 too
      chosen |= static_cast<std::uint32_t>(digit) << shift;
    }
    __syncthreads();
  }
  return chosen;
}

/// Moves the candidates that reach the threshold to the front, in their order; how many.
__device__ inline std::uint32_t move_to_front(Candidate* list, std::uint32_t count, double threshold) {
  __shared__ std::uint32_t before[keep_threads / 32 + 1];
  std::uint32_t base = 0;
  const unsigned warp = threadIdx.x / warp_lanes, lane = threadIdx.x % warp_lanes;
  for (std::uint32_t first = 0; first < count; first += keep_threads) {
    const std::uint32_t at = first + threadIdx.x;
    const bool exists = at < count;
    const Candidate candidate = exists ? list[at] : Candidate{};
    const bool stays = exists && candidate.most >= threshold;
    const unsigned staying = __ballot_sync(all_lanes, stays);
    if (lane == 0) before[warp + 1] = static_cast<std::uint32_t>(__popc(staying));
    __syncthreads();  // everybody has read
    if (threadIdx.x == 0) {
      before[0] = base;
      for (unsigned w = 1; w <= keep_threads / warp_lanes; ++w) before[w] += before[w - 1];
    }
    __syncthreads();
    if (stays) list[before[warp] + static_cast<std::uint32_t>(__popc(staying & ((1u << lane) - 1)))] = candidate;
    base = before[keep_threads / warp_lanes];
    __syncthreads();
  }
  return base;
}

/// `keep` is k of each query. With `table` (slots_of(room) a block), rows of one passage count once. Query blockIdx.x, and those a grid further on.
ASOF_KERNEL void __launch_bounds__(keep_threads) keep_best(Lists lists, const std::uint32_t* keep, std::uint32_t queries, unsigned long long* table) {
  const std::uint32_t slots = slots_of(lists.room);
  unsigned long long* own = table == nullptr ? nullptr : table + std::size_t(blockIdx.x) * slots;
  for (std::uint32_t query = blockIdx.x; query < queries; query += gridDim.x) {
    Candidate* list = lists.list + std::size_t(query) * lists.room;
    const std::uint32_t count = lists.count[query] < lists.room ? lists.count[query] : lists.room, k = keep[query];
    std::uint32_t key = 0;
    if (k == 0) {
      // Nothing is kept: no score reaches what is asked then.
    } else if (count >= k && own == nullptr) {
      key = kth_greatest(count, k, [&](std::uint32_t i, std::uint32_t& value) {
        value = key_of(list[i]);
        return true;
      });
    } else if (count >= k) {
      for (std::uint32_t i = threadIdx.x; i < slots; i += blockDim.x) own[i] = no_passage;
      __syncthreads();
      for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) note_passage(own, slots, list[i]);
      __syncthreads();
      key = kth_greatest(slots, k, [&](std::uint32_t i, std::uint32_t& value) {
        value = static_cast<std::uint32_t>(own[i]);
        return own[i] != no_passage;
      });
    }
    const double reached = k == 0 ? INFINITY : key == 0 ? -INFINITY : value_of(static_cast<std::uint64_t>(key) << 32);
    const double threshold = reached > lists.threshold[query] ? reached : lists.threshold[query];
    const std::uint32_t kept = k == 0 ? 0 : move_to_front(list, count, threshold);
    __syncthreads();
    if (threadIdx.x == 0) {
      lists.count[query] = kept;
      lists.threshold[query] = threshold;
    }
    __syncthreads();
  }
}

}  // namespace asof::cuda::candidates
