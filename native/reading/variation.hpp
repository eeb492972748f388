// What varies between passages of one series and what stays: their values differ where their words
// around them agree. Compares strings in lower case; it knows no series.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reading/characters.hpp"

namespace asof::reading {

/// Both 0 to 1.
struct Variability {
  double constancy = 0;  // share of the other passages that have a span's words too
  double slot = 0;       // how far its words are missing in the others where its neighbours are not
};

class Variation {
 public:
  /// Texts of passages; they stay where they are.
  explicit Variation(const std::vector<Text>& texts);

  Variability of(std::size_t passage, const Span& span);

 private:
  struct Lower {
    Text original;
    std::u16string units;
    std::vector<std::uint8_t> kinds;
    Text text() const { return {units, kinds.data()}; }
  };
  struct Holders {
    std::vector<bool> has;  // by passage
    std::size_t count = 0;
  };
  /// The share of the passages but one that have some words.
  double share_of(std::size_t but, std::u16string_view words);
  double share_of(std::size_t passage, std::size_t start, std::size_t end);
  Holders holders_of(std::u16string_view words) const;
  bool has(std::size_t passage, std::u16string_view words) const;

  std::vector<Lower> texts_;
  /// Passage and place of each run of letters and digits, in order.
  std::unordered_map<std::u16string_view, std::vector<std::pair<std::uint32_t, std::uint32_t>>>
      runs_;
  std::unordered_map<std::u16string, Holders> known_;
};

}  // namespace asof::reading
