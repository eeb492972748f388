// A segment on a device: its panels, clocks and passages, and its vectors where there is room. What finds none stays with the host, who keeps the
// segment's memory as long as this lives: panels are then read in pages, and the vectors of candidates gathered.
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

struct Resident {
  Resident(Device& device, const SegmentData& data);

  Device& device;
  const SegmentData data;  // the host's
  std::uint32_t rows, passages, tiles;
  Buffer<std::uint32_t> row_passage;
  ResidentClock published, validity, content;
  Buffer<quantized::PanelRecord> records;  // empty where pages bring them
  Buffer<std::uint8_t> panels;             // the same
  Buffer<float> vectors;                   // empty where candidates' are gathered

  bool paged() const { return panels.size() == 0; }
  std::size_t panel_bytes() const { return std::size_t(tiles) * quantized::tile_bytes; }
  bool whole() const { return data.storage == static_cast<std::uint32_t>(quantized::Storage::int8); }
};

}  // namespace asof::cuda
