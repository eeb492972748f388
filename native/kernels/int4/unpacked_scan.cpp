// Scan of many queries over rows reassembled into int8 panels, some panels at a time that stay in
// the second-level cache.
#include <cmath>
#include <limits>

#include "kernels/int4/contract.hpp"

namespace asof::int4 {
namespace {

constexpr std::size_t stretch_bytes = 256 * 1024;

struct alignas(quantized::line_bytes) Line {
  std::uint8_t bytes[quantized::line_bytes];
};

/// Room of a thread, kept from call to call.
struct Room {
  std::vector<Line> panels;
  std::vector<PanelRecord> records;
  std::vector<float> thresholds;
  std::vector<PanelSurvivor> survivors;
};

/// A scan of whole rows: thresholds are less each query's shift, and survivors get it back.
struct Whole {
  const Queries& queries;
  const Scan& scan;
  Room& room;
  std::size_t first_row = 0;

  /// A little below, so that no row is lost to the roundings of its sum with the shift: they are a
  /// few 2^-24 of threshold, shift and error, and the queries' bounds are wider by 2^-18.
  void read_thresholds() {
    constexpr double largest = std::numeric_limits<float>::max();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (std::size_t q = 0; q < queries.nq; ++q) {
      const double threshold = static_cast<double>(scan.thresholds[q]),
                   shift = static_cast<double>(queries.shift[q]);
      const double less =
          threshold - shift - (std::abs(threshold) + std::abs(shift)) * 0x1p-20 - 0x1p-120;
      room.thresholds[q] = threshold > largest || less > largest ? infinity
                           : less >= -largest                    ? static_cast<float>(less)
                                                                 : -infinity;
    }
  }

  void take(const PanelSurvivor* candidates, std::size_t count) {
    room.survivors.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const PanelSurvivor& each = candidates[i];
      const PanelRecord& record = room.records[each.row / panel_rows];
      const std::size_t q = each.query, place = each.row % panel_rows;
      const float product = queries.shift[q] + each.product;
      const float upper = product + (queries.alpha[q] * record.error[place] +
                                     queries.beta[q] * record.length[place] + queries.omega[q]);
      if (upper < scan.thresholds[q]) continue;
      room.survivors.push_back(
          {each.query, static_cast<std::uint32_t>(first_row + each.row), product, upper});
    }
    if (room.survivors.empty()) return;
    scan.take(scan.context, room.survivors.data(), room.survivors.size());
    read_thresholds();
  }
};

}  // namespace

void survivors_of_whole(const Kernels& kernels, const quantized::Kernels& whole, const Rows& rows,
                        const Queries& queries, const Scan& scan) {
  const std::size_t last = scan.last_panel < panels(rows.n) ? scan.last_panel : panels(rows.n),
                    bytes = panel_bytes(rows.d);
  const std::size_t stretch =
      (stretch_bytes / bytes + 4) / 4 * 4;  // panels: whole words of the bitmap
  static thread_local Room room;
  room.panels.resize(stretch * bytes / quantized::line_bytes);
  room.records.resize(stretch);
  room.thresholds.resize(queries.nq);
  Whole own{queries, scan, room};
  own.read_thresholds();
  std::uint8_t* const out = reinterpret_cast<std::uint8_t*>(room.panels.data());
  for (std::size_t from = scan.first_panel / 4 * 4; from < last; from += stretch) {
    const std::size_t to = from + stretch < last ? from + stretch : last,
                      first = from < scan.first_panel ? scan.first_panel : from;
    own.first_row = from * panel_rows;
    kernels.unpack(rows, from, to, out, room.records.data());
    const quantized::Rows given{
        quantized::Storage::int8,
        (to * panel_rows < rows.n ? to * panel_rows : rows.n) - own.first_row, rows.d, out,
        room.records.data()};
    const Scan part{first - from,
                    to - from,
                    room.thresholds.data(),
                    scan.rows == nullptr ? nullptr : scan.rows + own.first_row / 64,
                    [](void* context, const PanelSurvivor* candidates, std::size_t count) {
                      static_cast<Whole*>(context)->take(candidates, count);
                    },
                    &own};
    whole.survivors(given, queries.whole, part);
  }
}

}  // namespace asof::int4
