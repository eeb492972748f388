// What a chunk of rows leaves, in one launch: its survivors join their query's list, the best of
// them are scored exactly, the list is cut back, and the similarity that the next chunk's rows must
// have is read from the threshold; so chunks follow each other without the host. And, at the end of
// a search, what is handed to the host.
#pragma once

#include "cuda/kernels/candidates/exact.hpp"
#include "cuda/kernels/candidates/keep_best.hpp"
#include "device/interface.hpp"

namespace asof::cuda::candidates {

struct Settling {
  Joining joining;
  products::Collecting survivors;
  ExactScores exact;  // of the k best: the next threshold is what they are, and no bound of it
  const std::uint32_t* keep;       // k of each query
  const Asked* next;               // of the next chunk's segment
  std::uint32_t queries, dropped;  // dropped: candidates of that segment leave the lists (the end
                                   // of a sample of it), or no_segment
  unsigned long long* table;       // as keep_best's
  std::uint32_t* missing;          // the host's: not 0 where survivors or candidates found no place
};

/// Query blockIdx.x, and those a grid further on.
ASOF_KERNEL void __launch_bounds__(keep_threads) settle(const ASOF_STAYS Settling work) {
  constexpr std::uint32_t near = 4096;  // keys that shared memory holds
  __shared__ std::uint32_t keys[near], next_place;
  const Lists& lists = work.joining.lists;
  unsigned long long* own =
      work.table == nullptr ? nullptr : work.table + std::size_t(blockIdx.x) * slots_of(lists.room);
  for (std::uint32_t query = blockIdx.x; query < work.queries; query += gridDim.x) {
    Candidate* list = lists.list + std::size_t(query) * lists.room;
    const std::uint32_t before = lists.count[query],
                        all = work.survivors.count[query * products::count_stride];
    const std::uint32_t survivors = all < work.survivors.room ? all : work.survivors.room;
    if (threadIdx.x == 0) next_place = before;
    for (std::uint32_t i = threadIdx.x; i < before && i < near; i += keep_threads)
      keys[i] = key_of(list[i]);
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < survivors; i += keep_threads) {
      Candidate made;
      if (!work.joining(query, work.survivors.list[std::size_t(query) * work.survivors.room + i],
                        made))
        continue;
      const std::uint32_t place = atomicAdd(&next_place, 1u);
      if (place < lists.room) list[place] = made;
      if (place < near) keys[place] = key_of(made);
    }
    __syncthreads();
    const std::uint32_t wanted = next_place, count = wanted < lists.room ? wanted : lists.room,
                        k = work.keep[query];
    const auto key_at = [&](std::uint32_t i) { return i < near ? keys[i] : key_of(list[i]); };
    std::uint32_t reached = kth_key(list, count, k, own, key_at);
    const std::uint32_t scored =
        score_best(work.exact, query, list, count, reached, key_at, [&](std::uint32_t i) {
          if (i < near) keys[i] = key_of(list[i]);
        });
    if (scored > 0) reached = kth_key(list, count, k, own, key_at);
    const Cut left = cut_at(list, count, k, reached, lists.threshold[query], work.dropped);
    __syncthreads();
    if (threadIdx.x == 0) {
      lists.count[query] = left.kept;
      lists.threshold[query] = left.threshold;
      lists.least_similarity[query] = least_similarity(work.next[query], left.threshold);
      if (work.joining.sampled == nullptr) lists.scored[query] += scored;
      work.survivors.count[query * products::count_stride] = 0;
      if (all > work.survivors.room || wanted > lists.room) *work.missing = 1;
    }
    __syncthreads();
  }
}

/// Of a query's finds: where they begin, how many, and how many candidates were scored for them.
struct Given {
  std::uint32_t first, count, scored, unused;
};

struct Giving {
  Lists lists;
  const std::uint32_t* keep;
  std::uint32_t queries, room;
  std::uint32_t* total;  // of rows, 0 before; more than `room` says that some are missing
  Given* given;          // one a query
  Hit* rows;
  unsigned long long* table;
};

/// Cuts lists of exact scores once more and lays what is left side by side.
ASOF_KERNEL void __launch_bounds__(keep_threads) give(const ASOF_STAYS Giving work) {
  __shared__ std::uint32_t first;
  unsigned long long* own = work.table == nullptr
                                ? nullptr
                                : work.table + std::size_t(blockIdx.x) * slots_of(work.lists.room);
  for (std::uint32_t query = blockIdx.x; query < work.queries; query += gridDim.x) {
    Candidate* list = work.lists.list + std::size_t(query) * work.lists.room;
    const std::uint32_t count = work.lists.count[query];
    const Cut left = cut(list, count, work.keep[query], work.lists.threshold[query], own);
    __syncthreads();
    if (threadIdx.x == 0) {
      work.lists.count[query] = left.kept;
      first = atomicAdd(work.total, left.kept);
      work.given[query] = {first, left.kept, work.lists.scored[query], 0};
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < left.kept && first + i < work.room; i += keep_threads) {
      const Candidate& each = list[i];
      work.rows[first + i] = {each.least, each.row, each.segment, each.passage, each.similarity};
    }
    __syncthreads();
  }
}

}  // namespace asof::cuda::candidates
