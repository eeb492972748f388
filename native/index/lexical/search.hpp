// Exact top-k BM25 over segments: block-max MaxScore in windows of rows, with early termination by
// upper bounds, time masks, scopes and pooling.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/bm25.hpp"
#include "index/lexical/reader.hpp"
#include "index/vector/request.hpp"
#include "index/vector/times/mask.hpp"

namespace asof::lexical {

/// A distinct term of a query, with its idf times how often the query has it.
struct WeightedTerm {
  std::uint32_t number;  // in one segment's dictionary
  double weight;
};

struct SearchSegment {
  const Reader* reader;
  vector::SearchSegment rows;  // clocks, passages, visibility
};

struct Query {
  std::vector<std::string> terms;  // analysed; a repeated term counts as often as it is repeated
  vector::Mask mask;
};

struct Request {
  std::vector<SearchSegment> segments;
  std::vector<Query> queries;
  std::size_t k = 0;
  vector::Scope scope = vector::Scope::all;
  bool pool = false;
  Bm25 parameters;
  bool exhaustive = false;  // scores every posting: the yardstick of tests and benchmarks
};

/// Per query, ordered by score descending, then segment, passage and row ascending: the best k rows
/// that hold a term, and after them rows of other segments that equal the k-th, so that the caller
/// can break ties between segments by id.
struct Result {
  std::vector<std::uint32_t> offsets;  // queries + 1
  std::vector<std::uint32_t> segment, row, passage;
  std::vector<double> score;
  std::vector<double> best;  // one a query: the highest score of a row that is not hidden, 0 where
                             // none matches; k may be 0
};

Result search(const Request& request, const Cancel& cancel);

/// Statistics of a scope over segments, and a query's terms as each segment numbers them.
Statistics statistics_of(std::span<const Reader* const> readers, vector::Scope scope);
bool in_scope(vector::Scope scope, std::size_t part);
/// One list a segment; terms that the segment lacks are omitted. Throws ERR_INVALID_ARGUMENT for
/// more than query_terms_limit.
std::vector<std::vector<WeightedTerm>> weigh(std::span<const Reader* const> readers,
                                             vector::Scope scope, const Statistics& statistics,
                                             std::span<const std::string> terms);

}  // namespace asof::lexical
