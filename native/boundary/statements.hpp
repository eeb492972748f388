// Texts of passages that JavaScript hands over to be read, and the lexicon that they are read with.
#pragma once

#include <napi.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "boundary/facts.hpp"
#include "boundary/request.hpp"
#include "statements/reading.hpp"

namespace asof::boundary {

/// Throws ERR_INVALID_ARGUMENT for anything but what openLexicon gave.
SharedLexicon& lexicon_of(const Napi::Value& value);

/// A list of lists, one after another: list i ends at `ends[i]`.
template <typename T>
class ListOf {
 public:
  ListOf(const Fields& request, const char* ends, const char* items, std::size_t lists,
         std::size_t per_item = 1)
      : ends_(request.column<std::uint32_t>(ends, lists)),
        items_(request.column<T>(items)),
        per_item_(per_item) {
    const std::size_t count = ends_.empty() ? 0 : ends_.back();
    if (!std::is_sorted(ends_.begin(), ends_.end()) || count * per_item != items_.size())
      refuse(ends, "ascending up to " + std::to_string(items_.size() / per_item), "other numbers");
  }
  std::span<const T> operator[](std::size_t list) const {
    const std::size_t from = list == 0 ? 0 : ends_[list - 1];
    return items_.subspan(from * per_item_, (ends_[list] - from) * per_item_);
  }
  std::span<const std::uint32_t> ends() const { return ends_; }

 private:
  std::span<const std::uint32_t> ends_;
  std::span<const T> items_;
  std::size_t per_item_;
};

/// PassageSources of binding.d.ts, copied.
std::vector<statements::SourcePassage> sources_of(const Fields& request);

/// The instants of a group's mentions from JavaScript, four numbers each: start and end as
/// instants, then on the wall clock.
std::vector<double> instants_of(const Napi::Value& value, const statements::TextGroup& group);

}  // namespace asof::boundary
