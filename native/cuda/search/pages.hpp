// The rows of a segment that a device has no room for, page after page: two pages, of which one is
// read from the host's memory (a mapped file, say), by a thread and a stream of its own, while the
// other is scanned.
#pragma once

#include <future>
#include <optional>

#include "cuda/search/resident.hpp"

namespace asof::cuda {

/// Rows on the device, all of a segment's or a page of them. Numbers are the segment's.
struct Page {
  std::uint32_t first_row = 0, last_row = 0;  // first_row is a multiple of 64
  const std::uint8_t* panels = nullptr;       // of the first row's panel and what follows
  const quantized::PanelRecord* records = nullptr;
  const float *vectors = nullptr, *lengths = nullptr;
};

class Pages {
 public:
  /// The rows [first_row, last_row) of a segment; first_row is a multiple of 64.
  Pages(Device& device, const DeviceSegment& segment, std::uint32_t first_row,
        std::uint32_t last_row);
  ~Pages();
  Pages(const Pages&) = delete;

  /// The next page, there for whatever the device's stream is given from now on; none after the
  /// last. What the stream was given of the page before the last may still be under way: it is
  /// waited for before that page's memory is filled anew.
  std::optional<Page> next();

 private:
  struct Place {
    Buffer<std::uint8_t> panels;
    Buffer<quantized::PanelRecord> records;
    Buffer<float> vectors, lengths;
    Event there, free;
  };
  void begin(std::uint32_t first_row);
  void read(Place& place, std::uint32_t first, std::uint32_t count);

  Device& device_;
  const DeviceSegment& segment_;
  const std::uint32_t last_row_;
  std::uint32_t page_rows_ = 0, coming_row_ = 0, given_ = 0;
  Place places_[2];
  std::future<void> coming_;
};

}  // namespace asof::cuda
