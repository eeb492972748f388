// Merge of a chunk's survivors into the candidate lists, in one launch: append, exact scores of the
// best, prune, and minimum similarities for the next chunk, so that chunks follow each other
// without the host.
#include "cuda/kernels/candidates/exact_scores.hpp"

namespace asof::cuda::candidates {

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
      lists.count[query] = left.count;
      lists.threshold[query] = left.threshold;
      lists.min_similarity[query] = min_similarity(work.next.descriptors[query], left.threshold);
      if (work.filter.sampled == nullptr) lists.scored[query] += scored;
      work.survivors.count[query * products::count_stride] = 0;
      if (all > work.survivors.room || appended > lists.room) *work.overflow = 1;
    }
    __syncthreads();
  }
}

cudaError_t launch_merge(const MergeWork& work, unsigned blocks, cudaStream_t stream) {
  return launch({dim3(blocks), prune_threads, 0, stream}, merge_survivors, work);
}

}  // namespace asof::cuda::candidates
