// Pruning of all lists, and the emission of the final results.
#include "cuda/kernels/candidates/prune.hpp"
#include "cuda/kernels/candidates/kernels.hpp"

namespace asof::cuda::candidates {

/// A block per query, in a grid-stride loop.
ASOF_KERNEL void __launch_bounds__(prune_threads) prune(PruneWork work) {
  const auto& [lists, limits, queries, table] = work;
  unsigned long long* own =
      table == nullptr ? nullptr : table + std::size_t(blockIdx.x) * slots_of(lists.room);
  for (std::uint32_t query = blockIdx.x; query < queries; query += gridDim.x) {
    Candidate* list = lists.list + std::size_t(query) * lists.room;
    const std::uint32_t count = lists.count[query] < lists.room ? lists.count[query] : lists.room;
    const PruneResult left = prune_list({list, count}, limits[query], lists.threshold[query], own);
    __syncthreads();
    if (threadIdx.x == 0) {
      lists.count[query] = left.count;
      lists.threshold[query] = left.threshold;
    }
    __syncthreads();
  }
}

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
      work.lists.count[query] = left.count;
      first = atomicAdd(work.total, left.count);
      work.ranges[query] = {first, left.count, work.lists.scored[query], 0};
    }
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < left.count && first + i < work.room;
         i += prune_threads) {
      const Candidate& each = list[i];
      work.rows[first + i] = {each.lower, each.row, each.segment, each.passage, each.similarity};
    }
    __syncthreads();
  }
}

cudaError_t launch_prune(const PruneWork& work, unsigned blocks, cudaStream_t stream) {
  return launch({dim3(blocks), prune_threads, 0, stream}, prune, work);
}

cudaError_t launch_emit(const EmitWork& work, unsigned blocks, cudaStream_t stream) {
  return launch({dim3(blocks), prune_threads, 0, stream}, emit_results, work);
}

}  // namespace asof::cuda::candidates
