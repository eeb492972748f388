// Scalar reference implementation. One pair at a time, from the definition of the layout.
#include <limits>

#include "kernels/int4/layout.hpp"

namespace asof::int4::reference {
namespace {

/// The sums of a query's integers times u, and times w.
struct Sums {
  std::int32_t first = 0, second = 0;
};

Sums sums_of(const Rows& rows, const Queries& queries, std::size_t query, std::size_t row) {
  const std::size_t tiles = units(rows.d), place = row % panel_rows;
  const std::uint8_t *first = first_plane(rows, row / panel_rows),
                     *second = second_plane(rows, row);
  Sums sums;
  for (std::size_t c = 0; c < tiles * 64; ++c) {
    const std::size_t tile = query / panel_rows * tiles + c / 64;
    const auto q =
        static_cast<std::int8_t>(queries.tiles[tile * 1024 + query % panel_rows * 64 + c % 64]);
    sums.first += q * (first[c / 8 * 64 + place * 4 + c % 4] >> (c % 8 / 4 * 4) & 15);
    sums.second += q * (second[c / 64 * 32 + c % 32] >> (c % 64 / 32 * 4) & 15);
  }
  return sums;
}

float product_of(const Rows& rows, const Queries& queries, std::size_t query, std::size_t row,
                 Sums sums) {
  const std::int32_t whole = 16 * (sums.first - 8 * queries.sum[query]) + sums.second;
  return queries.shift[query] + static_cast<float>(whole) *
                                    rows.records[row / panel_rows].scale[row % panel_rows] *
                                    queries.scale[query];
}

void products(const Rows& rows, const Queries& queries, PanelRange range, float* out,
              std::size_t ldo) {
  const std::size_t first = range.first * panel_rows;
  for (std::size_t i = 0; i < queries.nq; ++i) {
    for (std::size_t r = first; r < range.last * panel_rows && r < rows.n; ++r) {
      out[i * ldo + r - first] = product_of(rows, queries, i, r, sums_of(rows, queries, i, r));
    }
  }
}

void survivors(const Rows& rows, const Queries& queries, const Scan& scan) {
  constexpr float largest = std::numeric_limits<float>::max();
  for (std::size_t r = scan.first_panel * panel_rows;
       r < scan.last_panel * panel_rows && r < rows.n; ++r) {
    if (scan.rows != nullptr && (scan.rows[r / 64] >> (r % 64) & 1) == 0) continue;
    const PanelRecord& record = rows.records[r / panel_rows];
    const std::size_t place = r % panel_rows;
    const float scale = record.scale[place], error = record.error[place],
                length = record.length[place];
    for (std::size_t i = 0; i < queries.nq; ++i) {
      const Sums sums = sums_of(rows, queries, i, r);
      const std::int32_t halves =
          static_cast<std::int32_t>(32u * static_cast<std::uint32_t>(sums.first) -
                                    241u * static_cast<std::uint32_t>(queries.sum[i]));
      const float first_product =
          queries.shift[i] + static_cast<float>(halves) * scale * (queries.scale[i] * 0.5f);
      const float first_upper =
          first_product + (queries.alpha[i] * error + queries.beta[i] * length + queries.omega[i]);
      if (quantized::biased_bound(scan, i, r, first_upper) < scan.thresholds[i]) continue;
      const float fine = error > largest ? error : record.fine_error * scale;
      const float product = product_of(rows, queries, i, r, sums);
      const float upper =
          product + (queries.alpha[i] * fine + queries.beta[i] * (record.fine_length * length) +
                     queries.omega[i]);
      if (quantized::biased_bound(scan, i, r, upper) < scan.thresholds[i]) continue;
      const PanelSurvivor candidate = {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(r),
                                       product, upper};
      scan.take(scan.context, &candidate, 1);
    }
  }
}

void unpack(const Rows& rows, std::size_t first_panel, std::size_t last_panel, std::uint8_t* out,
            PanelRecord* records) {
  for (std::size_t panel = first_panel; panel < last_panel;
       ++panel, out += panel_bytes(rows.d), ++records) {
    const std::uint8_t* first = first_plane(rows, panel);
    for (std::size_t place = 0; place < panel_rows; ++place) {
      const std::uint8_t* second = second_plane(rows, panel * panel_rows + place);
      for (std::size_t c = 0; c < units(rows.d) * 64; ++c) {
        const int u = first[c / 8 * 64 + place * 4 + c % 4] >> (c % 8 / 4 * 4) & 15,
                  w = second[c / 64 * 32 + c % 32] >> (c % 64 / 32 * 4) & 15;
        out[c / 4 * 64 + place * 4 + c % 4] = static_cast<std::uint8_t>(16 * (u - 8) + w);
      }
    }
    whole_record(rows.records[panel], *records);
  }
}

}  // namespace

const Kernels kernels = {products, survivors, unpack};

}  // namespace asof::int4::reference

ASOF_DISPATCH_EXTENDED(int4)
