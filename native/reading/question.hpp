// What a question asks by: its words as stems, each weighted by how few of the sentences read have
// it, and what it asks of time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "reading/characters.hpp"
#include "reading/dates.hpp"

namespace asof::reading {

struct Question {
  /// Stems and words with signs of its content by their place; then, at the place of a verb, the
  /// stems of its other forms.
  std::unordered_map<std::u16string, std::uint32_t> places;
  std::vector<std::u16string> stems;       // by place
  std::unordered_set<std::u16string> all;  // stems of the whole question
  AskedTime time;
  bool asks_date = false;
  bool lists = false;
};

/// How words of passages stand to a question. Each word is analyzed once.
class QuestionWords {
 public:
  explicit QuestionWords(const Question& question) : question_(question) {}

  /// The places of the question's words that a written word is one of.
  const std::vector<std::uint32_t>& places_of(std::u16string_view written);
  struct Counts {
    std::size_t stems = 0, repeated = 0;
  };
  /// The stems of words, and how many of them the question has.
  Counts count(std::u16string_view words);

 private:
  const Question& question_;
  enum class Stem : std::uint8_t { none, other, asked };
  Stem stem_of(std::u16string_view word);

  std::unordered_map<std::u16string, std::vector<std::uint32_t>> places_;
  std::unordered_map<std::u16string, Stem> stems_;
  std::vector<text::Span> spans_;
};

}  // namespace asof::reading
