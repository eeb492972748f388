// Offsets of the two planes of int4 blocks. Inlined: included by sources compiled once per level.
#pragma once

#include "kernels/int4/contract.hpp"

namespace asof::int4 {
namespace {

/// The first plane of panel p of `rows`.
__attribute__((always_inline)) inline const std::uint8_t* first_plane(const Rows& rows,
                                                                      std::size_t p) {
  const std::size_t panel = rows.first + p, block = panel / block_panels * block_panels;
  return rows.bytes + (2 * block + panel - block) * 512 * units(rows.d);
}

/// The second plane of row r of `rows`.
__attribute__((always_inline)) inline const std::uint8_t* second_plane(const Rows& rows,
                                                                       std::size_t r) {
  const std::size_t panel = rows.first + r / panel_rows,
                    block = panel / block_panels * block_panels;
  const std::size_t block_size = rows.all - block < block_panels ? rows.all - block : block_panels;
  return rows.bytes + (2 * block + block_size + panel - block) * 512 * units(rows.d) +
         r % panel_rows * 32 * units(rows.d);
}

/// The record of a panel for products by both planes.
__attribute__((always_inline)) inline void whole_record(const PanelRecord& from, PanelRecord& to) {
  constexpr float largest = 3.402823466e38f;
  float most_error = 0, most_length = 0;
  for (std::size_t r = 0; r < panel_rows; ++r) {
    const float fine = from.fine_error * from.scale[r],
                error = from.error[r] > largest ? from.error[r] : fine,
                length = from.fine_length * from.length[r];
    to.scale[r] = from.scale[r];
    to.error[r] = error;
    to.length[r] = length;
    most_error = error > most_error ? error : most_error;
    most_length = length > most_length ? length : most_length;
  }
  to.most_error = most_error;
  to.most_length = most_length;
}

}  // namespace
}  // namespace asof::int4
