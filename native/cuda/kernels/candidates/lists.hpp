// Candidate lists, one per query. Survivors of a scan that pass the query's mask and whose upper
// bound reaches its threshold are appended; overflow shows in the count, and the caller retries.
#pragma once

#include "cuda/kernels/candidates/query_descriptor.hpp"
#include "cuda/kernels/products/survivor_collector.hpp"

namespace asof::cuda::candidates {

/// bounded: between two bounds. approximate: from panels, rounded to float as on the host. exact:
/// from the f32 vector.
enum class ScoreKind : std::uint16_t { bounded, approximate, exact };

struct Candidate {
  double upper, lower;  // the score is within [lower, upper]
  std::uint32_t row;    // of its segment
  std::uint16_t segment;
  ScoreKind kind;
  std::uint32_t passage;
  float similarity;  // as multiplied by panels, or of the f32 vector
};

struct Lists {
  Candidate* list;        // query q: [q * room, q * room + min(count[q], room))
  std::uint32_t* count;   // above `room` after an overflow; one more count, after the last query's,
                          // is not 0 if survivors overflowed
  double* threshold;      // no candidate that scores less can be a result
  float* min_similarity;  // the threshold as a similarity of rows of the current segment
  std::uint32_t* scored;  // candidates whose vectors were read
  std::uint32_t room;
};

/// Use of a panel product: as bounds of the score, or as the score itself (except for rows that
/// panels cannot represent).
enum class BoundMode : std::uint8_t { certified, approximate };

/// Turns the survivors of a scan of one segment into candidates.
struct SurvivorFilter {
  Columns columns;
  const QueryDescriptor* descriptors;  // one per query
  const Mask* masks;
  Lists lists;
  const std::uint32_t* sampled;  // the segment's group of 64 rows of each group of a sample; null
                                 // if rows are the segment's own
  std::uint16_t segment;
  BoundMode bound_mode;

  /// Whether the row passes the query's mask and its upper bound reaches the threshold.
  __device__ bool operator()(std::uint32_t query, const products::Survivor& survivor,
                             Candidate& candidate) const {
    const QueryDescriptor& descriptor = descriptors[query];
    const float product = survivor.product, product_bound = survivor.upper;
    const std::uint32_t row =
        sampled == nullptr ? survivor.row : sampled[survivor.row / 64] * 64 + survivor.row % 64;
    if (!in_scope(columns, row) || !passes_mask(columns, masks[descriptor.mask], row)) return false;
    double upper, lower;
    const bool rough = bound_mode == BoundMode::approximate && product_bound < INFINITY;
    if (rough) {
      upper = lower = static_cast<double>(
          static_cast<float>(score(columns, descriptor, row, static_cast<double>(product))));
      if (upper != upper) return false;
    } else {
      // Scores are monotonic in the similarity, rounding included; the lower bound of the product
      // is one rounding off.
      const double error = static_cast<double>(product_bound) - static_cast<double>(product),
                   least = static_cast<double>(product) - error * (1 + 0x1p-20);
      upper = score(columns, descriptor, row, static_cast<double>(product_bound));
      lower = error < INFINITY ? score(columns, descriptor, row, least - 0x1p-22 * fabs(least))
                               : -INFINITY;
    }
    if (upper != upper)
      upper = INFINITY;  // an infinite bound times a factor of zero: the exact score decides
    if (lower != lower) lower = -INFINITY;
    if (upper < lists.threshold[query]) return false;
    candidate = {upper,
                 lower,
                 row,
                 segment,
                 rough ? ScoreKind::approximate : ScoreKind::bounded,
                 columns.row_passage[row],
                 product};
    return true;
  }
};

inline constexpr std::uint32_t no_segment = 0xffffffffu;

/// Slots of a table that holds the passages of `room` candidates.
constexpr std::uint32_t slots_of(std::uint32_t room) {
  std::uint32_t slots = 64;
  while (slots < 2 * room) slots *= 2;
  return slots;
}

}  // namespace asof::cuda::candidates
