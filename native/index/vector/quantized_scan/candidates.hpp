// The rows of a query that may still win, as one thread of a scan by panels has met them: a short
// list that is cut back when it is full, and what it says of the k-th best score. It scores no row
// and shares nothing between threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "index/vector/request.hpp"

namespace asof::vector {

/// A row that scores from `least` to `most`. Of inexact scans: that scores `most` by its panel,
/// which gives the product `least`.
struct Pending {
  float most, least;
  std::uint32_t segment, row;

  /// Halfway between the bounds lies what the panel says; -infinity where it says nothing.
  float likely() const {
    return least > -std::numeric_limits<float>::infinity() ? (most + least) / 2 : least;
  }
};

/// What scores `score` or more: a row, or a passage where they pool.
struct Leader {
  std::uint64_t name;
  double score;
};

inline std::uint64_t name_of(const Request& request, std::uint32_t segment, std::uint32_t row) {
  return std::uint64_t{segment} << 32 |
         (request.pool ? request.segments[segment].rows.row_passage[row] : row);
}

/// Above it by at most two units of a float, which costs less than to ask whether rounding has lost
/// something.
inline float not_below(double value) {
  constexpr double largest = std::numeric_limits<double>::max(),
                   least = static_cast<double>(std::numeric_limits<float>::denorm_min());
  return static_cast<float>(value + std::min(std::abs(value), largest) * 0x1p-23 + least);
}

inline float not_above(double value) {
  return -not_below(-value);
}

struct alignas(64) Waiting {  // one line of the cache: survivors come in the order of rows
  std::vector<Pending> rows;
  std::vector<Leader> leaders;  // rows that wait no longer, and what is known from elsewhere; a
                                // name may be here and among the rows
  std::size_t room = 0;         // when it is full
  double weight = 1;            // of similarity
};

/// What k of the leaders reach; -infinity where there are fewer. What comes twice counts once.
/// Keeps the best k.
double reached(std::vector<Leader>& leaders, std::size_t k);

/// Drops rows that score less than `threshold` at best.
void drop_below(std::vector<Pending>& rows, double threshold);

/// Of an inexact scan: keeps the best `keep` rows (one a passage where they pool), and those of
/// other segments that are as good as the last. What the last of them scores, or -infinity where
/// there are fewer.
double keep_best(const Request& request, std::vector<Pending>& rows, std::size_t keep);

}  // namespace asof::vector
