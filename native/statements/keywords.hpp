// Keywords of a question in texts (MRAG, arXiv 2412.15540, appendix F): the sum of the weights of
// those that occur, in one pass over a text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace asof::statements {

struct Keyword {
  std::vector<std::u16string> forms;  // equivalent spellings
  double weight = 0;
  bool anywhere = false;  // within words, too; else its tokens are consecutive ones of the text
};

/// Immutable, so that threads share it.
class Keywords {
 public:
  explicit Keywords(std::span<const Keyword> keywords);
  /// Of a folded text (folding.hpp). Each keyword counts once, if a form of it occurs: in any case,
  /// with accents as they are. Words of a form are apart by blanks, signs may touch.
  double score(const std::string& folded) const;

 private:
  struct Form {
    std::size_t keyword;
    std::vector<std::string> tokens;  // one of a form that occurs anywhere
    bool anywhere;
  };
  static bool occurs(std::string_view text, std::size_t at, const Form& form);
  bool may_start(unsigned char first, unsigned char second) const {
    return (starts_[first][second / 64] >> (second % 64) & 1) != 0;
  }

  std::vector<double> weights_;
  std::vector<Form> forms_;                     // by their first bytes
  std::array<std::uint32_t, 257> by_first_{};   // forms that begin with a byte
  std::array<std::uint64_t[4], 256> starts_{};  // by a first byte, the second ones
};

}  // namespace asof::statements
