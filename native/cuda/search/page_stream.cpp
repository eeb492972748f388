// See page_stream.hpp.
#include "cuda/search/page_stream.hpp"

#include <algorithm>

#include "cuda/search/multiply.hpp"

namespace asof::cuda {
namespace {

constexpr std::size_t max_page_bytes = std::size_t(256) << 20;
constexpr std::uint32_t group_rows = 64;

}  // namespace

PageStream::PageStream(Device& device, const DeviceSegment& segment, std::uint32_t first_row,
                       std::uint32_t last_row)
    : device_(device), segment_(segment), last_row_(last_row) {
  const std::size_t row_bytes =
      segment.has_panels()
          ? (segment.panel_bytes() + sizeof(quantized::PanelRecord)) / quantized::panel_rows
          : (std::size_t(segment.dimensions) + 1) * sizeof(float);
  // Two pages take half of the free memory; gathered vectors may take the rest.
  const std::size_t max_rows = std::min(max_page_bytes, device.memory.available() / 4) / row_bytes,
                    all_groups = (std::size_t(last_row) - first_row + group_rows - 1) / group_rows;
  page_rows_ = static_cast<std::uint32_t>(
      std::clamp<std::size_t>(max_rows / group_rows, 1, std::max<std::size_t>(all_groups, 1)) *
      group_rows);
  for (Slot& slot : slots_) {
    if (segment.has_panels()) {
      slot.panels = Buffer<std::uint8_t>(device.memory,
                                         page_rows_ / quantized::panel_rows * segment.panel_bytes(),
                                         "a page of panels");
      slot.records = Buffer<quantized::PanelRecord>(
          device.memory, page_rows_ / quantized::panel_rows, "a page of panels");
    } else {
      slot.vectors = Buffer<float>(device.memory, std::size_t(page_rows_) * segment.dimensions,
                                   "a page of vectors");
      slot.lengths = Buffer<float>(device.memory, page_rows_, "a page of vectors");
    }
    if (page_rows_ >= all_groups * group_rows) break;  // one page suffices
  }
  device.page_stream();
  prefetch(first_row);
}

PageStream::~PageStream() {
  if (upload_.valid()) upload_.wait();
  cudaStreamSynchronize(device_.page_stream().stream());
  cudaStreamSynchronize(device_.stream);
}

void PageStream::prefetch(std::uint32_t first_row) {
  next_row_ = first_row;
  if (first_row >= last_row_) return;
  Slot& slot = slots_[delivered_ % 2];
  const std::uint32_t count = std::min(page_rows_, last_row_ - first_row);
  upload_ = std::async(std::launch::async,
                       [this, &slot, first_row, count] { upload(slot, first_row, count); });
}

void PageStream::upload(Slot& slot, std::uint32_t first, std::uint32_t count) {
  device_.use();
  UploadStream& stream = device_.page_stream();
  slot.free.make_wait(stream.stream());
  if (segment_.has_panels()) {
    const std::size_t panel = first / quantized::panel_rows, panels = quantized::panels(count);
    stream.upload(slot.records.get(),
                  static_cast<const quantized::PanelRecord*>(segment_.data.records) + panel,
                  panels * sizeof(quantized::PanelRecord));
    stream.upload(slot.panels.get(), segment_.data.panels + panel * segment_.panel_bytes(),
                  panels * segment_.panel_bytes());
    swizzle(slot.panels.get(), panels * segment_.panel_bytes(), stream.stream());
  } else {
    const std::size_t d = segment_.dimensions;
    stream.upload(slot.vectors.get(), segment_.data.vectors + first * d, count * d * sizeof(float));
  }
  slot.uploaded.record(stream.stream());
}

std::optional<Page> PageStream::next() {
  if (next_row_ >= last_row_) return std::nullopt;
  upload_.get();
  Slot& slot = slots_[delivered_ % 2];
  const std::uint32_t first = next_row_, count = std::min(page_rows_, last_row_ - first);
  slot.uploaded.make_wait(device_.stream);
  if (!segment_.has_panels())
    compute_lengths(device_, slot.vectors.get(), count, segment_.dimensions, slot.lengths.get());
  // The previous page is free once the work queued on it is done.
  if (delivered_ > 0) slots_[(delivered_ + 1) % 2].free.record(device_.stream);
  ++delivered_;
  prefetch(first + count);
  return Page{first,
              first + count,
              slot.panels.get(),
              slot.records.get(),
              slot.vectors.get(),
              slot.lengths.get()};
}

}  // namespace asof::cuda
