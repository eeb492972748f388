// Requests of the flat scan, read from what JS gives: an object with copies of its columns, or
// numbers in the caller's arrays.
#pragma once
#include <napi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "boundary/live_docs.hpp"
#include "index/lexical/bm25.hpp"
#include "index/vector/memory_rows.hpp"
#include "index/vector/search.hpp"

namespace asof::boundary {

/// A request with everything that its spans point into.
struct OwnedRequest {
  vector::Request request;
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<float> vectors;
  std::vector<LiveDocs> live_docs;
  std::vector<std::vector<std::uint8_t>> counted;
  std::vector<std::vector<float>> lexical;
  std::vector<const Segment*> segments;  // of the request; null for rows in memory
  std::vector<std::pair<std::size_t, const vector::MemoryRows*>>
      in_memory;                                // of the request, with their own vectors
  std::optional<std::uint32_t> device;          // number of the device that scans
  std::vector<std::vector<std::string>> terms;  // one list per query if BM25 is scored, else none
  lexical::Bm25 parameters;
  std::optional<lexical::Collection> collection;
};

std::shared_ptr<OwnedRequest> read_request(const Napi::Value& value);

/// The request of searchFlatSync over one segment of rows.
/// vectors: Float32Array, a row per query; numbers: Float64Array, k and exactness, then a column of
/// each temporal filter and form.
OwnedRequest read_numbers(const vector::MemoryRows& rows, const Napi::Value& vectors,
                          const Napi::Value& numbers);

}  // namespace asof::boundary
