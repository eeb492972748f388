// Packing of slots, and kernel calls by panel storage.
#include "index/vector/quantized_scan/packed_queries.hpp"

#include <algorithm>

#include "core/threads.hpp"

namespace asof::vector {
namespace {

quantized::Queries part_of(const quantized::Queries& all, SlotRange slots) {
  const std::size_t bytes =
      slots.first * quantized::tiles(all.storage, all.d) * quantized::line_bytes;
  quantized::Queries part = all;
  part.nq = slots.count;
  part.tiles += bytes;
  part.words += bytes / 2;  // twice the bytes of the tiles
  for (const float** list : {&part.scale, &part.alpha, &part.beta, &part.omega})
    *list += slots.first;
  part.offset += slots.first;
  return part;
}

}  // namespace

PackedQueries::PackedQueries(const Request& request, std::span<const float> vectors,
                             bool on_the_fly)
    : request_(&request), count_(vectors.size() / request.dimensions) {
  shifts_.resize(request.segments.size());
  for (std::size_t s = 0; s < request.segments.size(); ++s) {
    const auto& panels = request.segments[s].rows.panels;
    if (!panels && !on_the_fly) continue;
    const quantized::Storage storage = on_the_fly ? quantized::Storage::int8 : panels->storage;
    if (storage == quantized::Storage::int4)
      pack_int4(s, vectors);
    else if (!blocks_[static_cast<std::size_t>(storage)])
      pack(storage, vectors);
  }
  if (request.exactness == Exactness::certified) return;
  // Inexact scans compare products without their error bounds. An infinite error still counts; a
  // denormal factor would be a hundred times slower.
  const std::size_t padded = quantized::panels(count_) * quantized::panel_rows;
  no_error_.assign(2 * padded, 0);
  std::fill_n(no_error_.begin(), padded, 0x1p-60f);
}

void PackedQueries::pack(quantized::Storage storage, std::span<const float> vectors) {
  constexpr std::size_t piece = 32;  // packing fewer takes no longer than waking a thread
  const std::size_t d = request_->dimensions;
  quantized::QueryBlock& block =
      blocks_[static_cast<std::size_t>(storage)].emplace(storage, count_, d);
  parallel_for((count_ + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
    block.pack(vectors.data(), d, p * piece, std::min(piece, count_ - p * piece));
  });
}

void PackedQueries::pack_int4(std::size_t segment, std::span<const float> vectors) {
  const std::size_t d = request_->dimensions;
  if (!int4_block_) int4_block_.emplace(vectors.data(), count_, d, d);
  shifts_[segment] =
      int4_block_->shifts(vectors.data(), d, request_->segments[segment].rows.panels->centre);
}

quantized::Queries PackedQueries::view(quantized::Storage storage) const {
  quantized::Queries all = blocks_[static_cast<std::size_t>(storage)]->view();
  if (!no_error_.empty()) {
    all.alpha = no_error_.data();
    all.beta = no_error_.data() + no_error_.size() / 2;
  }
  return all;
}

void PackedQueries::survivors(const PanelRange& panels, SlotRange slots,
                              const quantized::Scan& scan) const {
  if (panels.rows.storage == quantized::Storage::int4)
    survivors_int4(panels, slots, scan);
  else
    quantized_->survivors(panels.rows, part_of(view(panels.rows.storage), slots), scan);
}

void PackedQueries::survivors_int4(const PanelRange& panels, SlotRange slots,
                                   const quantized::Scan& scan) const {
  const Panels& matrix = *request_->segments[panels.segment].rows.panels;
  const int4::Rows rows{panels.rows.n,       request_->dimensions, matrix.bytes.data(),
                        panels.rows.records, panels.first_panel,   matrix.records.size()};
  const int4::Queries queries =
      int4_block_->view(shifts_[panels.segment], slots.first, slots.count);
  if (slots.count < int4::many_queries)
    int4_->survivors(rows, queries, scan);
  else
    int4::survivors_of_whole(*int4_, *quantized_, rows, queries, scan);
}

}  // namespace asof::vector
