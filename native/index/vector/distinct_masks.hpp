// Distinct masks of a query group, by number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "index/vector/request.hpp"

namespace asof::vector {

class DistinctMasks {
 public:
  /// The mask's number; a new one's is the number of those before.
  std::size_t number_of(const Mask& mask) {
    if (!masks_.empty() && masks_.back() == mask) return masks_.size() - 1;
    if (2 * masks_.size() >= places_.size()) grow();
    const std::size_t place = place_of(mask);
    if (places_[place] == 0) {
      masks_.push_back(mask);
      places_[place] = static_cast<std::uint32_t>(masks_.size());
    }
    return places_[place] - 1;
  }

  const std::vector<Mask>& all() const { return masks_; }

 private:
  /// Where the mask is, or may be put.
  std::size_t place_of(const Mask& mask) const {
    std::size_t hash =
        static_cast<std::size_t>(mask.clock) << 8 | static_cast<std::size_t>(mask.relation);
    for (const double time : {mask.published_until, mask.window.start, mask.window.end})
      hash = (hash ^ std::hash<double>()(time)) * 0x9e3779b97f4a7c15u;
    std::size_t place = (hash >> 32) & (places_.size() - 1);
    while (places_[place] != 0 && !(masks_[places_[place] - 1] == mask))
      place = (place + 1) & (places_.size() - 1);
    return place;
  }

  void grow() {
    places_.assign(std::max<std::size_t>(16, 4 * masks_.size()), 0);
    std::size_t known = 0;
    for (const Mask& mask : masks_) places_[place_of(mask)] = static_cast<std::uint32_t>(++known);
  }

  std::vector<Mask> masks_;
  std::vector<std::uint32_t>
      places_;  // one more than a mask's number, or 0; a power of two of them
};

}  // namespace asof::vector
