// Statistics of the rows of some of a segment's passages: of those that a filter leaves, or that were
// live at an earlier time. Cached, since many questions are about the same ones.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

namespace asof::lexical {

class Reader;

/// Counts of one set of passages, by part of the segment. Thread-safe.
class CountedRows {
 public:
  /// Bit p % 8 of byte p / 8: passage p counts.
  CountedRows(const Reader& reader, std::span<const std::uint8_t> passages);

  const std::array<std::uint64_t, 3>& rows() const { return rows_; }
  const std::array<std::uint64_t, 3>& tokens() const { return tokens_; }
  /// Of them, those with a term.
  std::array<std::uint32_t, 3> with_term(const Reader& reader, std::uint32_t term);
  std::span<const std::uint8_t> passages() const { return passages_; }

 private:
  bool counts(std::uint32_t passage) const {
    return passage / 8 < passages_.size() && (passages_[passage / 8] >> (passage % 8) & 1) != 0;
  }
  std::vector<std::uint8_t> passages_;
  std::array<std::uint64_t, 3> rows_{}, tokens_{};
  std::mutex mutex_;
  std::unordered_map<std::uint32_t, std::array<std::uint32_t, 3>> with_term_;
};

/// The counts of the last few sets of a segment's passages.
class CountedRowsCache {
 public:
  std::shared_ptr<CountedRows> of(const Reader& reader, std::span<const std::uint8_t> passages);

 private:
  static constexpr std::size_t capacity = 4;
  std::mutex mutex_;
  std::list<std::shared_ptr<CountedRows>> latest_;  // the last used first
};

}  // namespace asof::lexical
