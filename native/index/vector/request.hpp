// Request and result of a flat search: plain structs with the semantics of
// lib/time/temporalForms.ts and lib/retrieval/flatScan.ts. All times are UTC epoch milliseconds;
// infinities are open ends. Everything is borrowed for the duration of the search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "device/exactness.hpp"
#include "index/rows/block.hpp"
#include "index/rows/visible_rows.hpp"
#include "kernels/standardize/contract.hpp"
#include "temporal/forms.hpp"

namespace asof {
struct DeviceHandle;
}

namespace asof::vector {

struct Query {
  bool has_vector = true;      // false: every similarity is 0
  bool only_matching = false;  // without a vector: only rows with a lexical score above 0; not with
                               // a recency, which counts all visible rows
  std::size_t k = std::numeric_limits<std::size_t>::max();  // fewer results than the request's k
  double semantic_weight = 1;
  double lexical_weight = 0;
  std::vector<std::span<const float>>
      lexical;  // one a segment: a score a row up to the last in scope, or empty; or no spans
  double max_lexical = 0;  // what BM25 is divided by where it is not the visible rows' best; or 0
  std::vector<std::span<const float>> lexical_block_max;  // one a segment: what no row of a block
                                                          // of block_rows exceeds; or no spans
  temporal::Mask mask;
  temporal::Form form;
  /// What standardises its values, where it is not the rows' own moments.
  std::optional<standardize::Map> standard;
  /// Whether it adds values that are standardised over the rows.
  bool normalizes() const { return temporal::normalizes(form) && !standard; }
  /// Whether bounds of its scores are finite as floats.
  bool weighs_as_floats() const {
    return semantic_weight >= 1e-12 && semantic_weight <= 1e12 && lexical_weight >= -1e18 &&
           lexical_weight <= 1e18;
  }
  /// Visible rows that probably rank high, in roughly descending order: their scores seed the
  /// threshold of the scan.
  std::span<const RowId> seeds;

  bool weighs_words() const {
    return std::any_of(lexical.begin(), lexical.end(),
                       [](const auto& scores) { return !scores.empty(); });
  }
};

struct Request {
  std::vector<VisibleRows> segments;
  std::vector<Query> queries;
  std::span<const float> vectors;  // queries * d; empty if no query has a vector
  std::size_t dimensions = 0;
  std::size_t k = 0;
  Scope scope = Scope::all;
  bool pool = false;  // one result a passage: its best row
  Exactness exactness = Exactness::certified;
  const DeviceHandle* device =
      nullptr;  // where it scans if all segments are resident there; or null

  /// Results of a query.
  std::size_t k_of(std::size_t q) const { return std::min(k, queries[q].k); }

  bool has_panels() const {
    return std::any_of(segments.begin(), segments.end(),
                       [](const VisibleRows& segment) { return segment.rows.panels.has_value(); });
  }
};

/// Per query, in order of (score descending, segment, passage, row ascending): its best k rows,
/// then rows of other segments with the k-th score, so that the caller can break ties between
/// segments by id. Rows whose score is NaN are excluded.
struct Result {
  std::vector<std::uint32_t>
      offsets;  // queries + 1: query q's results are [offsets[q], offsets[q + 1])
  std::vector<std::uint32_t> segment, row, passage;
  std::vector<double> score;
  std::vector<float> similarity, lexical;
  std::vector<double>
      temporal;  // product: c; sum: the standardised recency before its weight; none: NaN
  std::vector<std::int32_t> mention;  // which of the row's content intervals decided, or -1
  // One a query: rows in scope, those of them that a mask or bitmap hides, and the moments by which
  // its recency is normalized (else NaN).
  std::vector<double> rows_scanned, rows_masked;
  std::vector<double> relevance_mean, relevance_deviation, recency_mean, recency_deviation;
  // One a query: the type of the vectors that the scan reads first (0: f32, else 1 +
  // quantized::Storage), the rows that it then scores by their f32 vectors (0 for a scan of f32),
  // and whether the result is that of the f32 vectors.
  std::vector<std::uint8_t> storage, exact;
  std::vector<double> rescored;
  std::vector<std::uint8_t> device;  // one a query: 1 where the request's device scanned

  /// Reserves memory for rows of results.
  void reserve(std::size_t rows) {
    for (auto* list : {&segment, &row, &passage}) list->reserve(rows);
    for (auto* list : {&score, &temporal}) list->reserve(rows);
    for (auto* list : {&similarity, &lexical}) list->reserve(rows);
    mention.reserve(rows);
  }
  /// Reserves memory for queries.
  void reserve_queries(std::size_t queries) {
    offsets.reserve(queries + 1);
    for (auto* list : {&rows_scanned, &rows_masked, &relevance_mean, &relevance_deviation,
                       &recency_mean, &recency_deviation, &rescored})
      list->reserve(queries);
    for (auto* list : {&storage, &exact, &device}) list->reserve(queries);
  }
  /// Resizes the lists of rows, which are then written in place.
  void resize_rows(std::size_t rows) {
    for (auto* list : {&segment, &row, &passage}) list->resize(rows);
    for (auto* list : {&score, &temporal}) list->resize(rows);
    for (auto* list : {&similarity, &lexical}) list->resize(rows);
    mention.resize(rows);
  }
};

}  // namespace asof::vector
