// See resident.hpp.
#include "cuda/search/resident.hpp"

namespace asof::cuda {
namespace {

/// So much stays free for what a search itself needs.
constexpr std::size_t search_share = 4;

ResidentClock clock_of(Device& device, const ClockData& data, std::size_t rows) {
  ResidentClock clock;
  clock.encoding = {data.unit_ms, data.origin_ms};
  if (data.start == nullptr) return clock;
  if (data.wide != 0) {
    clock.start64 = device.uploaded(static_cast<const std::int64_t*>(data.start), data.times, "clocks");
    if (data.end != nullptr) clock.end64 = device.uploaded(static_cast<const std::int64_t*>(data.end), data.times, "clocks");
  } else {
    clock.start32 = device.uploaded(static_cast<const std::int32_t*>(data.start), data.times, "clocks");
    if (data.end != nullptr) clock.end32 = device.uploaded(static_cast<const std::int32_t*>(data.end), data.times, "clocks");
  }
  if (data.offset != nullptr) clock.offset = device.uploaded(data.offset, rows + 1, "clocks");
  return clock;
}

}  // namespace

candidates::Clock ResidentClock::view() const {
  return {{encoding, start32.view(), end32.view(), offset.view(), {}}, {encoding, start64.view(), end64.view(), offset.view(), {}}};
}

Resident::Resident(Device& device, const SegmentData& data) : device(device), data(data) {
  if (data.rows > quantized::most_rows || data.dimensions == 0 || data.dimensions > quantized::most_dimensions) {
    throw Refusal(Cause::argument, "Expected up to " + std::to_string(quantized::most_rows) + " rows of 1 to 65536 dimensions, received " +
                                       std::to_string(data.rows) + " of " + std::to_string(data.dimensions) + ".");
  }
  device.use();
  rows = static_cast<std::uint32_t>(data.rows);
  passages = static_cast<std::uint32_t>(data.passages);
  tiles = static_cast<std::uint32_t>(quantized::tiles(static_cast<quantized::Storage>(data.storage), data.dimensions));
  row_passage = device.uploaded(data.row_passage, rows, "rows");
  published = clock_of(device, data.published, rows);
  validity = clock_of(device, data.validity, rows);
  content = clock_of(device, data.content, rows);
  const std::size_t count = quantized::panels(rows), bytes = count * (panel_bytes() + sizeof(quantized::PanelRecord));
  const std::size_t room = device.memory.left() - device.memory.left() / search_share;
  if (bytes <= room) {
    records = device.uploaded(static_cast<const quantized::PanelRecord*>(data.records), count, "panels");
    panels = device.uploaded(data.panels, count * panel_bytes(), "panels");
    const std::size_t values = std::size_t(rows) * data.dimensions;
    if (values * sizeof(float) <= room - bytes) vectors = device.uploaded(data.vectors, values, "vectors");
  }
  device.finish();
}

}  // namespace asof::cuda
