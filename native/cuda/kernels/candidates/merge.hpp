// Merge of a chunk's survivors into the candidate lists, in one launch: append, exact scores of the
// best, prune, and minimum similarities for the next chunk, so that chunks follow each other
// without the host. Also the emission of the final results.
#pragma once

#include "cuda/kernels/candidates/exact_scores.hpp"
#include "device/interface.hpp"

namespace asof::cuda::candidates {

struct MergeWork {
  SurvivorFilter filter;
  products::SurvivorCollector survivors;
  ExactScores exact;  // for the k best, so that the next threshold is a score, not a bound
  const std::uint32_t* limits;  // k of each query
  NextPass next;
  std::uint32_t queries;
  unsigned long long* table;  // as in prune()
  std::uint32_t* overflow;    // host memory; set if survivors or candidates exceeded a list
};

/// A block per query, in a grid-stride loop.
ASOF_KERNEL void __launch_bounds__(prune_threads) merge_survivors(const ASOF_STAYS MergeWork work) {
  constexpr std::uint32_t near = 4096;  // keys held in shared memory
  __shared__ std::uint32_t keys[near], next_place;
  const Lists& lists = work.filter.lists;
  unsigned long long* own =
      work.table == nullptr ? nullptr : work.table + std::size_t(blockIdx.x) * slots_of(lists.room);
  for (std::uint32_t query = blockIdx.x; query < work.queries; query += gridDim.x) {
    Candidate* list = lists.list + std::size_t(query) * lists.room;
    const std::uint32_t before = lists.count[query],
                        all = work.survivors.count[query * products::count_stride];
    const std::uint32_t survivors = all < work.survivors.room ? all : work.survivors.room;
    if (threadIdx.x == 0) next_place = before;
    for (std::uint32_t i = threadIdx.x; i < before && i < near; i += prune_threads)
      keys[i] = key_of(list[i]);
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < survivors; i += prune_threads) {
      Candidate candidate;
      if (!work.filter(query, work.survivors.list[std::size_t(query) * work.survivors.room + i],
                       candidate))
        continue;
      const std::uint32_t place = atomicAdd(&next_place, 1u);
      if (place < lists.room) list[place] = candidate;
      if (place < near) keys[place] = key_of(candidate);
    }
    __syncthreads();
    const std::uint32_t appended = next_place, k = work.limits[query];
    const CandidateSpan span{list, appended < lists.room ? appended : lists.room};
    const auto key_at = [&](std::uint32_t i) { return i < near ? keys[i] : key_of(list[i]); };
    std::uint32_t key = kth_key(span, k, own, key_at);
    const std::uint32_t scored =
        score_best(work.exact, query, span, KeySelection{key, key_at}, [&](std::uint32_t i) {
          if (i < near) keys[i] = key_of(list[i]);
        });
    if (scored > 0) key = kth_key(span, k, own, key_at);
    const PruneResult left =
        prune_at(span, k, key, lists.threshold[query], work.next.dropped_segment);
    __syncthreads();
    if (threadIdx.x == 0) {
      lists.count[query] = left.kept;
      lists.threshold[query] = left.threshold;
      lists.min_similarity[query] = min_similarity(work.next.descriptors[query], left.threshold);
      if (work.filter.sampled == nullptr) lists.scored[query] += scored;
      work.survivors.count[query * products::count_stride] = 0;
      if (all > work.survivors.room || appended > lists.room) *work.overflow = 1;
    }
    __syncthreads();
  }
}

/// A query's results among all: first, number, and the number of candidates scored for them.
struct EmittedRange {
  std::uint32_t first, count, scored, unused;
};

struct EmitWork {
  Lists lists;
  const std::uint32_t* limits;
  std::uint32_t queries, room;
  std::uint32_t* total;  // of rows, initially 0; above `room` if some are missing
  EmittedRange* ranges;  // one per query
  Hit* rows;
  unsigned long long* table;
};

/// Prunes lists of exact scores once more and writes the remaining candidates contiguously.
ASOF_KERNEL void __launch_bounds__(prune_threads) emit_results(const ASOF_STAYS EmitWork work) {
  __shared__ std::uint32_t first;
  unsigned long long* own = work.table == nullptr
                                ? nullptr
                                : work.table + std::size_t(blockIdx.x) * slots_of(work.lists.room);
  for (std::uint32_t query = blockIdx.x; query < work.queries; query += gridDim.x) {
    Candidate* list = work.lists.list + std::size_t(query) * work.lists.room;
    const std::uint32_t count = work.lists.count[query];
    const PruneResult left =
        prune_list({list, count}, work.limits[query], work.lists.threshold[query], own);
    __syncthreads();
    if (threadIdx.x == 0) {
      work.lists.count[query] = left.kept;
      first = atomicAdd(work.total, left.kept);
      work.ranges[query] = {first, left.kept, work.lists.scored[query], 0};
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < left.kept && first + i < work.room;
         i += prune_threads) {
      const Candidate& each = list[i];
      work.rows[first + i] = {each.lower, each.row, each.segment, each.passage, each.similarity};
    }
    __syncthreads();
  }
}

}  // namespace asof::cuda::candidates
