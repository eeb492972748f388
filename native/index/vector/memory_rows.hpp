// Rows in memory, with the vectors, clocks and panels that a segment file has.
#pragma once

#include "core/once.hpp"
#include "index/rows/flat_rows.hpp"
#include "index/segment/field_columns.hpp"
#include "index/segment/panels.hpp"
#include "index/segment/vector_moments.hpp"

namespace asof::vector {

/// Times in UTC epoch milliseconds: NaN where a row has no such time, infinities for open ends.
struct MemoryTimes {
  std::vector<double> published;               // R or none
  std::vector<double> valid_start, valid_end;  // R or none
  std::vector<std::uint32_t> content_offset;   // R + 1 or none
  std::vector<double> content_start, content_end;
};

/// As in FlatRows.
struct RowCounts {
  std::size_t passages = 0, multi_sentence = 0, dimensions = 0;
};

struct RowPacking {
  bool wide = false;  // always 64-bit ticks
  Storage storage;    // of panels
};

class MemoryRows {
 public:
  /// Packs times and panels. The counts must satisfy check_rows.
  MemoryRows(const RowCounts& counts, std::span<const float> vectors,
             std::vector<std::uint32_t> row_passage, MemoryTimes times,
             const RowPacking& packing = {});
  /// Before it is shared: the fields of its passages.
  void set_columns(std::vector<fields::OwnedColumn> columns) { columns_ = std::move(columns); }
  /// Without moments.
  const FlatRows& rows() const { return rows_; }
  std::span<const fields::OwnedColumn> columns() const { return columns_; }
  /// Moments of the vectors for normalized recencies, measured at the first call; takes long.
  /// Thread-safe.
  VectorMoments moments() const;

 private:
  template <typename Tick>
  struct Ticks {
    std::vector<Tick> start, end, blocks;
  };
  struct Column {
    Ticks<std::int32_t> narrow;
    Ticks<std::int64_t> wide;
  };
  /// The times of one clock.
  struct ColumnTimes {
    const std::vector<double>& start;
    const std::vector<double>& end;
    bool has_end;
    std::span<const std::uint32_t> offset;
  };
  ClockColumn pack(Column& column, const ColumnTimes& times, bool wide) const;
  template <typename Tick>
  temporal::ClockView<Tick> pack(Ticks<Tick>& ticks, const ColumnTimes& times,
                                 const ClockEncoding& encoding) const;

  std::vector<fields::OwnedColumn> columns_;
  HugePageVector<float> vectors_;
  std::vector<std::uint32_t> row_passage_, content_offset_;
  Column published_, validity_, content_;
  PackedPanels panels_;
  mutable Once measuring_;
  mutable std::array<MeasuredGroup, 3> moments_;
  std::unique_ptr<BlockLengths> block_lengths_;
  ClockCounts counts_;
  FlatRows rows_;
  CacheKey cache_key_;
};

}  // namespace asof::vector
