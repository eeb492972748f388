// The first threshold of a search, before which every row would survive its scan: from a sample of
// a segment, whose candidates come again. Either of bounds of the sample's products, which a scan
// has laid out (products/collecting.hpp: Laying), or of a few rows' vectors, where no scan does.
#pragma once

#include "cuda/kernels/candidates/exact.hpp"
#include "cuda/kernels/candidates/keep_best.hpp"

namespace asof::cuda::candidates {

struct Beginning {
  Joining joining;
  ExactScores exact;
  const float*
      least;  // bounds of products, `rows` a query; null: the rows' own vectors are multiplied
  std::uint32_t rows;  // the sample's first; of vectors at most sample_classes
  const std::uint32_t* keep;
  const Asked* next;
  std::uint32_t queries, dropped;  // as Settling's
  unsigned long long* table;
};

/// Into so many classes at most are the rows of a sample divided, whose best are its best: into
/// some multiple of k, so that few of the k best share one.
inline constexpr std::uint32_t sample_classes = 1024, classes_of_keep = 16;

__device__ inline std::uint32_t classes_of(std::uint32_t k) {
  const std::uint32_t wanted =
      (classes_of_keep * k + keep_threads - 1) / keep_threads * keep_threads;
  return wanted == 0 ? keep_threads : wanted < sample_classes ? wanted : sample_classes;
}

/// A list under way: where the next goes, and the keys of those that are there.
struct Appending {
  std::uint32_t keys[sample_classes], next_place;

  __device__ void append(Candidate* list, const Candidate& made) {
    const std::uint32_t at = atomicAdd(&next_place, 1u);
    list[at] = made;
    keys[at] = key_of(made);
  }
};

/// Appends the best row of each class, by its bound: the k-th of them is about as good as the k-th
/// of all, and cannot be better.
__device__ inline void append_best(const Beginning& work, std::uint32_t query, Candidate* list,
                                   Appending& to) {
  constexpr std::uint32_t ahead = 8;
  const Joining& joining = work.joining;
  const Columns& columns = joining.columns;
  const Asked& by = joining.asked[query];
  const Mask& mask = joining.masks[by.mask];
  const float* least = work.least + std::size_t(query) * work.rows;
  const bool plain = by.form.combine == vector::Combine::none &&
                     by.lexical == nullptr;  // who is more similar is better
  const bool hides = columns.visible != nullptr || mask.has_published || mask.has_window;
  const std::uint32_t classes = classes_of(work.keep[query]);
  for (std::uint32_t own = threadIdx.x; own < classes; own += keep_threads) {
    double best = -INFINITY;
    float similarity = -INFINITY;
    std::uint32_t best_row = 0;
    for (std::uint32_t first = own; first < work.rows; first += ahead * classes) {
      float given[ahead];
      std::uint32_t row[ahead];
      ASOF_UNROLL
      for (std::uint32_t i = 0; i < ahead; ++i) {  // asked for together: they come from far
        const std::uint32_t at = first + i * classes, taken = at < work.rows ? at : first;
        given[i] = at < work.rows ? least[at] : -INFINITY;
        row[i] = joining.sampled[taken / 64] * 64 + taken % 64;
      }
      ASOF_UNROLL
      for (std::uint32_t i = 0; i < ahead; ++i) {
        if (!(given[i] > (plain ? similarity : -INFINITY)) || row[i] < columns.first_row ||
            row[i] >= columns.last_row)
          continue;
        if (hides && (!shown(columns, row[i]) || !seen(columns, mask, row[i]))) continue;
        const double value =
            plain ? best : score(columns, by, row[i], static_cast<double>(given[i]));
        if (!plain && !(value > best)) continue;
        best = value;
        similarity = given[i];
        best_row = row[i];
      }
    }
    if (plain && similarity > -INFINITY)
      best = score(columns, by, best_row, static_cast<double>(similarity));
    if (!(best > -INFINITY)) continue;
    to.append(list, {best, best, best_row, joining.segment, Known::within,
                     columns.row_passage[best_row], similarity});
  }
}

/// Appends rows by their vectors.
__device__ inline void append_all(const Beginning& work, std::uint32_t query, Candidate* list,
                                  Appending& to) {
  const Joining& joining = work.joining;
  const ExactScores& exact = work.exact;
  const Asked& by = joining.asked[query];
  const float* vectors = exact.segments[joining.segment].rows;
  const unsigned width = width_of(exact.summing), groups = keep_threads / width;
  for (std::uint32_t first = 0; first < work.rows; first += groups) {
    const std::uint32_t at = first + threadIdx.x / width,
                        taken = at < work.rows ? at : work.rows - 1;  // no lane leaves its warp
    const std::uint32_t row = joining.sampled[taken / 64] * 64 + taken % 64;
    const float similarity =
        canonical_product(exact.summing, exact.queries + std::size_t(query) * exact.d,
                          vectors + std::size_t(row) * exact.d, exact.d);
    if (at >= work.rows || threadIdx.x % width != 0 || !shown(joining.columns, row) ||
        !seen(joining.columns, joining.masks[by.mask], row))
      continue;
    const double value = score(joining.columns, by, row, static_cast<double>(similarity));
    if (value == value)
      to.append(list, {value, value, row, joining.segment, Known::exactly,
                       joining.columns.row_passage[row], similarity});
  }
}

/// Query blockIdx.x, and those a grid further on; lists are empty before.
ASOF_KERNEL void __launch_bounds__(keep_threads) begin(const ASOF_STAYS Beginning work) {
  __shared__ Appending to;
  const Lists& lists = work.joining.lists;
  unsigned long long* own =
      work.table == nullptr ? nullptr : work.table + std::size_t(blockIdx.x) * slots_of(lists.room);
  for (std::uint32_t query = blockIdx.x; query < work.queries; query += gridDim.x) {
    Candidate* list = lists.list + std::size_t(query) * lists.room;
    if (threadIdx.x == 0) to.next_place = 0;
    __syncthreads();
    if (work.least != nullptr)
      append_best(work, query, list, to);
    else
      append_all(work, query, list, to);
    __syncthreads();
    const std::uint32_t k = work.keep[query], count = to.next_place;
    const auto key_at = [&](std::uint32_t i) { return to.keys[i]; };
    std::uint32_t reached = kth_key(list, count, k, own, key_at);
    if (score_best(work.exact, query, list, count, reached, key_at,
                   [&](std::uint32_t i) { to.keys[i] = key_of(list[i]); }) > 0)
      reached = kth_key(list, count, k, own, key_at);
    const Cut left = cut_at(list, count, k, reached, lists.threshold[query], work.dropped);
    __syncthreads();
    if (threadIdx.x == 0) {
      lists.count[query] = left.kept;
      lists.threshold[query] = left.threshold;
      lists.least_similarity[query] = least_similarity(work.next[query], left.threshold);
    }
    __syncthreads();
  }
}

}  // namespace asof::cuda::candidates
