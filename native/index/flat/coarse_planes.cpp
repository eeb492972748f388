// Segments whose rows are in two planes of four bits: few queries read one of every row, many have rows put together. See coarse.hpp.
#include "index/flat/coarse_call.hpp"

namespace asof::flat {

void Coarse::open_planes(const SearchSegment& segment, std::span<const float> vectors) {
  const std::size_t d = request_.dimensions;
  if (!nibble_block_) nibble_block_.emplace(vectors.data(), slots_.size(), d, d);
  shifts_[static_cast<std::size_t>(&segment - request_.segments.data())] = nibble_block_->shifts(vectors.data(), d, segment.rows.panels->centre);
}

void Coarse::multiply_planes(const Call& call, const nibbles::Rows& rows, std::size_t first, std::size_t count, const quantized::Scan& scan) const {
  const nibbles::Queries queries = nibble_block_->view(shifts_[call.segment], first, count);
  if (count < nibbles::many_queries) nibbles_.survivors(rows, queries, scan);
  else nibbles::survivors_of_whole(nibbles_, quantized_, rows, queries, scan);
}

}  // namespace asof::flat
