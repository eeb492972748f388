// Borrowed view of rows: vectors, passages, clocks and panels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "core/block_checksums.hpp"
#include "device/cache_key.hpp"
#include "index/rows/block_lengths.hpp"
#include "index/rows/clock_counts.hpp"
#include "index/rows/group_moments.hpp"
#include "index/rows/panel_view.hpp"
#include "temporal/clock_view.hpp"
#include "temporal/forms.hpp"

namespace asof {

/// Which rows a search reads.
enum class Scope : std::uint8_t { passages, sentences, all };

using ClockColumn =
    std::variant<temporal::ClockView<std::int32_t>, temporal::ClockView<std::int64_t>>;

struct FlatRows {
  std::size_t passages = 0;  // P
  std::size_t multi_sentence =
      0;                       // M: rows [0, M) are passages of several sentences, see segment.hpp
  std::size_t rows = 0;        // R
  std::size_t dimensions = 0;  // d
  CheckedSpan<float> vectors;  // R * d
  std::span<const std::uint32_t> row_passage;  // R; checked against P where it is used
  /// P: the row of each whole passage, in whose order rows of a group are; empty: in that of their
  /// passages.
  std::span<const std::uint32_t> passage_row;
  ClockColumn published, validity, content;
  std::optional<Panels> panels;           // of the vectors
  VectorMoments moments;                  // of the vectors of rows [0, M), [M, P) and [P, R)
  BlockLengths* block_lengths = nullptr;  // of the vectors; null: not cached
  const ClockCounts* counts = nullptr;    // of the clocks; null: not cached
  DeviceCacheKey device_key;

  /// The vectors of rows [first, first + count), verified.
  const float* vectors_at(std::size_t first, std::size_t count = 1) const {
    return vectors.subspan(first * dimensions, count * dimensions).data();
  }

  /// Upper bound of the lengths of the vectors of rows [first, first + count), which have panels.
  float max_norm(std::size_t first, std::size_t count) const;
};

const ClockColumn& column_of(const FlatRows& rows, temporal::Clock clock);

/// Throws ERR_CORPUS_CORRUPT unless `what` of `where` has as many elements as expected.
void check_length(const std::string& where, const char* what, std::uint64_t expected,
                  std::uint64_t received);

/// Throws ERR_CORPUS_CORRUPT with `where` in its message where the spans' lengths contradict the
/// counts.
void check_rows(const FlatRows& rows, const std::string& where);

}  // namespace asof
