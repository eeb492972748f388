// Live passages of a segment (neither deleted nor filtered out), from JavaScript: a bitmap, a list
// of passage numbers, or null for all.
#pragma once

#include <napi.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "boundary/arguments.hpp"
#include "index/rows/row_subset.hpp"
#include "index/vector/request.hpp"

namespace asof::boundary {

class LiveDocs {
 public:
  LiveDocs() = default;
  LiveDocs(const Napi::Value& value, std::size_t passages) {
    if (value.IsNull() || value.IsUndefined()) return;
    if (value.IsTypedArray() &&
        value.As<Napi::TypedArray>().TypedArrayType() == napi_uint32_array) {
      numbers_ = copied(array<std::uint32_t>(value, "liveDocs"));
      const bool known = std::all_of(numbers_->begin(), numbers_->end(),
                                     [&](std::uint32_t each) { return each < passages; });
      if (!known)
        refuse("liveDocs", "numbers of passages below " + std::to_string(passages),
               "one that is not");
    } else {
      subset_.visible = copied(array<std::uint8_t>(value, "liveDocs", (passages + 7) / 8));
    }
  }

  /// Sets the segment's live passages, borrowed from this. Called once, by the task.
  void apply(VisibleRows& segment) {
    if (numbers_) subset_ = subset_of(segment.rows, *numbers_);
    segment.visible = subset_.visible;
    segment.blocks = subset_.blocks;
  }

 private:
  std::optional<std::vector<std::uint32_t>> numbers_;
  RowSubset subset_;
};

}  // namespace asof::boundary
