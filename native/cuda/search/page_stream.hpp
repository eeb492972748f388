// Paging of a segment that exceeds device memory: double-buffered pages, one uploaded from host
// memory by a thread and a stream of its own while the other is scanned.
#pragma once

#include <future>
#include <optional>

#include "cuda/search/device_segment.hpp"

namespace asof::cuda {

/// Rows in device memory: a whole segment, or a page of it. Row numbers are the segment's.
struct Page {
  std::uint32_t first_row = 0, last_row = 0;  // first_row is a multiple of 64
  const std::uint8_t* panels = nullptr;       // from the panel of first_row on
  const quantized::PanelRecord* records = nullptr;
  const float *vectors = nullptr, *lengths = nullptr;
};

class PageStream {
 public:
  /// Pages of the rows [first_row, last_row) of a segment; first_row is a multiple of 64.
  PageStream(Device& device, const DeviceSegment& segment, std::uint32_t first_row,
             std::uint32_t last_row);
  ~PageStream();
  PageStream(const PageStream&) = delete;

  /// The next page, valid for work queued on the device's stream from now on; none after the last.
  /// Work on the page before the previous one may still be queued: it is awaited before that page's
  /// memory is reused.
  std::optional<Page> next();

 private:
  struct Slot {
    Buffer<std::uint8_t> panels;
    Buffer<quantized::PanelRecord> records;
    Buffer<float> vectors, lengths;
    Event uploaded, free;
  };
  /// Starts the upload of the page from `first_row` on, if there is one.
  void prefetch(std::uint32_t first_row);
  void upload(Slot& slot, std::uint32_t first, std::uint32_t count);

  Device& device_;
  const DeviceSegment& segment_;
  const std::uint32_t last_row_;
  std::uint32_t page_rows_ = 0, next_row_ = 0, delivered_ = 0;
  Slot slots_[2];
  std::future<void> upload_;
};

}  // namespace asof::cuda
