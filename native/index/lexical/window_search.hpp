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

/// Row filter: live-docs bitmap and time mask, evaluated for a block of rows at its first look-up.
class RowFilter {
 public:
  RowFilter(const vector::SearchSegment& segment, const vector::Mask& mask);
  bool allows(std::uint32_t row);
  /// Whether it allows every row.
  bool open() const { return open_; }
  /// Whether most blocks of rows are known to be hidden.
  bool few() const { return !segment_.blocks.empty(); }
  /// The first row from `row` on that lies in a block which may show one; `end` where there is none
  /// before it.
  std::uint32_t next_possible(std::uint32_t row, std::uint32_t end) const;
  /// Where the blocks that may show a row end which follow one another from `row` on.
  std::uint32_t end_of_possible(std::uint32_t row, std::uint32_t end) const;

 private:
  const vector::SearchSegment& segment_;
  vector::SegmentMask mask_;
  bool open_;  // nothing is hidden
  std::size_t block_ = ~std::size_t{0};
  vector::BlockBits bits_{};
};

/// Scratch that outlives one search of a lane.
struct WindowScratch {
  static constexpr std::uint32_t rows = 4096;
  std::array<double, rows> scores;  // zero outside a window's work
  std::array<std::uint64_t, rows / 64> touched;
  WindowScratch() { scores.fill(0), touched.fill(0); }
};

struct Run {
  std::uint32_t segment;     // its number in the request
  std::uint32_t begin, end;  // rows of one part, so that passages ascend
};

void search_run(const SearchSegment& segment, std::span<const WeightedTerm> terms,
                const InverseNorms& norms, const vector::Mask& mask, const Run& run,
                bool exhaustive, Collector& collector, WindowScratch& scratch,
                const Cancel& cancel);

}  // namespace asof::lexical
