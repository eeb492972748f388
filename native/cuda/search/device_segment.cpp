// See device_segment.hpp.
#include "cuda/search/device_segment.hpp"

#include <bit>

#include "cuda/kernels/candidates/sample.hpp"
#include "cuda/search/multiply.hpp"

namespace asof::cuda {
namespace {

/// 1 / search_share of the free memory is left to searches.
constexpr std::size_t search_share = 4;
constexpr std::uint32_t group_rows = 64, min_sample_groups = 8, max_sample_groups = 2048,
                        sample_share = 32;

/// `value` with its lowest `bits` bits in reverse order.
std::uint32_t reversed(std::uint32_t value, unsigned bits) {
  std::uint32_t out = 0;
  for (unsigned bit = 0; bit < bits; ++bit) out |= (value >> bit & 1) << (bits - 1 - bit);
  return out;
}

DeviceClock clock_of(Device& device, const ClockData& data, std::size_t rows) {
  DeviceClock clock;
  clock.encoding = {data.unit_ms, data.origin_ms};
  if (data.start == nullptr) return clock;
  if (data.wide != 0) {
    clock.start64 =
        device.upload_copy(static_cast<const std::int64_t*>(data.start), data.times, "clocks");
    if (data.end != nullptr)
      clock.end64 =
          device.upload_copy(static_cast<const std::int64_t*>(data.end), data.times, "clocks");
  } else {
    clock.start32 =
        device.upload_copy(static_cast<const std::int32_t*>(data.start), data.times, "clocks");
    if (data.end != nullptr)
      clock.end32 =
          device.upload_copy(static_cast<const std::int32_t*>(data.end), data.times, "clocks");
  }
  if (data.offset != nullptr) clock.offset = device.upload_copy(data.offset, rows + 1, "clocks");
  return clock;
}

}  // namespace

candidates::Clock DeviceClock::view() const {
  return {{encoding, start32.view(), end32.view(), offset.view(), {}},
          {encoding, start64.view(), end64.view(), offset.view(), {}}};
}

void compute_lengths(Device& device, const float* vectors, std::uint32_t count,
                     std::uint32_t dimensions, float* lengths) {
  if (count == 0) return;
  constexpr std::uint32_t warps = products::float_threads / warp_lanes;
  const Launch how{dim3((count + warps - 1) / warps), dim3(products::float_threads), 0,
                   device.stream};
  check(launch(how, products::measure, vectors, count, dimensions, lengths), "to measure rows");
}

void DeviceSegment::load_panels(std::size_t room) {
  const std::size_t count = quantized::panels(rows),
                    bytes = count * (panel_bytes() + sizeof(quantized::PanelRecord));
  if (bytes > room) return;
  records =
      device.upload_copy(static_cast<const quantized::PanelRecord*>(data.records), count, "panels");
  panels = device.upload_copy(data.panels, count * panel_bytes(), "panels");
  swizzle(panels.get(), panels.size(), device.stream);
  const std::size_t values = std::size_t(rows) * dimensions;
  if (values * sizeof(float) <= room - bytes)
    vectors = device.upload_copy(data.vectors, values, "vectors");
}

void DeviceSegment::load_sample() {
  const std::uint32_t whole_groups = rows / group_rows,
                      count =
                          std::bit_floor(std::min(whole_groups / sample_share, max_sample_groups));
  const std::size_t group_panels = group_rows / quantized::panel_rows,
                    panel_count = count * group_panels;
  const std::size_t bytes = panel_count * (panel_bytes() + sizeof(quantized::PanelRecord));
  if (panels.size() == 0 || count < min_sample_groups || bytes > device.memory.available() / 16)
    return;
  std::vector<std::uint32_t> groups(count);
  // In the middle of equal intervals, in bit-reversed order.
  const unsigned bits = static_cast<unsigned>(std::bit_width(count)) - 1;
  for (std::uint32_t g = 0; g < count; ++g)
    groups[g] = static_cast<std::uint32_t>((std::uint64_t(reversed(g, bits)) * 2 + 1) *
                                           whole_groups / (2 * count));
  sample.groups = device.upload_copy(groups.data(), count, "a sample");
  sample.panels = Buffer<std::uint8_t>(device.memory, panel_count * panel_bytes(), "a sample");
  sample.records = Buffer<quantized::PanelRecord>(device.memory, panel_count, "a sample");
  const auto gather = [&](const void* from, std::size_t bytes, void* to) {
    const std::uint32_t chunks = static_cast<std::uint32_t>(group_panels * bytes / sizeof(Chunk16));
    const Launch how{dim3(count), dim3(candidates::sample_threads), 0, device.stream};
    check(launch(how, candidates::sample, static_cast<const Chunk16*>(from), sample.groups.get(),
                 chunks, static_cast<Chunk16*>(to)),
          "to take a sample");
  };
  gather(panels.get(), panel_bytes(), sample.panels.get());
  gather(records.get(), sizeof(quantized::PanelRecord), sample.records.get());
  sample.rows = count * group_rows;
}

void DeviceSegment::load_vectors(std::size_t room) {
  const std::size_t values = std::size_t(rows) * dimensions;
  if ((values + rows) * sizeof(float) > room) return;
  vectors = device.upload_copy(data.vectors, values, "vectors");
  lengths = Buffer<float>(device.memory, rows, "vectors");
  compute_lengths(device, vectors.get(), rows, dimensions, lengths.get());
}

DeviceSegment::DeviceSegment(Device& device, const SegmentData& data) : device(device), data(data) {
  if (data.rows > quantized::most_rows || data.dimensions == 0 ||
      data.dimensions > quantized::most_dimensions) {
    throw DeviceError(Cause::argument, "Expected up to " + std::to_string(quantized::most_rows) +
                                           " rows of 1 to 65536 dimensions, received " +
                                           std::to_string(data.rows) + " of " +
                                           std::to_string(data.dimensions) + ".");
  }
  if (data.storage != VectorStorage::f32 && data.storage != VectorStorage::bf16 &&
      data.storage != VectorStorage::int8) {
    throw DeviceError(Cause::argument,
                      "Expected vectors stored as bf16, int8 or f32, received number " +
                          std::to_string(static_cast<std::uint32_t>(data.storage)) + ".");
  }
  rows = static_cast<std::uint32_t>(data.rows);
  passages = static_cast<std::uint32_t>(data.passages);
  dimensions = static_cast<std::uint32_t>(data.dimensions);
  tiles = data.storage == VectorStorage::f32
              ? 0
              : static_cast<std::uint32_t>(quantized::tiles(storage(), data.dimensions));
  if (tiles > 0 && pass_queries(device, quantized::panel_rows, tiles) == 0) tiles = 0;
  row_passage = device.upload_copy(data.row_passage, rows, "rows");
  published = clock_of(device, data.published, rows);
  validity = clock_of(device, data.validity, rows);
  content = clock_of(device, data.content, rows);
  const std::size_t room = device.memory.available() - device.memory.available() / search_share;
  if (has_panels())
    load_panels(room);
  else
    load_vectors(room);
  load_sample();
  device.finish();
}

}  // namespace asof::cuda
