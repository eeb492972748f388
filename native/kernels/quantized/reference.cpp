// Scalar reference implementation. One pair at a time, from the definition of the layout.
#include <bit>
#include <cstring>

#include "kernels/quantized/contract.hpp"

namespace asof::quantized::reference {

static float product_of(const Rows& rows, const Queries& queries, std::size_t query,
                        std::size_t row) {
  const std::size_t tile_count = tiles(rows.storage, rows.d);
  const std::uint8_t* panel =
      rows.panels + row / panel_rows * panel_bytes(rows.storage, rows.d) + row % panel_rows * 4;
  std::int32_t whole = 0;
  float sum = 0;
  for (std::size_t group = 0; group < tile_count * tile_lines; ++group) {
    const std::size_t tile = query / panel_rows * tile_count + group / tile_lines;
    const std::uint8_t* q = queries.tiles + tile * tile_bytes + query % panel_rows * line_bytes +
                            group % tile_lines * 4;
    const std::uint8_t* r = panel + group * line_bytes;
    if (rows.storage == Storage::int8) {
      for (int c = 0; c < 4; ++c)
        whole += static_cast<std::int8_t>(q[c]) * static_cast<std::int8_t>(r[c]);
      continue;
    }
    for (int c = 0; c < 4; c += 2) {
      std::uint16_t two[2];
      std::memcpy(&two[0], q + c, 2);
      std::memcpy(&two[1], r + c, 2);
      sum += std::bit_cast<float>(static_cast<std::uint32_t>(two[0]) << 16) *
             std::bit_cast<float>(static_cast<std::uint32_t>(two[1]) << 16);
    }
  }
  if (rows.storage == Storage::bf16) return sum;
  return static_cast<float>(whole) * rows.records[row / panel_rows].scale[row % panel_rows] *
         queries.scale[query];
}

static void products(const Rows& rows, const Queries& queries, PanelRange range, float* out,
                     std::size_t ldo) {
  const std::size_t first = range.first * panel_rows;
  for (std::size_t i = 0; i < queries.nq; ++i) {
    for (std::size_t r = first; r < range.last * panel_rows && r < rows.n; ++r)
      out[i * ldo + r - first] = product_of(rows, queries, i, r);
  }
}

static void survivors(const Rows& rows, const Queries& queries, const Scan& scan) {
  constexpr std::size_t room = 256;
  PanelSurvivor candidates[room];
  std::size_t count = 0;
  for (std::size_t r = scan.first_panel * panel_rows;
       r < scan.last_panel * panel_rows && r < rows.n; ++r) {
    if (scan.rows != nullptr && (scan.rows[r / 64] >> (r % 64) & 1) == 0) continue;
    const PanelRecord& record = rows.records[r / panel_rows];
    for (std::size_t i = 0; i < queries.nq; ++i) {
      const float product = product_of(rows, queries, i, r);
      const float error = queries.alpha[i] * record.error[r % panel_rows] +
                          queries.beta[i] * record.length[r % panel_rows] + queries.omega[i];
      const float upper = product + error;
      if (biased_bound(scan, i, r, upper) < scan.thresholds[i]) continue;
      candidates[count++] = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(r), product,
                             upper};
      if (count < room) continue;
      scan.take(scan.context, candidates, count);
      count = 0;
    }
  }
  if (count > 0) scan.take(scan.context, candidates, count);
}

const Kernels kernels = {products, survivors};

}  // namespace asof::quantized::reference

ASOF_DISPATCH_EXTENDED(quantized)
