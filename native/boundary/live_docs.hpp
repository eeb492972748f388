// Live passages of a segment (neither deleted nor filtered out), from JavaScript: a bitmap, a list
// of passage numbers, or null for all.
#pragma once

#include <napi.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "boundary/arguments.hpp"
#include "index/rows/block.hpp"
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
    if (!numbers_) find_few();
    if (numbers_) subset_ = subset_of(segment.rows, *numbers_);
    segment.visible = subset_.visible;
    segment.blocks = subset_.blocks;
  }

 private:
  /// Of so few passages the blocks are worth knowing: most have none.
  void find_few() {
    const auto& bits = subset_.visible;
    std::size_t count = 0;
    for (const std::uint8_t byte : bits) count += static_cast<std::size_t>(std::popcount(byte));
    if (bits.empty() || count > bits.size() * 8 / block_rows) return;
    numbers_.emplace();
    for (std::uint32_t at = 0; at < bits.size(); ++at)
      for (std::uint32_t rest = bits[at]; rest != 0; rest &= rest - 1)
        numbers_->push_back(8 * at + static_cast<std::uint32_t>(std::countr_zero(rest)));
  }

  std::optional<std::vector<std::uint32_t>> numbers_;
  RowSubset subset_;
};

/// Bitmaps of the passages that statistics count, one a segment; null for all.
inline std::vector<std::uint8_t> counted_docs(const Napi::Value& list, std::uint32_t segment,
                                              std::size_t passages) {
  if (list.IsNull() || list.IsUndefined()) return {};
  if (!list.IsArray() || segment >= list.As<Napi::Array>().Length())
    refuse("countedDocs", "null or an array with an entry for each segment", kind_of(list));
  const Napi::Value each = list.As<Napi::Array>().Get(segment);
  if (each.IsNull() || each.IsUndefined()) return {};
  return copied(array<std::uint8_t>(each, "countedDocs", (passages + 7) / 8));
}

}  // namespace asof::boundary
