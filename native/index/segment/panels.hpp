// Scalar quantization: packing of vectors to panels (index/rows/panel_view.hpp), and the panel
// sections of segments.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/cancel.hpp"
#include "core/huge_pages.hpp"
#include "index/rows/panel_view.hpp"
#include "index/segment/segment.hpp"
#include "kernels/int4/contract.hpp"

namespace asof {

class SegmentWriter;

/// "f32", "bf16", "int8" or "int4"; throws ERR_INVALID_ARGUMENT for anything else.
Storage storage_named(std::string_view name);

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

/// The panels of a file of `rows` vectors of d components, if it has any. Throws ERR_CORPUS_CORRUPT
/// unless they are of that many rows.
std::optional<Panels> view_panels(const Segment& segment, std::size_t rows, std::size_t dimensions);

/// Records as a file holds them.
std::span<const float> record_floats(std::span<const quantized::PanelRecord> records);

/// The names of a file's sections of panels and of their records.
const char* panels_section(quantized::Storage storage);

/// Appends panels of the writer's vectors, reading them back a piece at a time; none without
/// `storage`.
void append_panels(SegmentWriter& writer, std::size_t rows, std::size_t dimensions, Storage storage,
                   const Cancel& cancel);

}  // namespace asof
