// Seeding of the first threshold of a search, without which every row would survive its scan: from
// stored bounds of a sample's products (products/survivor_collector.hpp: BoundStore), or from the
// exact scores of a few rows. The sample's candidates are scanned again.
#include "cuda/kernels/candidates/exact_scores.hpp"

namespace asof::cuda::candidates {
namespace {

__device__ inline std::uint32_t classes_of(std::uint32_t k) {
  const std::uint32_t classes =
      (classes_per_k * k + prune_threads - 1) / prune_threads * prune_threads;
  return classes == 0 ? prune_threads : classes < sample_classes ? classes : sample_classes;
}

/// One copy for the unrolled rows: with eight nvcc took four times as long.
__device__ ASOF_RARE double score_apart(const Columns& columns, const QueryDescriptor& by,
                                        std::uint32_t row, float similarity) {
  return score(columns, by, row, static_cast<double>(similarity));
}

/// Append position of a list, and the keys of its candidates.
struct ListAppender {
  std::uint32_t keys[sample_classes], next_place;

  __device__ void append(Candidate* list, const Candidate& candidate) {
    const std::uint32_t at = atomicAdd(&next_place, 1u);
    list[at] = candidate;
    keys[at] = key_of(candidate);
  }
};

/// Appends the best row of each class, by its bound: the k-th of them is at most the k-th of all,
/// and close to it.
__device__ inline void append_class_maxima(const SeedWork& work, std::uint32_t query,
                                           Candidate* list, ListAppender& to) {
  constexpr std::uint32_t ahead = 8;
  const SurvivorFilter& filter = work.filter;
  const Columns& columns = filter.columns;
  const QueryDescriptor& by = filter.descriptors[query];
  const Mask& mask = filter.masks[by.mask];
  const float* lower = work.sample.lower + std::size_t(query) * work.sample.rows;
  // Scores are then monotonic in the similarity.
  const bool plain = by.form.combine == temporal::Combine::none && by.lexical == nullptr;
  const bool hides = columns.visible != nullptr || mask.has_published || mask.has_window;
  const std::uint32_t classes = classes_of(work.limits[query]);
  for (std::uint32_t own = threadIdx.x; own < classes; own += prune_threads) {
    double best = -INFINITY;
    float similarity = -INFINITY;
    std::uint32_t best_row = 0;
    for (std::uint32_t first = own; first < work.sample.rows; first += ahead * classes) {
      float bound[ahead];
      std::uint32_t row[ahead];
      ASOF_UNROLL
      for (std::uint32_t i = 0; i < ahead; ++i) {  // loads are issued together
        const std::uint32_t at = first + i * classes, place = at < work.sample.rows ? at : first;
        bound[i] = at < work.sample.rows ? lower[at] : -INFINITY;
        row[i] = filter.sampled[place / 64] * 64 + place % 64;
      }
      ASOF_UNROLL
      for (std::uint32_t i = 0; i < ahead; ++i) {
        if (!(bound[i] > (plain ? similarity : -INFINITY)) || row[i] < columns.first_row ||
            row[i] >= columns.last_row)
          continue;
        if (hides && (!in_scope(columns, row[i]) || !passes_mask(columns, mask, row[i]))) continue;
        const double value = plain ? best : score_apart(columns, by, row[i], bound[i]);
        if (!plain && !(value > best)) continue;
        best = value;
        similarity = bound[i];
        best_row = row[i];
      }
    }
    if (plain && similarity > -INFINITY) best = score_apart(columns, by, best_row, similarity);
    if (!(best > -INFINITY)) continue;
    to.append(list, {best, best, best_row, filter.segment, ScoreKind::bounded,
                     columns.row_passage[best_row], similarity});
  }
}

/// Appends the sample's rows with exact scores.
__device__ inline void append_exact(const SeedWork& work, std::uint32_t query, Candidate* list,
                                    ListAppender& to) {
  const SurvivorFilter& filter = work.filter;
  const ExactScores& exact = work.exact;
  const QueryDescriptor& by = filter.descriptors[query];
  const float* vectors = exact.segments[filter.segment].rows;
  const unsigned width = width_of(exact.summing), groups = prune_threads / width;
  for (std::uint32_t first = 0; first < work.sample.rows; first += groups) {
    const std::uint32_t at = first + threadIdx.x / width,
                        place = at < work.sample.rows
                                    ? at
                                    : work.sample.rows - 1;  // every lane takes part in shuffles
    const std::uint32_t row = filter.sampled[place / 64] * 64 + place % 64;
    const float similarity =
        canonical_product(exact.summing, exact.queries + std::size_t(query) * exact.d,
                          vectors + std::size_t(row) * exact.d, exact.d);
    if (at >= work.sample.rows || threadIdx.x % width != 0 || !in_scope(filter.columns, row) ||
        !passes_mask(filter.columns, filter.masks[by.mask], row))
      continue;
    const double value = score(filter.columns, by, row, static_cast<double>(similarity));
    if (value == value)
      to.append(list, {value, value, row, filter.segment, ScoreKind::exact,
                       filter.columns.row_passage[row], similarity});
  }
}

}  // namespace

/// A block per query, in a grid-stride loop; lists are initially empty.
ASOF_KERNEL void __launch_bounds__(prune_threads) seed_threshold(const ASOF_STAYS SeedWork work) {
  __shared__ ListAppender to;
  const Lists& lists = work.filter.lists;
  unsigned long long* own =
      work.table == nullptr ? nullptr : work.table + std::size_t(blockIdx.x) * slots_of(lists.room);
  for (std::uint32_t query = blockIdx.x; query < work.queries; query += gridDim.x) {
    Candidate* list = lists.list + std::size_t(query) * lists.room;
    if (threadIdx.x == 0) to.next_place = 0;
    __syncthreads();
    if (work.sample.lower != nullptr)
      append_class_maxima(work, query, list, to);
    else
      append_exact(work, query, list, to);
    __syncthreads();
    const std::uint32_t k = work.limits[query];
    const CandidateSpan span{list, to.next_place};
    const auto key_at = [&](std::uint32_t i) { return to.keys[i]; };
    std::uint32_t key = kth_key(span, k, own, key_at);
    if (score_best(work.exact, query, span, KeySelection{key, key_at},
                   [&](std::uint32_t i) { to.keys[i] = key_of(list[i]); }) > 0)
      key = kth_key(span, k, own, key_at);
    const PruneResult left =
        prune_at(span, k, key, lists.threshold[query], work.next.dropped_segment);
    __syncthreads();
    if (threadIdx.x == 0) {
      lists.count[query] = left.count;
      lists.threshold[query] = left.threshold;
      lists.min_similarity[query] = min_similarity(work.next.descriptors[query], left.threshold);
    }
    __syncthreads();
  }
}

cudaError_t launch_seed_threshold(const SeedWork& work, unsigned blocks, cudaStream_t stream) {
  return launch({dim3(blocks), prune_threads, 0, stream}, seed_threshold, work);
}

}  // namespace asof::cuda::candidates
