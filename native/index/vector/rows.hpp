// Borrowed view of a segment's rows: vectors, passages, clocks and panels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "device/cache_key.hpp"
#include "index/segment/panels.hpp"
#include "index/segment/segment.hpp"
#include "index/segment/vector_moments.hpp"
#include "index/vector/floats/suffix_norms.hpp"
#include "index/vector/times/clock_counts.hpp"
#include "temporal/clock_view.hpp"

namespace asof::vector {

using ClockColumn = std::variant<ClockView<std::int32_t>, ClockView<std::int64_t>>;

struct FlatRows {
  std::size_t passages = 0;    // P
  std::size_t whole = 0;       // M: rows [0, M) are passages of several sentences, see segment.hpp
  std::size_t rows = 0;        // R
  std::size_t dimensions = 0;  // d
  std::span<const float> vectors;              // R * d
  std::span<const std::uint32_t> row_passage;  // R; checked against P where it is used
  ClockColumn published, validity, content;
  std::optional<Panels> panels;         // of the vectors
  VectorMoments moments;                // of the vectors of rows [0, M), [M, P) and [P, R)
  SuffixNorms* suffix_norms = nullptr;  // of the vectors; or null where nobody keeps them
  const ClockCounts* counts = nullptr;  // of the clocks; or null where nobody keeps them
  DeviceCacheKey device_key;
};

/// The flat view of a segment; throws ERR_CORPUS_CORRUPT where its sections contradict each other.
/// Reads no rows.
FlatRows view_rows(const Segment& segment);

/// Puts the vectors of a file of vectors alone (schema::vector_counts) in the place of the rows'
/// own: as many, of whatever length. Throws ERR_CORPUS_CORRUPT where it has others.
void replace_vectors(FlatRows& rows, const Segment& by);

/// Throws ERR_CORPUS_CORRUPT with `where` in its sentence where the spans' lengths contradict the
/// counts.
void check_rows(const FlatRows& rows, const std::string& where);

}  // namespace asof::vector
