// A segment resident in device memory: panels, clocks and passages, and f32 vectors if they fit.
// What does not fit stays in host memory, which must outlive this: panels (or f32 vectors, of a
// segment without panels) are then streamed in pages, and the vectors of candidates gathered.
#pragma once

#include "cuda/device/device.hpp"
#include "cuda/kernels/candidates/query_descriptor.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::cuda {

struct DeviceClock {
  Buffer<std::int32_t> start32, end32;
  Buffer<std::int64_t> start64, end64;
  Buffer<std::uint32_t> offset;
  ClockEncoding encoding;

  candidates::Clock view() const;
};

/// A sample of a segment whose panels are resident: groups of 64 rows, of which any first 2^n are
/// evenly spaced. Empty for a short segment.
struct Sample {
  std::uint32_t rows = 0;
  Buffer<std::uint32_t> groups;  // group numbers in the segment
  Buffer<quantized::PanelRecord> records;
  Buffer<std::uint8_t> panels;
};

struct DeviceSegment {
  DeviceSegment(Device& device, const SegmentData& data);

  Device& device;
  const SegmentData data;  // the host's
  std::uint32_t rows, passages, dimensions, tiles;
  Buffer<std::uint32_t> row_passage;
  DeviceClock published, validity, content;
  Buffer<quantized::PanelRecord> records;  // empty if the segment is paged
  Buffer<std::uint8_t> panels;             // likewise
  Buffer<float> vectors;                   // empty if paged or gathered
  Buffer<float> lengths;                   // of a segment without panels
  Sample sample;

  /// Whether the scan multiplies panels. It multiplies f32 vectors if the segment has no panels, or
  /// if 16 queries of its dimensions exceed the device's shared memory.
  bool has_panels() const { return tiles > 0; }
  bool is_int8() const { return data.storage == VectorStorage::int8; }
  bool paged() const {
    return rows > 0 && (has_panels() ? panels.size() == 0 : vectors.size() == 0);
  }
  quantized::Storage storage() const { return static_cast<quantized::Storage>(data.storage); }
  std::size_t panel_bytes() const { return std::size_t(tiles) * quantized::tile_bytes; }

 private:
  void load_panels(std::size_t room);
  void load_vectors(std::size_t room);
  void load_sample();
};

/// Computes the lengths of vectors in device memory.
void compute_lengths(Device& device, const float* vectors, std::uint32_t count,
                     std::uint32_t dimensions, float* lengths);

}  // namespace asof::cuda
