// Best score of each group, such as a passage's best sentence, and its row.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/isa.hpp"

// Of equal scores (-0 equals +0) the lowest row wins. NaN never wins; -infinity is a score like any
// other. A group without a score has best = -infinity and row = no_row. Exact at every level: only
// comparisons are made.

namespace asof::pool {

inline constexpr std::uint32_t no_row = 0xffffffffu;

/// scores[i] belongs to group[i], i in [0, n).
struct GroupedScores {
  const float* scores;
  const std::uint32_t* group;
  std::size_t n;
};

struct Kernels {
  /// Groups that lie one after another: group g is the rows [offsets[g], offsets[g + 1]), offsets
  /// ascending, `groups` + 1 of them, counted from scores[0]. Writes best[g] and row[g].
  void (*contiguous)(const float* scores, const std::uint32_t* offsets, std::size_t groups,
                     float* best, std::uint32_t* row);

  /// Rows of any order: row `first` + i, with scores[i], belongs to group[i]. Updates best and row,
  /// which the caller has filled with -infinity and no_row before the first call. Rows must ascend
  /// from call to call for the tie rule to hold.
  void (*indexed)(const GroupedScores& scores, std::uint32_t first, float* best,
                  std::uint32_t* row);
};

const Kernels& kernels(Isa level);
const Kernels& kernels();

namespace reference {
extern const Kernels kernels;
}

}  // namespace asof::pool
