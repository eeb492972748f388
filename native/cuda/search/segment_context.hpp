// A segment within a search: its columns, and per-query descriptors, masks and lexical scores in
// device memory.
#pragma once

#include "cuda/device/staging_buffer.hpp"
#include "cuda/kernels/candidates/query_descriptor.hpp"
#include "cuda/search/device_segment.hpp"

namespace asof::cuda {

struct SegmentContext {
  /// Descriptors and masks are part of the staging buffer, valid after its upload.
  SegmentContext(Device& device, const SearchRequest& request, const ScopedSegment& scoped,
                 StagingBuffer& staging);

  /// Bytes and slices of the staging buffer.
  static std::size_t staging_bytes(const SearchRequest& request);
  static constexpr std::size_t staging_slices = 2;

  /// Counts the rows that pass each mask and fills live_groups; after the staging upload.
  void evaluate_masks();
  /// Adds to visible[m] the rows in scope that pass mask m.
  void count_visible(std::uint64_t* visible) const;
  /// The smallest share of the segment's rows that a mask passes. Synchronizes the stream if rows
  /// may be masked.
  double min_visible_share() const;
  std::uint32_t scope() const {
    return columns.last_row > columns.first_row ? columns.last_row - columns.first_row : 0;
  }

  Device& device;
  DeviceSegment& segment;
  candidates::Columns columns;
  const candidates::Mask* masks;
  const candidates::QueryDescriptor* descriptors;
  // Bit g: some row of the 64 from 64 g on passes some mask. Empty if no row is masked.
  Buffer<unsigned long long> live_groups;

 private:
  std::vector<unsigned long long> counts() const;
  std::uint32_t mask_count_;
  Buffer<std::uint8_t> visible_;
  std::vector<Buffer<float>> lexical_;
  Buffer<unsigned long long> visible_counts_;
};

}  // namespace asof::cuda
