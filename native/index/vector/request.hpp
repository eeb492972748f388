// What a flat search is asked and what it answers: plain structs, meaning as lib/time/forms.ts and
// lib/retrieval/flatScan.ts give it. All times are UTC epoch milliseconds; infinities are open
// ends. Everything is borrowed for the search's duration.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "device/exactness.hpp"
#include "index/rows/block.hpp"
#include "index/rows/visible_rows.hpp"
#include "temporal/forms.hpp"

namespace asof {
struct DeviceHandle;
}

namespace asof::vector {

struct Query {
  bool has_vector = true;  // none: every similarity is 0
  double semantic_weight = 1;
  double lexical_weight = 0;
  std::vector<std::span<const float>>
      lexical;  // one a segment: a float a row up to the last in scope, or empty; or no spans
  std::vector<std::span<const float>> lexical_block_max;  // one a segment: what no row of a block
                                                          // of block_rows exceeds; or no spans
  temporal::Mask mask;
  temporal::Form form;
  /// Whether bounds of its scores are sure to be numbers as floats.
  bool weighs_as_floats() const {
    return semantic_weight >= 1e-12 && semantic_weight <= 1e12 && lexical_weight >= -1e18 &&
           lexical_weight <= 1e18;
  }
  /// Rows that likely lead, none of them hidden, roughly the best first: what they score bounds the
  /// scan from its start.
  std::span<const RowId> seeds;

  bool weighs_words() const {
    return std::any_of(lexical.begin(), lexical.end(),
                       [](const auto& scores) { return !scores.empty(); });
  }
};

struct Request {
  std::vector<VisibleRows> segments;
  std::vector<Query> queries;
  std::span<const float> vectors;  // queries * d, the row of a query without a vector is not read;
                                   // or empty where none has one
  std::size_t dimensions = 0;
  std::size_t k = 0;
  Scope scope = Scope::all;
  bool pool = false;  // one result a passage: its best row
  Exactness exactness = Exactness::certified;
  const DeviceHandle* device =
      nullptr;  // where it scans if all segments are resident there; or null

  bool has_panels() const {
    return std::any_of(segments.begin(), segments.end(),
                       [](const VisibleRows& segment) { return segment.rows.panels.has_value(); });
  }
};

/// Per query, in order of (score descending, segment, passage, row ascending): the best k rows, and
/// after them any rows of other segments whose score equals the k-th, so that the caller can break
/// ties between segments by id. Rows whose score is not a number are left out.
struct Result {
  std::vector<std::uint32_t>
      offsets;  // queries + 1: query q's results are [offsets[q], offsets[q + 1])
  std::vector<std::uint32_t> segment, row, passage;
  std::vector<double> score;
  std::vector<float> similarity, lexical;
  std::vector<double>
      temporal;  // product: c; sum: the standardised recency before its weight; none: NaN
  std::vector<std::int32_t> mention;  // which of the row's content intervals decided, or -1
  // One a query: rows in scope, rows of them that a mask or the bitmap hid, and the moments that a
  // recency used (else NaN).
  std::vector<double> rows_scanned, rows_masked;
  std::vector<double> relevance_mean, relevance_deviation, recency_mean, recency_deviation;
  // One a query: what the scan read first of most rows (0 the f32 vectors, else 1 +
  // quantized::Storage), how many rows it then scored by their f32 vectors (0 where it read all of
  // them so), and whether the result is that of the f32 vectors.
  std::vector<std::uint8_t> storage, exact;
  std::vector<double> rescored;
  std::vector<std::uint8_t> device;  // one a query: 1 where the request's device scanned

  /// Room for so many rows of results.
  void reserve(std::size_t rows) {
    for (auto* list : {&segment, &row, &passage}) list->reserve(rows);
    for (auto* list : {&score, &temporal}) list->reserve(rows);
    for (auto* list : {&similarity, &lexical}) list->reserve(rows);
    mention.reserve(rows);
  }
  /// Room for so many queries.
  void reserve_queries(std::size_t queries) {
    offsets.reserve(queries + 1);
    for (auto* list : {&rows_scanned, &rows_masked, &relevance_mean, &relevance_deviation,
                       &recency_mean, &recency_deviation, &rescored})
      list->reserve(queries);
    for (auto* list : {&storage, &exact, &device}) list->reserve(queries);
  }
  /// As many rows of results, for who writes them in place.
  void resize_rows(std::size_t rows) {
    for (auto* list : {&segment, &row, &passage}) list->resize(rows);
    for (auto* list : {&score, &temporal}) list->resize(rows);
    for (auto* list : {&similarity, &lexical}) list->resize(rows);
    mention.resize(rows);
  }
};

}  // namespace asof::vector
