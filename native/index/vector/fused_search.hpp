// Hybrid search: a vector search whose relevance has BM25 of the query's terms as its lexical part.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/cancel.hpp"
#include "index/lexical/bm25.hpp"
#include "index/segment/segment.hpp"
#include "index/vector/search.hpp"

namespace asof {

/// The lexical part of a batch of queries.
struct LexicalPart {
  std::span<const std::vector<std::string>> terms;  // one list a query, empty for none
  lexical::Bm25 parameters;
  const lexical::Collection* collection = nullptr;  // null: the segments' statistics
};

/// `segments` are those of the request, in order. A query's lexical_weight applies to BM25 divided
/// by its maximum over the query's visible rows, or by Query::max_lexical, so that the lexical part
/// is in [0, 1]; Result::lexical is BM25 itself. Queries are searched in batches: within one, each
/// distinct list of terms is scored once. Memory: one float a row in scope for each list of a
/// batch, at most 32 MiB or one list.
vector::Result fused_search(vector::Request request, std::span<const Segment* const> segments,
                            const LexicalPart& lexical, const Cancel& cancel);

}  // namespace asof
