// Tiles of which a narrow window shows few rows here and there, as where rows are in no order of
// time: their rows are listed, and every hundred or so are put side by side and multiplied as
// floats with the queries that see them, which costs less than the panels that they lie in. Scores
// are those of the plain scan at once, so nothing waits. It gathers for no query that sums or
// weighs words. See coarse.hpp.
#include <algorithm>
#include <cstring>

#include "index/vector/masked_products.hpp"
#include "index/vector/quantized_scan/call.hpp"

namespace asof::vector {
namespace {

constexpr std::size_t gathered_rows =
    128;  // they and their products stay in the second-level cache

/// Whether rows cost less than the panels that hold them: in products of a narrow row with a query
/// by tiles, of which 32 are multiplied at least.
bool costs_less(std::size_t rows, std::size_t tile, std::size_t queries) {
  constexpr std::size_t few = 4, product = 10, copy = 200, least = 32;
  if (queries <= few) return 4 * rows < tile;
  const std::size_t panels = std::min(rows, quantized::panels(tile));
  return rows * (product * queries + copy) <
         panels * quantized::panel_rows * std::max(queries, least) * 3 / 2;
}

}  // namespace

/// Whether slots may look at gathered rows at all.
bool Coarse::may_gather() const {
  if (words_ || makes_ || request_.exactness != Exactness::certified) return false;
  return std::none_of(slots_.begin(), slots_.end(),
                      [&](const Slot& slot) { return query(slot.q).form.combine == Combine::sum; });
}

/// Lists the rows of the tile for every mask; false where some slot sees too many.
bool Coarse::gather(Lane& lane, const Tile& tile) {
  if (!gathers_) return false;
  if (lane.gathered.size() != tile.bits.size()) {
    lane.gathered.assign(tile.bits.size(), {});
    for (std::size_t s = 0; s < slots_.size(); ++s)
      lane.gathered[tile.mask_of[slots_[s].q]].slots.push_back(s);
  }
  for (std::size_t mask = 0; mask < lane.gathered.size(); ++mask) {
    const std::size_t slots = lane.gathered[mask].slots.size();
    if (slots > 0 && tile.visible[mask] > 0 && !costs_less(tile.visible[mask], tile.count, slots))
      return false;
  }
  if (samples_units()) return true;  // another pass lists them
  for (std::size_t mask = 0; mask < lane.gathered.size(); ++mask) {
    Lane::Gathered& own = lane.gathered[mask];
    if (own.slots.empty() || tile.visible[mask] == 0) continue;
    if (!own.rows.empty() && own.segment != tile.segment) score_gathered(lane, own);
    own.segment = tile.segment;
    own.collectors = &tile.collectors;
    for_each(tile.bits[mask], [&](std::size_t i) {
      own.rows.push_back(static_cast<std::uint32_t>(tile.begin + i));
    });
    if (own.rows.size() >= gathered_rows) score_gathered(lane, own);
  }
  return true;
}

void Coarse::score_gathered(Lane& lane) {
  for (Lane::Gathered& own : lane.gathered) score_gathered(lane, own);
}

void Coarse::score_gathered(Lane& lane, Lane::Gathered& own) {
  constexpr std::size_t ahead = 6, line = 16;
  const std::size_t d = request_.dimensions, n = own.rows.size(), count = own.slots.size();
  if (n == 0) return;
  if (own.queries.empty()) {
    for (const std::size_t s : own.slots)
      own.queries.insert(own.queries.end(), vector(slots_[s].q), vector(slots_[s].q) + d);
  }
  const float* vectors = request_.segments[own.segment].rows.vectors.data();
  auto ask_for = [&](std::size_t i) {
    for (std::size_t c = 0; c < d; c += line)
      __builtin_prefetch(vectors + own.rows[i] * d + c, 0, 2);
  };
  for (std::size_t i = 0; i < std::min(ahead, n); ++i) ask_for(i);
  lane.side_by_side.resize(std::max(lane.side_by_side.size(), n * d));
  for (std::size_t i = 0; i < n; ++i) {
    if (i + ahead < n) ask_for(i + ahead);
    std::memcpy(&lane.side_by_side[i * d], vectors + own.rows[i] * d, d * sizeof(float));
  }
  lane.products.resize(std::max(lane.products.size(), count * n));
  kernels_.block(own.queries.data(), count, d, lane.side_by_side.data(), n, d, d,
                 lane.products.data(), n);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t s = own.slots[i], q = slots_[s].q;
    select_listed(scored(q, own.segment), {&lane.products[i * n], n}, own.rows.data(),
                  (*own.collectors)[q], best_[q]);
    lane.rescored[s] += static_cast<double>(n);
  }
  own.rows.clear();
}

}  // namespace asof::vector
