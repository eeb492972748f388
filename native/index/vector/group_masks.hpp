// Masks of a query group: the distinct ones by number, compiled for each segment.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/rows/mask.hpp"
#include "index/vector/request.hpp"

namespace asof::vector {

class DistinctMasks {
 public:
  /// The mask's number; masks are numbered in the order in which they are first added.
  std::size_t number_of(const temporal::Mask& mask) {
    if (!masks_.empty() && masks_.back() == mask) return masks_.size() - 1;
    if (2 * masks_.size() >= slots_.size()) grow();
    const std::size_t slot = slot_of(mask);
    if (slots_[slot] == 0) {
      masks_.push_back(mask);
      slots_[slot] = static_cast<std::uint32_t>(masks_.size());
    }
    return slots_[slot] - 1;
  }

  const std::vector<temporal::Mask>& all() const { return masks_; }

 private:
  /// The mask's slot in the hash table, or the free slot for it.
  std::size_t slot_of(const temporal::Mask& mask) const {
    std::size_t hash =
        static_cast<std::size_t>(mask.clock) << 8 | static_cast<std::size_t>(mask.relation);
    for (const double time : {mask.published_until, mask.window.start, mask.window.end})
      hash = (hash ^ std::hash<double>()(time)) * 0x9e3779b97f4a7c15u;
    std::size_t slot = (hash >> 32) & (slots_.size() - 1);
    while (slots_[slot] != 0 && !(masks_[slots_[slot] - 1] == mask))
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(16, 4 * masks_.size()), 0);
    std::uint32_t number = 0;
    for (const temporal::Mask& mask : masks_) slots_[slot_of(mask)] = ++number;
  }

  std::vector<temporal::Mask> masks_;
  std::vector<std::uint32_t> slots_;  // a power of two: 1 + a mask's number, or 0
};

struct GroupMasks {
  std::vector<temporal::Mask> distinct;
  std::vector<std::size_t> number;    // one a query: of its mask in `distinct`
  std::vector<SegmentMask> compiled;  // segments * distinct
  std::vector<std::uint64_t> hidden;  // one a distinct mask: rows in scope that it hides

  std::span<const SegmentMask> of_segment(std::size_t segment) const {
    return {compiled.data() + segment * distinct.size(), distinct.size()};
  }
  void compile(const Request& request) {
    compiled.clear();
    for (const VisibleRows& segment : request.segments) {
      for (const temporal::Mask& mask : distinct)
        compiled.push_back(compile_mask(mask, segment.rows));
    }
  }
};

}  // namespace asof::vector
