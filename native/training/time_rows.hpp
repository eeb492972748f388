// Forward and backward pass of rows through a time encoder, with the activations that the gradient
// needs. Equations and parameter layout: encoder/time_network.hpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "encoder/time_network.hpp"

namespace asof::training {

/// Fused rows, row-major, with the activations of the backward pass.
class TimeRows {
 public:
  /// `vectors` are n rows of network.dimensions, `dates` numbers the date of each in `all`.
  TimeRows(const TimeNetwork& network, std::span<const float> parameters,
           std::span<const float> vectors, std::span<const std::uint32_t> dates,
           const calendar::Parts& all);
  /// n x network.fused(): of length one, or the vector itself where it has no date.
  std::span<const float> fused() const { return fused_; }
  /// Adds to `gradient` the parameters' gradient from that by the fused rows.
  void back(std::span<const float> by_fused, std::span<float> gradient) const;

 private:
  void read_dates(std::span<const std::uint32_t> dates, const calendar::Parts& all);
  void make_parts();
  void modulate();
  void back_parts(std::span<const float> by_first, std::span<float> gradient) const;
  const float* at(std::size_t matrix) const { return parameters_.data() + matrix; }
  std::size_t size_of(std::size_t k) const { return network_.begin(k + 1) - network_.begin(k); }

  const TimeNetwork& network_;
  TimeLayout layout_;
  std::span<const float> parameters_, vectors_;
  std::size_t n_;
  std::vector<std::uint8_t> known_;  // 0: without a date
  std::vector<std::uint8_t> day_;
  std::vector<float> normalised_, sines_, cosines_;  // n, n x waves, n x waves: of the year
  std::vector<float> month_, of_year_;               // n x 2: sine and cosine
  std::array<std::vector<float>, 4>
      parts_;                 // of e: n x size_of(k); `absolute` has all of e in the first
  std::vector<float> first_;  // n x width: h, or what is added
  std::vector<float> gamma_;  // n x D
  std::vector<float> fused_;
  std::vector<double> norms_;
};

}  // namespace asof::training
