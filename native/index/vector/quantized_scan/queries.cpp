// The queries of the slots as panels want them, packed for every storage that a segment has; and
// the scan of segments whose rows are in two planes of four bits, of which few queries read one of
// every row, and many have rows put together. See coarse.hpp.
#include "core/threads.hpp"
#include "index/vector/quantized_scan/call.hpp"

namespace asof::vector {

void Coarse::pack_queries() {
  constexpr std::size_t piece = 32;  // packing fewer takes no longer than to wake a thread
  for (auto& block : blocks_) block.reset();
  nibble_block_.reset();
  shifts_.assign(request_.segments.size(), {});
  const std::size_t d = request_.dimensions, count = slots_.size();
  std::vector<float> vectors;
  vectors.reserve(count * d);
  for (const Slot& slot : slots_) vectors.insert(vectors.end(), vector(slot.q), vector(slot.q) + d);
  for (const SearchSegment& segment : request_.segments) {
    if (!segment.rows.panels && !makes_) continue;
    const quantized::Storage storage =
        makes_ ? quantized::Storage::int8 : segment.rows.panels->storage;
    if (storage == quantized::Storage::int4) {
      open_planes(segment, vectors);
    } else if (auto& block = blocks_[static_cast<std::size_t>(storage)]; !block) {
      block.emplace(storage, count, d);
      parallel_for((count + piece - 1) / piece, 0, [&](std::size_t p, std::size_t) {
        block->pack(vectors.data(), d, p * piece, std::min(piece, count - p * piece));
      });
    }
  }
}

void Coarse::open_planes(const SearchSegment& segment, std::span<const float> vectors) {
  const std::size_t d = request_.dimensions;
  if (!nibble_block_) nibble_block_.emplace(vectors.data(), slots_.size(), d, d);
  shifts_[static_cast<std::size_t>(&segment - request_.segments.data())] =
      nibble_block_->shifts(vectors.data(), d, segment.rows.panels->centre);
}

void Coarse::multiply_planes(const Call& call, const int4::Rows& rows, std::size_t first,
                             std::size_t count, const quantized::Scan& scan) const {
  const int4::Queries queries = nibble_block_->view(shifts_[call.segment], first, count);
  if (count < int4::many_queries)
    nibbles_.survivors(rows, queries, scan);
  else
    int4::survivors_of_whole(nibbles_, quantized_, rows, queries, scan);
}

}  // namespace asof::vector
