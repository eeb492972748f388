// What a search may show of a segment, as JavaScript says it: a bitmap of its passages, the numbers
// of a few of them, or null for all. Read and checked on the JS thread; where the few passages'
// rows lie is found by the task.
#pragma once

#include <napi.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "boundary/arguments.hpp"
#include "index/vector/few.hpp"
#include "index/vector/request.hpp"

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
      few_.visible = copied(array<std::uint8_t>(value, "visible", (passages + 7) / 8));
    }
  }

  /// Lends the segment what it may show; for the task, and once.
  void show(vector::SearchSegment& segment) {
    if (numbers_) few_ = vector::show_few(segment.rows, *numbers_);
    segment.visible = few_.visible;
    segment.blocks = few_.blocks;
  }

 private:
  std::optional<std::vector<std::uint32_t>> numbers_;
  vector::Few few_;
};

}  // namespace asof::boundary
