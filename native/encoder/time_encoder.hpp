// Batched fusion of dates into vectors (Re3, section 3.3): first layer by tables, gamma and beta,
// and fusion of a block of rows while it is in cache. Equations: time_network.hpp.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/cancel.hpp"
#include "encoder/time_network.hpp"

// A row without a known component is copied bit for bit (with zeros appended if the kind
// concatenates), and so is a row that cannot be fused because of NaN or infinity in the row or its
// weights. A row's bits do not depend on other rows or on threads.

namespace asof {

class TimeEncoder {
 public:
  /// Computes the tables of the first layer. Throws ERR_INVALID_ARGUMENT if the number of
  /// parameters is not the network's.
  TimeEncoder(const TimeNetwork& network, std::vector<float> parameters);
  const TimeNetwork& network() const { return network_; }
  std::span<const float> parameters() const { return parameters_; }

  /// The time vectors: n x network().features(), in double, rounded once.
  void embed(const calendar::Parts& dates, std::size_t n, std::span<float> out) const;
  /// n x network().fused() from n x network().dimensions; of `film`, out may be rows. Tiles on the
  /// pool's threads.
  void fuse(const calendar::Parts& dates, std::span<const float> rows, std::size_t n,
            std::span<float> out, const Cancel& cancel) const;

 private:
  struct Years;
  struct Block;
  struct Tile;
  Years years_of(const calendar::Parts& dates, std::size_t n) const;
  void project(std::size_t k, double value, float* out) const;
  void fuse_tile(const calendar::Parts& dates, const Years& years, const Block& block,
                 Tile& tile) const;
  void first_layer(const calendar::Parts& dates, const Years& years, std::size_t first,
                   std::size_t n, Tile& tile) const;

  TimeNetwork network_;
  TimeLayout layout_;
  std::vector<float> parameters_;
  std::vector<float> bias_;     // width: of the first layer, zeros where the kind has none
  std::vector<float> months_;   // 13 x width, row 0 unused
  std::vector<float> days_;     // 32 x width
  std::vector<float> of_year_;  // 367 x width
};

}  // namespace asof
