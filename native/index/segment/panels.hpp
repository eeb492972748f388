// Panels of a segment's vectors: quantized copies in the order that block kernels read
// (kernels/quantized), with records that bound the error of their inner products.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/cancel.hpp"
#include "core/huge_pages.hpp"
#include "index/segment/segment.hpp"
#include "kernels/int4/contract.hpp"

// Row r is row r % 16 of panel r / 16, so scopes stay contiguous ranges of rows; a scan that begins
// or ends within a panel excludes rows of other scopes by its tile bitmap. Padding rows of the last
// panel are never read.

namespace asof {

class SegmentWriter;

/// In what type a corpus's vectors stand a second time: none (f32), or one of the kernels' kinds.
using Storage = std::optional<quantized::Storage>;

/// "f32", "bf16", "int8" or "int4"; throws ERR_INVALID_ARGUMENT for anything else.
Storage storage_named(std::string_view name);

struct Panels {
  quantized::Storage storage = quantized::Storage::int8;
  std::span<const std::uint8_t> bytes;              // ceil(R / 16) * panel_bytes
  std::span<const quantized::PanelRecord> records;  // ceil(R / 16)
  std::span<const float> centre;                    // d, of int4 alone
};

struct PackedPanels {
  quantized::Storage storage = quantized::Storage::int8;
  HugePageVector<std::uint8_t> bytes;
  HugePageVector<quantized::PanelRecord> records;
  std::vector<float> centre;
  Panels view() const { return {storage, bytes, records, centre}; }
};

/// Of vectors of d components each, on all threads.
PackedPanels pack_panels(std::span<const float> vectors, std::size_t dimensions,
                         quantized::Storage storage, const Cancel& cancel);

/// The panels of a file of `rows` vectors of d components, none where it has none. Throws
/// ERR_CORPUS_CORRUPT where they are not of that many rows.
std::optional<Panels> view_panels(const Segment& segment, std::size_t rows, std::size_t dimensions);

/// Records as a file holds them.
std::span<const float> record_floats(std::span<const quantized::PanelRecord> records);

/// The names of a file's sections of panels and of their records.
const char* panels_section(quantized::Storage storage);

/// Appends the panels of the vectors that the writer has written, reading them back a piece at a
/// time; nothing where `storage` is none.
void append_panels(SegmentWriter& writer, std::size_t rows, std::size_t dimensions, Storage storage,
                   const Cancel& cancel);

}  // namespace asof
