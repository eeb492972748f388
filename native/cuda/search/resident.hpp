// A segment on a device: its panels, clocks and passages, and its vectors where there is room. What
// finds none stays with the host, who keeps the segment's memory as long as this lives: panels (or
// f32 vectors, of a segment without panels) are then read in pages, and the vectors of candidates
// gathered.
#pragma once

#include "cuda/device/device.hpp"
#include "cuda/kernels/candidates/asked.hpp"
#include "kernels/quantized/contract.hpp"

namespace asof::cuda {

struct ResidentClock {
  Buffer<std::int32_t> start32, end32;
  Buffer<std::int64_t> start64, end64;
  Buffer<std::uint32_t> offset;
  ClockEncoding encoding;

  candidates::Clock view() const;
};

/// Rows from all over a segment whose panels are on the device, in groups of 64 of which the first
/// few are as far apart as all are; none where the segment is short.
struct Sample {
  std::uint32_t rows = 0;
  Buffer<std::uint32_t> groups;  // which 64 rows of the segment they are
  Buffer<quantized::PanelRecord> records;
  Buffer<std::uint8_t> panels;
};

struct DeviceSegment {
  DeviceSegment(Device& device, const SegmentData& data);

  Device& device;
  const SegmentData data;  // the host's
  std::uint32_t rows, passages, dimensions, tiles;
  Buffer<std::uint32_t> row_passage;
  ResidentClock published, validity, content;
  Buffer<quantized::PanelRecord> records;  // empty where pages bring them
  Buffer<std::uint8_t> panels;             // the same
  Buffer<float> vectors;  // empty where candidates' are gathered, or pages bring them
  Buffer<float> lengths;  // of vectors that are multiplied themselves
  Sample sample;

  /// Whether its panels are multiplied. Where a device's shared memory does not hold 16 queries of
  /// so many dimensions, its vectors are, whatever it has.
  bool has_panels() const { return tiles > 0; }
  bool whole() const { return data.storage == VectorStorage::int8; }
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

/// Measures rows that are on the device.
void measure(Device& device, const float* vectors, std::uint32_t count, std::uint32_t dimensions,
             float* lengths);

}  // namespace asof::cuda
