// Exhaustive scan of f32 rows: all similarities of a tile, in chunks of queries. For additive
// queries, before their normalization is known, similarities are kept for a second pass.
#pragma once

#include <vector>

#include "index/vector/selection.hpp"
#include "index/vector/times/normalization.hpp"
#include "kernels/inner_product/contract.hpp"

namespace asof::vector {

class ExhaustiveScan {
 public:
  ExhaustiveScan(const Request& request, const inner_product::Kernels& kernels,
                 Normalization& normalization)
      : request_(request), kernels_(kernels), normalization_(normalization) {}

  /// Sets the queries [first, first + size); `best` is one a query.
  void open(std::size_t first, std::size_t size, std::atomic<double>* best) {
    first_ = first;
    size_ = size;
    best_ = best;
  }

  /// Scans a tile of task t for the queries for which `scanned(q)` is false. `similarities` is a
  /// buffer of the thread.
  template <typename Scanned>
  void scan(std::vector<float>& similarities, std::size_t t, const Tile& tile, Scanned scanned) {
    BlockRecencies recencies(request_.segments[tile.segment].rows, tile.begin, tile.count);
    for (std::size_t q = 0; q < size_;) {
      Chunk chunk{q, 0};
      while (chunk.count < max_chunk && q + chunk.count < size_ && !scanned(q + chunk.count))
        chunk.count += 1;
      if (chunk.count > 0) {
        multiply(similarities, tile, chunk);
        select(similarities.data(), {tile, t, recencies}, chunk);
      }
      q += std::max<std::size_t>(1, chunk.count);
    }
  }

  /// The second pass, over a tile's kept similarities.
  void rescan(std::size_t t, const Tile& tile);

 private:
  static constexpr std::size_t max_chunk = 64;  // queries: similarities of a tile take 64 KiB

  struct Chunk {
    std::size_t first, count;
  };
  struct TimedTile {
    const Tile& tile;
    std::size_t t;
    BlockRecencies& recencies;
  };

  const Query& query(std::size_t q) const { return request_.queries[first_ + q]; }
  RowScorer scorer(std::size_t q, std::size_t segment) const {
    return {query(q), request_.segments[segment], segment, normalization_.maps()[q]};
  }
  void multiply(std::vector<float>& similarities, const Tile& tile, Chunk chunk) const;
  BlockBits rows_of(const RowScorer& scorer, const Tile& tile, std::size_t q) const;
  void select(float* similarities, const TimedTile& timed, Chunk chunk);

  const Request& request_;
  const inner_product::Kernels& kernels_;
  Normalization& normalization_;
  std::size_t first_ = 0, size_ = 0;
  std::atomic<double>* best_ = nullptr;
};

}  // namespace asof::vector
