// Biases of rows (contract.hpp) per level.
#pragma once

#include "core/lanes.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::ASOF_LEVEL {
namespace {

ASOF_INLINE Lanes absolute(Lanes value) {
  return reinterpret_cast<Lanes>(reinterpret_cast<Masks>(value) & 0x7fffffff);
}

/// Those of a panel's rows, of n in all; `piece` of its vectors.
ASOF_INLINE Lanes bias_of_rows(const ::asof::quantized::Scan& scan, std::size_t n,
                               std::size_t panel, std::size_t piece) {
  const std::size_t row = panel * ::asof::quantized::panel_rows + piece * width;
  return row + width <= n ? load(scan.row_bias + row)
         : row < n        ? load_first(scan.row_bias + row, n - row)
                          : Lanes{};
}

/// The bound that is compared with the threshold; `more` is the weighted bias.
ASOF_INLINE Lanes with_bias(Lanes upper, Lanes more) {
  return (upper + more) + (absolute(upper) + absolute(more)) * spread(0x1p-22f);
}

}  // namespace
}  // namespace asof::ASOF_LEVEL
