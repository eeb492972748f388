// Gathering of sparse rows, and their f32 scores.
#include "index/vector/quantized_scan/sparse_rows.hpp"

#include <algorithm>
#include <cstring>

#include "index/vector/masked_products.hpp"

namespace asof::vector {
namespace {

constexpr std::size_t batch_rows = 128;  // vectors and products stay in the second-level cache

/// Whether rows cost less than the panels that hold them. For few queries memory decides, and a row
/// that is gathered costs more than its panel in a range; for more, int8 products of a row with a
/// query in tiles of at least 32 queries.
bool costs_less(std::size_t rows, std::size_t tile_rows, std::size_t queries) {
  constexpr std::size_t few_queries = 4, product = 10, copy = 200, min_queries = 32;
  if (queries <= few_queries) return 32 * rows < tile_rows;
  const std::size_t panels = std::min(rows, quantized::panels(tile_rows));
  return rows * (product * queries + copy) <
         panels * quantized::panel_rows * std::max(queries, min_queries) * 3 / 2;
}

}  // namespace

bool SparseRows::sparse(const Tile& tile, Buffer& buffer) const {
  if (!plan_.sparse_rows()) return false;
  if (buffer.masks.size() != tile.bits.size()) {
    buffer.masks.assign(tile.bits.size(), {});
    for (std::size_t s = 0; s < plan_.size(); ++s)
      buffer.masks[tile.mask_of[plan_.slot(s).q]].slots.push_back(s);
  }
  for (std::size_t mask = 0; mask < buffer.masks.size(); ++mask) {
    const std::size_t slots = buffer.masks[mask].slots.size(), visible = tile.visible[mask];
    if (slots > 0 && visible > 0 && !costs_less(visible, tile.count, slots)) return false;
  }
  return true;
}

void SparseRows::gather(const Tile& tile, Buffer& buffer) const {
  for (std::size_t mask = 0; mask < buffer.masks.size(); ++mask) {
    Rows& own = buffer.masks[mask];
    if (own.slots.empty() || tile.visible[mask] == 0) continue;
    if (!own.rows.empty() && own.segment != tile.segment) score(own, buffer);
    own.segment = tile.segment;
    own.collectors = &tile.collectors;
    for_each(tile.bits[mask], [&](std::size_t i) {
      own.rows.push_back(static_cast<std::uint32_t>(tile.begin + i));
    });
    if (own.rows.size() >= batch_rows) score(own, buffer);
  }
}

void SparseRows::flush(Buffer& buffer) const {
  for (Rows& own : buffer.masks) score(own, buffer);
}

void SparseRows::score(Rows& group, Buffer& buffer) const {
  constexpr std::size_t ahead = 6, line = 16;
  const std::size_t d = plan_.request().dimensions, n = group.rows.size(),
                    count = group.slots.size();
  if (n == 0) return;
  if (group.queries.empty()) {
    for (const std::size_t s : group.slots)
      group.queries.insert(group.queries.end(), plan_.slot(s).vector, plan_.slot(s).vector + d);
  }
  const FlatRows& rows = plan_.request().segments[group.segment].rows;
  auto prefetch = [&](std::size_t i) {
    const float* vector = rows.vectors.address(group.rows[i] * d);
    for (std::size_t c = 0; c < d; c += line) __builtin_prefetch(vector + c, 0, 2);
  };
  for (std::size_t i = 0; i < std::min(ahead, n); ++i) prefetch(i);
  buffer.vectors.resize(std::max(buffer.vectors.size(), n * d));
  for (std::size_t i = 0; i < n; ++i) {
    if (i + ahead < n) prefetch(i + ahead);
    std::memcpy(&buffer.vectors[i * d], rows.vectors_at(group.rows[i]), d * sizeof(float));
  }
  buffer.products.resize(std::max(buffer.products.size(), count * n));
  kernels_.block({group.queries.data(), count, d}, {buffer.vectors.data(), n, d}, d,
                 buffer.products.data(), n);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t s = group.slots[i];
    const QuerySlot& slot = plan_.slot(s);
    select_listed(plan_.scorer(slot, group.segment), {&buffer.products[i * n], n},
                  group.rows.data(), {(*group.collectors)[slot.q], thresholds_.kth(s)});
    (*buffer.rescored)[s] += static_cast<double>(n);
  }
  group.rows.clear();
}

}  // namespace asof::vector
