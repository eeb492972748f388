// Vectors of common words by their index term: how alike two words are, for texts of which every word is compared with a few of a
// question's. The table is made once and shared. It knows no file format; lib/vectors/wordVectors.ts reads one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace asof::lexical {

class WordTable {
 public:
  /// One scale and `dimensions` components a term. Throws ERR_INVALID_ARGUMENT for other lengths and for a term given twice.
  WordTable(std::vector<std::string> terms, std::vector<float> scales, std::vector<std::int8_t> rows, std::size_t dimensions);
  WordTable(const WordTable&) = delete;  // its terms are looked up where they lie
  WordTable& operator=(const WordTable&) = delete;

  std::size_t terms() const { return terms_.size(); }
  std::optional<std::uint32_t> find(std::string_view term) const;
  /// The cosine of two terms' vectors, 0 where it is below that: the sum of their products, exact, times one scale and then the other.
  double likeness(std::uint32_t term, std::uint32_t other) const;

 private:
  std::vector<std::string> terms_;
  std::vector<float> scales_;
  std::vector<std::int8_t> rows_;
  std::size_t dimensions_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace asof::lexical
