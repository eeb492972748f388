// What words do to a scan by panels. Where few queries share them the kernel adds them to the
// products of rows; else the rows that have enough of them for their similarity to matter are told
// from the others before a tile is multiplied. See coarse.hpp.
#include <algorithm>
#include <cmath>
#include <limits>

#include "index/vector/masked_products.hpp"
#include "index/vector/quantized_scan/block_filter.hpp"
#include "index/vector/quantized_scan/call.hpp"

namespace asof::vector {

using quantized::panel_rows;

/// Whether all slots weigh the same words alike, so that a row is as much more than similar to all
/// of them.
bool Coarse::share_words() const {
  const Query& first = query(slots_.front().q);
  constexpr double most_weight =
      1e18;  // of words over vectors: beyond it, single precision has no room for their products
  constexpr std::size_t most_queries = 4;
  if (!words_ || slots_.size() > most_queries) return false;
  if (!(first.lexical_weight >= 0 && first.lexical_weight <= most_weight * first.semantic_weight))
    return false;
  auto whole = [](const SearchSegment& segment) {
    return !segment.rows.panels || segment.rows.panels->storage == quantized::Storage::int8;
  };
  if (!std::all_of(request_.segments.begin(), request_.segments.end(), whole)) return false;
  return std::all_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    const Query& asked = query(slot.q);
    if (asked.form.combine == Combine::sum || asked.semantic_weight != first.semantic_weight ||
        asked.lexical_weight != first.lexical_weight)
      return false;
    auto same = [](const auto& a, const auto& b) { return a.data() == b.data(); };
    return std::equal(asked.lexical.begin(), asked.lexical.end(), first.lexical.begin(),
                      first.lexical.end(), same);
  });
}

/// No row of the tile is longer.
float Coarse::longest_row(const Tile& tile) const {
  const FlatRows& rows = request_.segments[tile.segment].rows;
  const std::size_t first = tile.begin / panel_rows,
                    end = (tile.begin + tile.count + panel_rows - 1) / panel_rows;
  const std::size_t number = tile.begin / schema::block_rows,
                    panels = schema::block_rows / panel_rows;
  const auto& records = rows.panels->records;
  const std::size_t of_block = std::min(panels, records.size() - number * panels);
  if (rows.suffix_norms != nullptr)
    return rows.suffix_norms->longest_by(number, records.subspan(number * panels, of_block));
  float longest = 0;
  for (std::size_t p = first; p < end; ++p)
    longest = std::max(longest, records[p].most_length + records[p].most_error);
  return longest;
}

/// What words a row of the tile must have to reach the threshold were it as similar as can be,
/// where no row's c is above `factor`.
float Coarse::least_words(const Slot& slot, const Tile& tile, double threshold,
                          double factor) const {
  const Query& asked = query(slot.q);
  const double without =
      static_cast<double>(least_similarity(slot, threshold, factor, 0)) * asked.semantic_weight;
  const double ceiling = asked.semantic_weight * slot.length *
                             static_cast<double>(longest_row(tile)) * (1 + rounding_slack) +
                         rounding_slack;
  const double needed = without - ceiling;  // of words times their weight
  if (!(needed > 0))
    return -std::numeric_limits<float>::infinity();  // an infinite length reaches everything
  return below((needed - rounding_slack * std::abs(needed)) / asked.lexical_weight);
}

/// The rows whose words let them reach the threshold of some slot, all of which share them.
BlockBits Coarse::worded(const Tile& tile) const {
  const Query& any = query(slots_.front().q);
  const BlockBits& seen = tile.bits[tile.mask_of[slots_.front().q]];
  float least = std::numeric_limits<float>::infinity();
  const BlockTimes times(request_.segments[tile.segment].rows, tile.begin, tile.count);
  for (std::size_t s = 0; s < slots_.size(); ++s) {
    least = std::min(least, least_words(slots_[s], tile, threshold_of(s),
                                        times.most_factor(query(slots_[s].q).form)));
  }
  if (!(least > 0)) return seen;
  BlockBits reach{};
  if (tile.segment >= any.lexical.size() || any.lexical[tile.segment].empty()) return reach;
  if (!any.lexical_block_max.empty() &&
      any.lexical_block_max[tile.segment][tile.begin / schema::block_rows] < least)
    return reach;
  reaching(any.lexical[tile.segment].data() + tile.begin, tile.count, least, seen, reach);
  return reach;
}

/// The rows that could reach the threshold were they as similar as can be, and in lane.thresholds
/// what it takes of the best of them.
BlockBits Coarse::reachable(Lane& lane, const Tile& tile, std::size_t s, double threshold) const {
  const Slot& slot = slots_[s];
  const Scored against = scored(slot.q, tile.segment);
  const Query& asked = against.query;
  const double without =
      static_cast<double>(least_similarity(slot, threshold, lane.factors[s], 0)) *
      asked.semantic_weight;
  const double ceiling = asked.semantic_weight * slot.length *
                             static_cast<double>(longest_row(tile)) * (1 + rounding_slack) +
                         rounding_slack;
  const BlockBits& seen = tile.bits[tile.mask_of[slot.q]];
  BlockBits reach{};
  double most = -infinity;
  if (asked.form.combine != Combine::sum && asked.lexical_weight > 0) {
    // Words alone: the same test as below turned round, for what a row must have of them, so that
    // rows are compared as they lie.
    const double needed = (without - ceiling) / asked.lexical_weight;
    if (needed == infinity) return reach;
    const float least = below(needed - rounding_slack * std::abs(needed));
    const float highest = reaching(against.lexical + tile.begin, tile.count, least, seen, reach);
    if (std::any_of(reach.begin(), reach.end(), [](std::uint64_t word) { return word != 0; }))
      most = asked.lexical_weight * static_cast<double>(highest);
  } else {
    const double* const recencies =
        asked.form.combine == Combine::sum ? lane.recencies[slot.recency].data() : nullptr;
    for_each(seen, [&](std::size_t i) {
      double more =
          against.lexical == nullptr
              ? 0
              : asked.lexical_weight * static_cast<double>(against.lexical[tile.begin + i]);
      if (asked.form.combine == Combine::sum)
        more += asked.form.weight * standardized(against.standard, recencies[i]);
      if (without - more - rounding_slack * std::abs(more) > ceiling)
        return;  // an infinite length reaches everything
      reach[i / 64] |= std::uint64_t{1} << (i % 64);
      most = std::max(most, more);
    });
  }
  if (most > -infinity)
    lane.thresholds[s] = least_similarity(slot, threshold, lane.factors[s], most);
  return reach;
}

}  // namespace asof::vector
