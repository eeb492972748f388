// Rows that live in memory and not in a segment file, with the same clocks: for rows made on the
// fly and for tests. They own what they hold.
#pragma once

#include <mutex>

#include "index/vector/rows.hpp"

namespace asof::vector {

/// Times in milliseconds as a segment's author would give them: NaN where a row has no such time,
/// infinities for open ends.
struct MemoryTimes {
  std::vector<double> published;               // R or none
  std::vector<double> valid_start, valid_end;  // R or none
  std::vector<std::uint32_t> content_offset;   // R + 1 or none
  std::vector<double> content_start, content_end;
};

class MemoryRows {
 public:
  /// Packs the times; `wide` forces 64-bit ticks, and `storage` says what
  /// panels are made. The counts must satisfy check_rows.
  MemoryRows(std::size_t passages, std::size_t whole, std::size_t dimensions,
             std::span<const float> vectors, std::vector<std::uint32_t> row_passage,
             MemoryTimes times, bool wide, Storage storage = {});
  /// Without moments.
  const FlatRows& rows() const { return rows_; }
  /// Of the vectors, measured when they are first asked for: what recencies need. Long work;
  /// threads may ask at once.
  VectorMoments moments() const;

 private:
  struct Column {
    std::vector<std::int32_t> start32, end32, blocks32;
    std::vector<std::int64_t> start64, end64, blocks64;
  };
  ClockColumn pack(Column& column, const std::vector<double>& start, const std::vector<double>& end,
                   bool has_end, std::span<const std::uint32_t> offset, bool wide);

  HugePageVector<float> vectors_;
  std::vector<std::uint32_t> row_passage_, content_offset_;
  Column published_, validity_, content_;
  PackedPanels panels_;
  mutable std::once_flag measuring_;
  mutable std::array<MeasuredGroup, 3> moments_;
  std::unique_ptr<SuffixNorms> suffix_norms_;
  ClockCounts counts_;
  FlatRows rows_;
  CacheKey cache_key_;
};

}  // namespace asof::vector
