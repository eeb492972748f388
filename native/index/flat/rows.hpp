// What the flat scan reads of a segment, as spans: vectors, each row's passage, and its clocks. A FlatRows borrows; whoever
// searches keeps the segment (or the memory) alive. Nothing here reads vectors or checks times for sense.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "index/clock_column.hpp"
#include "index/flat/remainders.hpp"
#include "index/panels.hpp"
#include "index/segment.hpp"
#include "index/vector_moments.hpp"

namespace asof::flat {

/// One clock of every row. An instant has `start` alone, an interval [start, end) has both; a list has `offset` too, and
/// then start and end are the intervals of all rows one after the other. No `start` at all: no row has the clock.
template <typename Tick>
struct ClockView {
  ClockEncoding encoding;
  std::span<const Tick> start;
  std::span<const Tick> end;
  std::span<const std::uint32_t> offset;  // rows + 1
  std::span<const Tick> blocks;           // [min, max] of each schema::block_rows rows, or empty
};

using ClockColumn = std::variant<ClockView<std::int32_t>, ClockView<std::int64_t>>;

/// Calls visit(index in the row's list, start, end) for each of the row's times until it returns true; an instant is given with
/// start == end. Offsets are checked here, row by row, since opening a segment does not read them.
template <typename Tick, typename Visit>
void each_time(const ClockView<Tick>& clock, std::size_t row, Visit visit) {
  if (clock.start.empty()) return;
  if (!clock.offset.empty()) {
    std::size_t first = clock.offset[row], last = clock.offset[row + 1];
    if (last > clock.start.size()) return;
    for (std::size_t i = first; i < last; ++i) {
      if (visit(i - first, clock.start[i], clock.end[i])) return;
    }
    return;
  }
  Tick start = clock.start[row];
  if (clock.end.empty()) {
    if (start != ticks<Tick>::absent) visit(0, start, start);
    return;
  }
  Tick end = clock.end[row];
  if (start == ticks<Tick>::absent && end == ticks<Tick>::absent) return;
  visit(0, start == ticks<Tick>::absent ? ticks<Tick>::past : start, end == ticks<Tick>::absent ? ticks<Tick>::future : end);
}

struct FlatRows {
  std::size_t passages = 0;    // P
  std::size_t whole = 0;       // M: rows [0, M) are passages of several sentences, see segment.hpp
  std::size_t rows = 0;        // R
  std::size_t dimensions = 0;  // d
  std::span<const float> vectors;              // R * d
  std::span<const std::uint32_t> row_passage;  // R; checked against P where it is used
  ClockColumn published, validity, content;
  std::optional<Panels> panels;  // of the vectors
  VectorMoments moments;         // of the vectors of rows [0, M), [M, P) and [P, R)
  Remainders* remainders = nullptr;  // of the vectors; or null where nobody keeps them
};

/// The flat view of a segment; throws ERR_CORPUS_CORRUPT where its sections contradict each other. Reads no rows.
FlatRows view_rows(const Segment& segment);

/// Puts the vectors of a file of vectors alone (schema::vector_counts) in the place of the rows' own: as many, of whatever length. Throws
/// ERR_CORPUS_CORRUPT where it has others.
void replace_vectors(FlatRows& rows, const Segment& by);

/// Throws ERR_CORPUS_CORRUPT with `where` in its sentence where the spans' lengths contradict the counts.
void check_rows(const FlatRows& rows, const std::string& where);

}  // namespace asof::flat
