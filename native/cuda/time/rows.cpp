// See rows.hpp.
#include "cuda/time/rows.hpp"

#include <algorithm>

#include "cuda/kernels/time/rows.hpp"

namespace asof::cuda {
namespace {

constexpr std::size_t max_chunk_bytes = std::size_t(64) << 20;

/// Rows of a chunk, if each takes `row_bytes` of device memory: at least one.
std::size_t chunk_rows(const Device& device, std::size_t row_bytes) {
  return std::max<std::size_t>(1, std::min(max_chunk_bytes, device.memory.available() / 2) /
                                      std::max<std::size_t>(row_bytes, 1));
}

Launch over(const Device& device, std::size_t threads) {
  return {dim3(static_cast<unsigned>((threads + time::row_threads - 1) / time::row_threads)),
          dim3(time::row_threads), 0, device.stream};
}

/// Calls work(first, count) for chunks of n rows.
template <typename Work>
void for_each_chunk(Device& device, std::size_t n, std::size_t row_bytes, Work work) {
  const std::size_t rows =
      std::min<std::size_t>(chunk_rows(device, row_bytes), std::size_t(1) << 30);
  for (std::size_t first = 0; first < n; first += rows) work(first, std::min(rows, n - first));
}

template <typename Value>
void download(Device& device, const Buffer<Value>& from, Value* to) {
  if (from.size() == 0) return;
  check(cudaMemcpyAsync(to, from.get(), from.size() * sizeof(Value), cudaMemcpyDeviceToHost,
                        device.stream),
        "to send results");
  device.finish();
}

/// Calls work(pointer) with a pointer of the instants' type.
template <typename Work>
void dispatch_instants(const InstantData& instants, Work work) {
  switch (instants.tick_bytes) {
    case 0:
      return work(static_cast<const double*>(instants.values));
    case 4:
      return work(static_cast<const std::int32_t*>(instants.values));
    case 8:
      return work(static_cast<const std::int64_t*>(instants.values));
    default:
      throw DeviceError(Cause::argument, "Expected ticks of 4 or 8 bytes, received " +
                                             std::to_string(instants.tick_bytes) + ".");
  }
}

template <typename Instant>
void recencies(Device& device, const RecencyData& rows, const Instant* values) {
  const TickScale scale{rows.published.unit_ms, rows.published.origin_ms};
  for_each_chunk(device, rows.rows, sizeof(Instant) + sizeof(float),
                 [&](std::size_t first, std::size_t count) {
                   const auto instants = device.upload_copy(values + first, count, "instants");
                   const Buffer<float> out(device.memory, count, "recencies");
                   const time::InstantColumn<Instant> published{instants.get(), scale, count};
                   check(launch(over(device, count), time::recency<Instant>, published, rows.at_ms,
                                rows.floor_days, out.get()),
                         "to compute recencies");
                   download(device, out, rows.out + first);
                 });
}

/// The end of a chunk from `first` of at most `most` intervals; a row with more is a chunk of its
/// own.
std::size_t chunk_end(const SplineData& rows, std::size_t first, std::size_t most) {
  if (rows.offsets == nullptr) return std::min<std::size_t>(rows.rows, first + most);
  const std::uint32_t* begin = rows.offsets + first + 1;
  const std::uint32_t* end = rows.offsets + std::min<std::size_t>(rows.rows, first + most) + 1;
  const std::size_t fits = static_cast<std::size_t>(
      std::upper_bound(begin, end, rows.offsets[first] + static_cast<std::uint64_t>(most)) - begin);
  return first + std::max<std::size_t>(1, fits);
}

template <typename Instant>
void splines_of(Device& device, const SplineData& rows, const Instant* starts) {
  const Instant* ends = static_cast<const Instant*>(rows.ends.values);
  const TickScale scale{rows.starts.unit_ms, rows.starts.origin_ms};
  const asof::spline::Line line{rows.start_ms, rows.end_ms,  rows.at_start,
                                rows.at_end,   rows.outside, rows.unit_ms};
  const std::size_t most =
      std::min<std::size_t>(chunk_rows(device, 2 * sizeof(Instant) + 8), std::size_t(1) << 30);
  std::vector<std::uint32_t> offsets;
  for (std::size_t first = 0, end; first < rows.rows; first = end) {
    end = chunk_end(rows, first, most);
    const std::size_t from = rows.offsets == nullptr ? first : rows.offsets[first],
                      to = rows.offsets == nullptr ? end : rows.offsets[end];
    const auto start = device.upload_copy(starts + from, to - from, "intervals"),
               finish = device.upload_copy(ends + from, to - from, "intervals");
    Buffer<std::uint32_t> offsets_copy;
    if (rows.offsets != nullptr) {
      offsets.clear();
      for (std::size_t row = first; row <= end; ++row)
        offsets.push_back(rows.offsets[row] - rows.offsets[first]);
      offsets_copy = device.upload_copy(offsets.data(), offsets.size(), "intervals");
    }
    const Buffer<float> out(device.memory, end - first, "splines");
    const time::IntervalColumn<Instant> intervals{start.get(), finish.get(), scale,
                                                  offsets_copy.get(), end - first};
    check(launch(over(device, end - first), time::splines<Instant>, intervals, line, out.get()),
          "to compute splines");
    download(device, out, rows.out + first);
  }
}

}  // namespace

void recency(Device& device, const RecencyData& rows) {
  device.use();
  dispatch_instants(rows.published, [&](auto values) { recencies(device, rows, values); });
}

void splines(Device& device, const SplineData& rows) {
  if (rows.starts.tick_bytes != rows.ends.tick_bytes)
    throw DeviceError(Cause::argument, "Expected starts and ends of one width, received two.");
  for (std::size_t row = 0; rows.offsets != nullptr && row < rows.rows; ++row) {
    if (rows.offsets[row] > rows.offsets[row + 1])
      throw DeviceError(Cause::argument, "Expected offsets that ascend, received others at row " +
                                             std::to_string(row) + ".");
  }
  device.use();
  dispatch_instants(rows.starts, [&](auto starts) { splines_of(device, rows, starts); });
}

void calendar_parts(Device& device, const CalendarData& rows) {
  device.use();
  Buffer<calendar::FeatureTables> tables;
  if (rows.features != nullptr) tables = device.upload_copy(rows.tables, 1, "tables");
  for_each_chunk(device, rows.rows, 48, [&](std::size_t first, std::size_t count) {
    const auto instants = device.upload_copy(rows.instants + first, count, "instants");
    const auto granularity = device.upload_copy(rows.granularity + first, count, "instants");
    const Buffer<std::int32_t> year(device.memory, count, "dates");
    const Buffer<std::uint8_t> month(device.memory, count, "dates"),
        day(device.memory, count, "dates"), mask(device.memory, count, "dates");
    const Buffer<std::uint16_t> day_of_year(device.memory, count, "dates");
    const calendar::Parts parts{year.get(), month.get(), day.get(), day_of_year.get(), mask.get()};
    check(launch(over(device, count), time::calendar_parts, instants.get(), granularity.get(),
                 count, parts),
          "to read a calendar");
    if (rows.features != nullptr) {
      const Buffer<float> features(device.memory, 4 * count, "features");
      check(launch(over(device, 4 * count), time::calendar_features, parts, count, tables.get(),
                   features.get()),
            "to compute features");
      download(device, features, rows.features + 4 * first);
    }
    download(device, year, rows.parts.year + first);
    download(device, month, rows.parts.month + first);
    download(device, day, rows.parts.day + first);
    download(device, day_of_year, rows.parts.day_of_year + first);
    download(device, mask, rows.parts.mask + first);
  });
}

void film(Device& device, const FilmData& rows) {
  device.use();
  const std::size_t d = rows.dimensions;
  std::uint64_t refused_rows = 0;
  for_each_chunk(
      device, rows.rows, 4 * d * sizeof(float) + 2, [&](std::size_t first, std::size_t count) {
        const auto x = device.upload_copy(rows.x + first * d, count * d, "vectors"),
                   gamma = device.upload_copy(rows.gamma + first * d, count * d, "vectors");
        const auto beta = device.upload_copy(rows.beta + first * d, count * d, "vectors");
        const auto timed = device.upload_copy(rows.timed + first, count, "vectors");
        const Buffer<float> y(device.memory, count * d, "vectors");
        const Buffer<std::uint8_t> refused(device.memory, rows.refused == nullptr ? 0 : count,
                                           "vectors");
        const auto refused_count = device.filled_buffer<unsigned long long>(1, 0, "counts");
        const asof::film::Rows chunk{x.get(), gamma.get(), beta.get(), timed.get(), count, d};
        check(launch(over(device, count * warp_lanes), time::film, chunk, rows.alpha, y.get(),
                     refused.get(), refused_count.get()),
              "to fuse time");
        download(device, y, rows.y + first * d);
        if (rows.refused != nullptr) download(device, refused, rows.refused + first);
        refused_rows += device.download_copy(refused_count.get(), 1)[0];
      });
  if (rows.refused_rows != nullptr) *rows.refused_rows = refused_rows;
}

}  // namespace asof::cuda
