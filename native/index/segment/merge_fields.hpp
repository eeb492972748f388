// Fields of a merged segment.
#pragma once

#include "core/cancel.hpp"
#include "index/segment/field_columns.hpp"
#include "index/segment/segment_writer.hpp"

namespace asof::fields {

/// A passage of one of the merged segments.
struct Place {
  std::uint32_t source, number;
};

/// Writes the fields of several segments as one's: `passages` are its passages in order, and
/// `new_passages[s]` the number of each passage of segment s, or 2^32 - 1. Throws
/// ERR_CORPUS_CORRUPT where a segment has other fields than the first.
void write_merged(SegmentWriter& writer, std::span<const Segment* const> segments,
                  std::span<const Place> passages,
                  std::span<const std::vector<std::uint32_t>> new_passages, const Cancel& cancel);

}  // namespace asof::fields
