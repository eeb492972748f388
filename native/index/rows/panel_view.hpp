// Borrowed panels: quantized copies of vectors in the order that block kernels read
// (kernels/quantized), with records that bound the error of their inner products.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "kernels/quantized/contract.hpp"

// Row r is row r % 16 of panel r / 16, so scopes stay contiguous ranges of rows; a scan that begins
// or ends within a panel excludes rows of other scopes by its tile bitmap. Padding rows of the last
// panel are never read.

namespace asof {

/// The type of a corpus's panels; none: f32 vectors alone.
using Storage = std::optional<quantized::Storage>;

struct Panels {
  quantized::Storage storage = quantized::Storage::int8;
  std::span<const std::uint8_t> bytes;              // ceil(R / 16) * panel_bytes
  std::span<const quantized::PanelRecord> records;  // ceil(R / 16)
  std::span<const float> centre;                    // d, of int4 alone
};

}  // namespace asof
