// Packed queries (Queries of contract.hpp) with their storage. Packing reads the vectors once.
#pragma once

#include <vector>

#include "kernels/quantized/contract.hpp"

namespace asof::quantized {

class QueryBlock {
 public:
  /// Query i starts at i * ldq.
  QueryBlock(Storage storage, const float* queries, std::size_t nq, std::size_t ldq, std::size_t d);
  /// Room for nq queries, each to be packed once.
  QueryBlock(Storage storage, std::size_t nq, std::size_t d);
  /// Packs the queries [first, first + count) of all, which may be done by several threads side by
  /// side.
  void pack(const float* queries, std::size_t ldq, std::size_t first, std::size_t count);
  const Queries& view() const { return view_; }
  QueryBlock(QueryBlock&&) = default;
  QueryBlock& operator=(QueryBlock&&) = default;

 private:
  struct alignas(line_bytes) Line {
    std::uint8_t bytes[line_bytes];
  };
  std::vector<Line> tiles_, words_;
  std::vector<std::int32_t> offset_;
  std::vector<float> scale_, alpha_, beta_, omega_;
  Queries view_;
};

}  // namespace asof::quantized
