// Word vectors by index term, for similarities between words. The table is created once and shared.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace asof::lexical {

/// Cache of the words of a table by the term numbers of a segment's dictionary: reading a number is
/// faster than hashing a term. Thread-safe.
class WordNumbers {
 public:
  static constexpr std::uint32_t unknown = 0xffffffff, none = 0xfffffffe;
  explicit WordNumbers(std::size_t terms)
      : terms_(terms), numbers_(new std::atomic<std::uint32_t>[terms]) {
    for (std::size_t i = 0; i < terms; ++i) numbers_[i].store(unknown, std::memory_order_relaxed);
  }
  std::size_t terms() const { return terms_; }
  std::uint32_t get(std::uint32_t term) const {
    return numbers_[term].load(std::memory_order_relaxed);
  }
  void set(std::uint32_t term, std::uint32_t word) {
    numbers_[term].store(word, std::memory_order_relaxed);
  }

 private:
  std::size_t terms_;
  std::unique_ptr<std::atomic<std::uint32_t>[]> numbers_;
};

class WordTable {
 public:
  /// Terms of all cached dictionaries; the least recently used segment is evicted first.
  static constexpr std::size_t max_cached_terms = std::size_t{1} << 22;

  /// One scale and `dimensions` components a term. Throws ERR_INVALID_ARGUMENT for other lengths
  /// and for a term given twice.
  WordTable(std::vector<std::string> terms, std::vector<float> scales,
            std::vector<std::int8_t> rows, std::size_t dimensions);
  WordTable(const WordTable&) = delete;  // its terms are looked up where they lie
  WordTable& operator=(const WordTable&) = delete;

  std::size_t terms() const { return terms_.size(); }
  std::optional<std::uint32_t> find(std::string_view term) const;
  /// The cosine of two terms' vectors, 0 where it is below that: the sum of their products, exact,
  /// times one scale and then the other.
  double likeness(std::uint32_t term, std::uint32_t other) const;
  /// Cached numbers of this table's words in the dictionary of a segment, by the segment's number
  /// in this process; a segment with more terms than the cache allows is not cached.
  std::shared_ptr<WordNumbers> numbers_of(std::uint64_t segment, std::size_t terms) const;

 private:
  std::vector<std::string> terms_;
  std::vector<float> scales_;
  std::vector<std::int8_t> rows_;
  std::size_t dimensions_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  struct CacheEntry {
    std::uint64_t segment;
    std::shared_ptr<WordNumbers> numbers;
  };
  mutable std::mutex mutex_;
  mutable std::vector<CacheEntry> cache_;  // the most recently used last
};

}  // namespace asof::lexical
