// Block-max MaxScore over a range of a segment's rows: in each window, terms whose bounds together
// stay below the threshold are non-essential and only looked up; a window below it is pruned.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/collector.hpp"
#include "index/lexical/search.hpp"

namespace asof::lexical {

/// Live-docs bitmap and time mask, evaluated for a block of rows at its first look-up.
class RowFilter {
 public:
  RowFilter(const VisibleRows& segment, const temporal::Mask& mask);
  bool allows(std::uint32_t row);
  /// Whether it allows every row.
  bool open() const { return open_; }
  /// Whether blocks of rows are known to be hidden.
  bool hides_blocks() const { return !segment_.blocks.empty(); }
  /// The first row in [row, end) of a block that may show a row; `end` without one.
  std::uint32_t next_possible(std::uint32_t row, std::uint32_t end) const;
  /// The end of the consecutive blocks from `row` on that may show a row; at most `end`.
  std::uint32_t end_of_possible(std::uint32_t row, std::uint32_t end) const;

 private:
  const VisibleRows& segment_;
  SegmentMask mask_;
  bool open_;  // hides no row
  std::size_t block_ = ~std::size_t{0};
  BlockBits bits_{};
};

/// Buffers of one thread, reused by its searches.
struct WindowScratch {
  static constexpr std::uint32_t rows = 4096;
  std::array<double, rows> scores;  // zero between windows
  std::array<std::uint64_t, rows / 64> touched;
  WindowScratch() { scores.fill(0), touched.fill(0); }
};

struct Run {
  std::uint32_t segment;     // its number in the request
  std::uint32_t begin, end;  // rows of one part, so that passages ascend
};

/// A query against one segment.
struct SegmentQuery {
  const SearchSegment& segment;
  std::span<const WeightedTerm> terms;
  const InverseNorms& norms;
  const temporal::Mask& mask;
  bool exhaustive;
};

void search_run(const SegmentQuery& query, const Run& run, Collector& collector,
                WindowScratch& scratch, const Cancel& cancel);

}  // namespace asof::lexical
