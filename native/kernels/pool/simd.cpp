// Maximum by vectors for large contiguous groups, row by row for small or scattered ones.
#include "kernels/pool/contract.hpp"

#include "core/lanes.hpp"

namespace asof::ASOF_LEVEL::pool {
namespace {

using ::asof::pool::GroupedScores;

using ::asof::pool::no_row;
constexpr float lowest = -__builtin_inff();

struct Best {
  float score = lowest;
  std::uint32_t row = no_row;
  ASOF_INLINE void offer(float other, std::uint32_t at) {
    if (other > score || (row == no_row && other >= score)) {
      score = other;
      row = at;
    }
  }
};

Best of_large(const float* scores, std::uint32_t begin, std::uint32_t end) {
  Lanes high = spread(lowest);
  std::uint32_t i = begin;
  for (; i + width <= end; i += width) {
    Lanes some = load(scores + i);
    high = some > high ? some : high;  // a NaN compares false and is skipped
  }
  float highest = lowest;
  repeat<static_cast<int>(width)>([&](auto lane) ASOF_INLINE_LAMBDA {
    highest = high[lane()] > highest ? high[lane()] : highest;
  });
  for (; i < end; ++i) highest = scores[i] > highest ? scores[i] : highest;
  for (i = begin; i < end; ++i) {
    if (scores[i] == highest) return {highest, i};
  }
  return {};  // nothing but NaN
}

void contiguous(const float* scores, const std::uint32_t* offsets, std::size_t groups, float* best,
                std::uint32_t* row) {
  for (std::size_t g = 0; g < groups; ++g) {
    Best group_best;
    if (offsets[g + 1] - offsets[g] >= 2 * width)
      group_best = of_large(scores, offsets[g], offsets[g + 1]);
    else
      for (std::uint32_t i = offsets[g]; i < offsets[g + 1]; ++i) group_best.offer(scores[i], i);
    best[g] = group_best.score;
    row[g] = group_best.row;
  }
}

void indexed(const GroupedScores& grouped, std::uint32_t first, float* best, std::uint32_t* row) {
  const auto [scores, group, n] = grouped;
  for (std::size_t i = 0; i < n; ++i) {
    Best entry = {best[group[i]], row[group[i]]};
    entry.offer(scores[i], first + static_cast<std::uint32_t>(i));
    best[group[i]] = entry.score;
    row[group[i]] = entry.row;
  }
}

}  // namespace

extern const ::asof::pool::Kernels kernels;
const ::asof::pool::Kernels kernels = {contiguous, indexed};

}  // namespace asof::ASOF_LEVEL::pool
