// Candidates of a chunk of the synchronous scan.
#include "cuda/kernels/candidates/kernels.hpp"

namespace asof::cuda::candidates {

inline constexpr unsigned append_threads = 256;

/// Appends the candidates of a chunk's survivors. Block y: query y.
ASOF_KERNEL void __launch_bounds__(append_threads)
    append_candidates(SurvivorFilter filter, products::SurvivorCollector survivors,
                      std::uint32_t queries) {
  const std::uint32_t query = blockIdx.y, all = survivors.count[query * products::count_stride],
                      count = all < survivors.room ? all : survivors.room;
  Lists& lists = filter.lists;
  for (std::uint32_t from = blockIdx.x * blockDim.x + threadIdx.x; from < count;
       from += gridDim.x * blockDim.x) {
    Candidate candidate;
    if (!filter(query, survivors.list[std::size_t(query) * survivors.room + from], candidate))
      continue;
    const std::uint32_t at = atomicAdd(lists.count + query, 1u);
    if (at < lists.room) lists.list[std::size_t(query) * lists.room + at] = candidate;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0 && all > survivors.room) lists.count[queries] = 1;
}

/// Minimum similarities of a segment's rows from each query's threshold, before its scan.
ASOF_KERNEL void read_thresholds(Lists lists, const QueryDescriptor* descriptors,
                                 std::uint32_t queries) {
  const std::uint32_t query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query < queries)
    lists.min_similarity[query] = min_similarity(descriptors[query], lists.threshold[query]);
}

cudaError_t launch_append(const SurvivorFilter& filter,
                          const products::SurvivorCollector& survivors, std::uint32_t queries,
                          cudaStream_t stream) {
  return launch({dim3(2, queries), append_threads, 0, stream}, append_candidates, filter, survivors,
                queries);
}

cudaError_t launch_read_thresholds(const Lists& lists, const QueryDescriptor* descriptors,
                                   std::uint32_t queries, cudaStream_t stream) {
  const dim3 blocks((queries + append_threads - 1) / append_threads);
  return launch({blocks, append_threads, 0, stream}, read_thresholds, lists, descriptors, queries);
}

}  // namespace asof::cuda::candidates
