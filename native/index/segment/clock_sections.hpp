// Clock sections of a segment from row times in milliseconds: tick encodings, packed columns and
// min/max summaries of blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/segment/segment.hpp"

namespace asof {

/// R rows' clocks in UTC epoch milliseconds. NaN is absent, infinities are open ends; a row has
/// both ends of its validity or neither.
struct RowClocks {
  std::span<const double> published, valid_start, valid_end;  // R each
  std::span<const std::uint32_t> content_offset;              // R + 1, ascending from 0
  std::span<const double> content_start, content_end;         // content_offset[R] each
  std::span<const std::uint8_t> content_granularity;          // the same
};

/// A section that owns its bytes.
struct PackedSection {
  std::string name;
  Element element;
  std::uint64_t count;
  std::vector<std::byte> bytes;
};

/// All sections named clock.* and blocks.* of the schema.
std::vector<PackedSection> pack_clock_sections(const RowClocks& clocks);

}  // namespace asof
