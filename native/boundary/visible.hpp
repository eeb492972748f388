// What a search may show of a segment, as JavaScript says it: a bitmap of its passages, the numbers
// of a few of them, or null for all. Read and checked on the JS thread; where the few passages'
// rows lie is found by the task.
#pragma once

#include <napi.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "boundary/arguments.hpp"
#include "index/vector/request.hpp"
#include "index/vector/row_subset.hpp"

namespace asof::boundary {

class Visible {
 public:
  Visible() = default;
  Visible(const Napi::Value& value, std::size_t passages) {
    if (value.IsNull() || value.IsUndefined()) return;
    if (value.IsTypedArray() &&
        value.As<Napi::TypedArray>().TypedArrayType() == napi_uint32_array) {
      numbers_ = copied(array<std::uint32_t>(value, "visible"));
      const bool known = std::all_of(numbers_->begin(), numbers_->end(),
                                     [&](std::uint32_t each) { return each < passages; });
      if (!known)
        refuse("visible", "numbers of passages below " + std::to_string(passages),
               "one that is not");
    } else {
      subset_.visible = copied(array<std::uint8_t>(value, "visible", (passages + 7) / 8));
    }
  }

  /// Lends the segment what it may show; for the task, and once.
  void show(vector::SearchSegment& segment) {
    if (numbers_) subset_ = vector::subset_of(segment.rows, *numbers_);
    segment.visible = subset_.visible;
    segment.blocks = subset_.blocks;
  }

 private:
  std::optional<std::vector<std::uint32_t>> numbers_;
  vector::RowSubset subset_;
};

}  // namespace asof::boundary
