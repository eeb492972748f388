// See pages.hpp.
#include "cuda/search/pages.hpp"

#include <algorithm>

#include "cuda/search/multiply.hpp"

namespace asof::cuda {
namespace {

constexpr std::size_t page_bytes_most = std::size_t(256) << 20;
constexpr std::uint32_t group_rows = 64;

}  // namespace

Pages::Pages(Device& device, const DeviceSegment& segment, std::uint32_t first_row,
             std::uint32_t last_row)
    : device_(device), segment_(segment), last_row_(last_row) {
  const std::size_t row_bytes =
      segment.has_panels()
          ? (segment.panel_bytes() + sizeof(quantized::PanelRecord)) / quantized::panel_rows
          : (std::size_t(segment.dimensions) + 1) * sizeof(float);
  // The other half is for what the search gathers meanwhile.
  const std::size_t most = std::min(page_bytes_most, device.memory.left() / 4) / row_bytes,
                    wanted = (std::size_t(last_row) - first_row + group_rows - 1) / group_rows;
  page_rows_ = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(most / group_rows, 1, std::max<std::size_t>(wanted, 1)) * group_rows);
  for (Place& place : places_) {
    if (segment.has_panels()) {
      place.panels = Buffer<std::uint8_t>(
          device.memory, page_rows_ / quantized::panel_rows * segment.panel_bytes(),
          "a page of panels");
      place.records = Buffer<quantized::PanelRecord>(
          device.memory, page_rows_ / quantized::panel_rows, "a page of panels");
    } else {
      place.vectors = Buffer<float>(device.memory, std::size_t(page_rows_) * segment.dimensions,
                                    "a page of vectors");
      place.lengths = Buffer<float>(device.memory, page_rows_, "a page of vectors");
    }
    if (page_rows_ >= wanted * group_rows) break;  // one is all
  }
  device.second();
  begin(first_row);
}

Pages::~Pages() {
  if (coming_.valid()) coming_.wait();
  cudaStreamSynchronize(device_.second().stream());
  cudaStreamSynchronize(device_.stream);
}

/// Starts reading the page from that row, if there is one.
void Pages::begin(std::uint32_t first_row) {
  coming_row_ = first_row;
  if (first_row >= last_row_) return;
  Place& place = places_[given_ % 2];
  const std::uint32_t count = std::min(page_rows_, last_row_ - first_row);
  coming_ = std::async(std::launch::async,
                       [this, &place, first_row, count] { read(place, first_row, count); });
}

void Pages::read(Place& place, std::uint32_t first, std::uint32_t count) {
  device_.use();
  Way& way = device_.second();
  place.free.hold_back(way.stream());
  if (segment_.has_panels()) {
    const std::size_t panel = first / quantized::panel_rows, panels = quantized::panels(count);
    way.upload(place.records.get(),
               static_cast<const quantized::PanelRecord*>(segment_.data.records) + panel,
               panels * sizeof(quantized::PanelRecord));
    way.upload(place.panels.get(), segment_.data.panels + panel * segment_.panel_bytes(),
               panels * segment_.panel_bytes());
    arrange(place.panels.get(), panels * segment_.panel_bytes(), way.stream());
  } else {
    const std::size_t d = segment_.dimensions;
    way.upload(place.vectors.get(), segment_.data.vectors + first * d, count * d * sizeof(float));
  }
  place.there.record(way.stream());
}

std::optional<Page> Pages::next() {
  if (coming_row_ >= last_row_) return std::nullopt;
  coming_.get();
  Place& place = places_[given_ % 2];
  const std::uint32_t first = coming_row_, count = std::min(page_rows_, last_row_ - first);
  place.there.hold_back(device_.stream);
  if (!segment_.has_panels())
    measure(device_, place.vectors.get(), count, segment_.dimensions, place.lengths.get());
  // The page before is free once what the stream has of it is done.
  if (given_ > 0) places_[(given_ + 1) % 2].free.record(device_.stream);
  ++given_;
  begin(first + count);
  return Page{first,
              first + count,
              place.panels.get(),
              place.records.get(),
              place.vectors.get(),
              place.lengths.get()};
}

}  // namespace asof::cuda
