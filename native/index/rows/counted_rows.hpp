// Statistics of the rows of some of a segment's passages: of those that a filter leaves, or that
// were live at an earlier time. Cached, since many questions are about the same ones.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace asof {

/// Counts of one set of passages, by part of the segment's rows (lexical::Parts). Thread-safe.
class CountedRows {
 public:
  /// Bit p % 8 of byte p / 8: passage p counts.
  explicit CountedRows(std::span<const std::uint8_t> passages)
      : passages_(passages.begin(), passages.end()) {}

  std::span<const std::uint8_t> passages() const { return passages_; }
  bool counts(std::uint32_t passage) const {
    return passage / 8 < passages_.size() && (passages_[passage / 8] >> (passage % 8) & 1) != 0;
  }
  /// Of them, those with a term; counted at the first call.
  std::array<std::uint32_t, 3> with_term(
      std::uint32_t term, const std::function<std::array<std::uint32_t, 3>()>& count);

  std::array<std::uint64_t, 3> rows{}, tokens{};

 private:
  std::vector<std::uint8_t> passages_;
  std::mutex mutex_;
  std::unordered_map<std::uint32_t, std::array<std::uint32_t, 3>> with_term_;
};

/// The counts of the last few sets of a segment's passages. Thread-safe.
class CountedRowsCache {
 public:
  /// `count` sets the rows and tokens of a set that is not known.
  std::shared_ptr<CountedRows> of(std::span<const std::uint8_t> passages,
                                  const std::function<void(CountedRows&)>& count);

 private:
  std::mutex mutex_;
  std::list<std::shared_ptr<CountedRows>> latest_;  // the last used first
};

}  // namespace asof
