// Re3's batch loss (native/training/time_encoder.hpp, equations 10 to 13) and its gradient with
// respect to the fused rows: n questions, their n positives, and the negatives. One warp per
// example; the host adds the losses in example order.
#pragma once

#include "cuda/kernels/training/sums.hpp"

namespace asof::cuda::training {

struct Batch {
  std::uint32_t n, across;
  const std::uint32_t* rows;      // numbers of all rows: questions, positives, negatives
  const std::uint32_t* negative;  // place of each example's negative among the rows; 0: none
  const float* fused;
  float* by_fused;
  float *products, *pulls;  // n x n: s and the gradient by it

  /// Whether j is a negative of i: two examples of one question or one passage are not.
  __device__ bool apart(std::uint32_t i, std::uint32_t j) const {
    return rows[i] != rows[j] && rows[n + i] != rows[n + j];
  }
};

__device__ inline double most_of_warp(double value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    const double other = __shfl_xor_sync(all_lanes, value, distance);
    value = other > value ? other : value;
  }
  return value;
}

/// Equation 10 of one side: candidates of example i at i * own + j * other.
ASOF_KERNEL void contrast(Batch batch, std::uint32_t own, std::uint32_t other, double scale,
                          double* losses) {
  const std::uint32_t n = batch.n, i = static_cast<std::uint32_t>(own_place() / warp_lanes),
                      lane = threadIdx.x % warp_lanes;
  if (i >= n) return;
  auto at = [&](std::uint32_t j) { return std::size_t(i) * own + std::size_t(j) * other; };
  auto counts = [&](std::uint32_t j) {
    return j == i || batch.apart(other == 1 ? i : j, other == 1 ? j : i);
  };
  const double right = static_cast<double>(batch.products[at(i)]) * scale,
               weight = 0.5 * scale / static_cast<double>(n);
  double most = right, sum = 0;
  for (std::uint32_t j = lane; j < n; j += warp_lanes) {
    const double value = static_cast<double>(batch.products[at(j)]) * scale;
    if (counts(j) && value > most) most = value;
  }
  most = most_of_warp(most);
  for (std::uint32_t j = lane; j < n; j += warp_lanes) {
    if (counts(j)) sum += exp(static_cast<double>(batch.products[at(j)]) * scale - most);
  }
  sum = sum_of_warp(sum);
  if (lane == 0) losses[i] = 0.5 * (most + log(sum) - right);
  for (std::uint32_t j = lane; j < n; j += warp_lanes) {
    const double share =
        counts(j) ? exp(static_cast<double>(batch.products[at(j)]) * scale - most) : 0;
    batch.pulls[at(j)] += static_cast<float>(weight * (share / sum - (j == i ? 1 : 0)));
  }
}

/// The margin of equations 11 and 12, and their weights.
struct MarginLoss {
  double margin, hard, time;
};

/// Equations 11 and 12; losses[i] and losses[n + i].
ASOF_KERNEL void margins(Summing summing, Batch batch, MarginLoss loss, double* losses) {
  const auto [margin, hard, time] = loss;
  const std::uint32_t n = batch.n, i = static_cast<std::uint32_t>(own_place() / warp_lanes),
                      lane = threadIdx.x % warp_lanes;
  if (i >= n) return;
  const float right = batch.products[std::size_t(i) * n + i],
              weight = static_cast<float>(1 / static_cast<double>(n));
  std::uint32_t hardest = n;
  float most = 0;
  for (std::uint32_t j = lane; j < n; j += warp_lanes) {
    const float value = batch.products[std::size_t(i) * n + j];
    if (batch.apart(i, j) && (hardest == n || value > most)) {
      hardest = j;
      most = value;
    }
  }
  for (int distance = 16; distance > 0; distance /= 2) {  // the first of equal ones
    const std::uint32_t place = __shfl_xor_sync(all_lanes, hardest, distance);
    const float value = __shfl_xor_sync(all_lanes, most, distance);
    if (place == n || (hardest != n && (value < most || (value == most && place > hardest))))
      continue;
    hardest = place;
    most = value;
  }
  const double lost =
      hardest == n ? 0 : margin + static_cast<double>(most) - static_cast<double>(right);
  if (lane == 0) {
    losses[i] = lost > 0 ? hard * lost : 0;
    losses[n + i] = 0;
    if (lost > 0) {
      batch.pulls[std::size_t(i) * n + hardest] += weight * static_cast<float>(hard);
      batch.pulls[std::size_t(i) * n + i] -= weight * static_cast<float>(hard);
    }
  }
  const std::uint32_t place = batch.negative[i], across = batch.across;
  if (place == 0) return;
  const float* wrong_row = batch.fused + std::size_t(place) * across;
  const float* own_row = batch.fused + std::size_t(i) * across;
  const float wrong = canonical_product(summing, own_row, wrong_row, across);
  const double wronged = margin + static_cast<double>(wrong) - static_cast<double>(right);
  if (!(wronged > 0)) return;
  const float by = weight * static_cast<float>(time);
  if (lane == 0) {
    losses[n + i] = time * wronged;
    batch.pulls[std::size_t(i) * n + i] -= by;
  }
  for (std::uint32_t c = lane; c < across; c += warp_lanes) {
    batch.by_fused[std::size_t(i) * across + c] += by * wrong_row[c];
    batch.by_fused[std::size_t(place) * across + c] += by * own_row[c];
  }
}

}  // namespace asof::cuda::training
