// Rescoring of candidates by their f32 vectors, bit-identical to the host's inner products. One
// group of lanes per candidate.
#include "cuda/kernels/candidates/kernels.hpp"

namespace asof::cuda::candidates {

/// Sets similarities and scores of candidates. Block y: query y.
ASOF_KERNEL void __launch_bounds__(rescore_threads) rescore(RescoreWork work) {
  const unsigned width = width_of(work.summing), groups = rescore_threads / width;
  const std::uint32_t query = blockIdx.y;
  const std::uint32_t count =
      work.lists.count[query] < work.lists.room ? work.lists.count[query] : work.lists.room;
  Candidate* list = work.lists.list + std::size_t(query) * work.lists.room;
  for (std::uint32_t first = blockIdx.x * groups; first < count; first += gridDim.x * groups) {
    const std::uint32_t at = first + threadIdx.x / width;
    const bool exists = at < count;  // every lane takes part in shuffles
    const Candidate candidate = exists ? list[at] : Candidate{};
    const bool reads = exists && needs_vector(candidate, work.scoring);
    const Vectors& segment = work.segments[candidate.segment];
    const float* query_vector = work.queries + std::size_t(query) * work.d;
    const float* row = query_vector;
    if (reads && segment.rows != nullptr)
      row = segment.rows + std::size_t(candidate.row) * work.d;
    else if (reads)
      row = work.gathered +
            std::size_t(work.index[std::size_t(query) * work.index_room + at]) * work.d;
    float similarity = candidate.similarity;
    if (work.scoring != Scoring::raw) {
      const float product = canonical_product(work.summing, query_vector, row, work.d);
      if (reads) similarity = product;
    }
    __syncwarp();  // all lanes have read the candidate that one of them writes
    const bool ends = work.scoring == Scoring::rescored || work.scoring == Scoring::raw;
    if (!exists || threadIdx.x % width != 0 || !(reads || ends)) continue;
    const double exact = score(segment.columns, segment.descriptors[query], candidate.row,
                               static_cast<double>(similarity));
    const double value =
        work.scoring == Scoring::bounded ? static_cast<double>(static_cast<float>(exact)) : exact;
    Candidate& out = list[at];
    out.similarity = similarity;
    if (reads) {
      out.kind = ScoreKind::exact;
      atomicAdd(work.lists.scored + query, 1u);
    }
    out.upper = value;  // NaN reaches no threshold
    out.lower = value == value ? value : -INFINITY;
  }
}

cudaError_t launch_rescore(const RescoreWork& work, dim3 blocks, cudaStream_t stream) {
  return launch({blocks, rescore_threads, 0, stream}, rescore, work);
}

}  // namespace asof::cuda::candidates
