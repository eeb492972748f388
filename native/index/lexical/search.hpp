// Exact top-k BM25 over segments: block-max MaxScore in windows of rows, with early termination by
// upper bounds, time masks, scopes and pooling.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/bm25.hpp"
#include "index/lexical/reader.hpp"
#include "index/rows/counted_rows.hpp"
#include "index/rows/mask.hpp"

namespace asof::lexical {

/// A distinct term of a query; its weight is its idf times its count in the query.
struct WeightedTerm {
  std::uint32_t number;  // in one segment's dictionary
  double weight;
};

struct SearchSegment {
  const Reader* reader;
  VisibleRows rows;
};

struct Query {
  std::vector<std::string> terms;  // analysed; a repeated term counts as often as it is repeated
  temporal::Mask mask;
};

struct Request {
  std::vector<SearchSegment> segments;
  std::vector<Query> queries;
  std::size_t k = 0;
  Scope scope = Scope::all;
  bool pool = false;
  Bm25 parameters;
  const Collection* collection = nullptr;  // null: the segments'
  bool exhaustive = false;  // scores every posting, for comparison in tests and benchmarks
};

/// Per query, ordered by score descending, then segment, passage and row ascending: the best k rows
/// that have a term, then rows of other segments with the k-th score, so that the caller can break
/// ties between segments by id.
struct Result {
  std::vector<std::uint32_t> offsets;  // queries + 1
  std::vector<std::uint32_t> segment, row, passage;
  std::vector<double> score;
  std::vector<double> best;  // one a query: the highest score of a visible row, 0 without a match;
                             // for any k, 0 included
};

Result search(const Request& request, const Cancel& cancel);

bool in_scope(Scope scope, std::size_t part);
/// Weights of terms by the statistics of a scope over all segments, or of a collection.
class Weights {
 public:
  /// The segments and the collection, null for none, must outlive it.
  Weights(std::span<const SearchSegment> segments, Scope scope, const Collection* collection);
  const Statistics& statistics() const { return statistics_; }
  /// A query's terms by their numbers in each segment. One list a segment; terms that the segment
  /// lacks are omitted. Throws ERR_INVALID_ARGUMENT for more than query_terms_limit.
  std::vector<std::vector<WeightedTerm>> of(std::span<const std::string> terms) const;

 private:
  /// Rows with a term of a segment.
  std::uint64_t rows_with(std::size_t segment, std::uint32_t term) const;
  std::uint64_t rows_with(std::string_view term,
                          std::span<const std::optional<std::uint32_t>> numbers) const;
  std::span<const SearchSegment> segments_;
  std::vector<std::shared_ptr<CountedRows>> counted_;  // null: all
  Scope scope_;
  const Collection* collection_;
  Statistics statistics_;
};

}  // namespace asof::lexical
