// Lexicon: each written word of the texts that are read has a number, so that texts are columns of
// numbers and a question's work is done by distinct word. A written word is read once.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "encoder/static_model.hpp"
#include "statements/string_numbers.hpp"
#include "statements/words.hpp"

namespace asof::statements {

/// What a written word has in the lexicon: content words `first` to `first + content`.
struct Entry {
  std::uint32_t first = 0;
  std::uint32_t content = 0;
  std::uint32_t all = 0;     // words, stop words too
  std::uint32_t length = 0;  // UTF-16 units without the punctuation behind it; 0 of no word
};

/// Words and texts (terms and lower-case forms) by number. It only grows. Without an encoder tokens
/// and rarities of words stay unknown: to pack passages.
struct Lexicon {
  explicit Lexicon(std::shared_ptr<const StaticModel> model = nullptr)
      : encoder(std::move(model)) {}

  const std::shared_ptr<const StaticModel> encoder;
  // By number of a word.
  std::vector<std::uint32_t> terms;    // number of its term
  std::vector<std::uint32_t> lows;     // number of its lower-case form
  std::vector<std::uint32_t> offsets;  // in its entry
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint8_t> values, capitals;  // 0 or 1
  std::vector<double> rarities;                // of lower-case forms in English: about 1 to 19
  std::vector<std::uint32_t>
      token_ends;  // tokens of word w in lower case: from token_ends[w - 1] (0 of the first)
  std::vector<std::uint32_t> tokens;
  // By number of a text.
  std::deque<std::u16string> texts;

  std::size_t words() const { return terms.size(); }
  std::optional<std::uint32_t> number_of(std::u16string_view text) const;
  /// What each written word has; those that it lacks are read and added, all of them or, where
  /// memory is short, none.
  std::vector<Entry> read(std::span<const std::u16string_view> written);
  /// By the bytes of what a word is read as (packed.hpp).
  std::optional<std::uint32_t> find_packed(std::string_view key) const;
  std::uint32_t add_packed(std::string_view key, const ReadWord& word);
  /// About how much memory it takes.
  std::size_t bytes() const;

 private:
  void add_word(const ReadWord& word);
  Entry add(std::u16string_view written);
  std::uint32_t enter(const std::u16string& text);
  void cut(std::size_t words, std::size_t texts, std::size_t written);

  struct Written {
    std::u16string text;
    Entry entry;
    operator std::u16string_view() const { return text; }
  };
  struct Packed {
    std::string key;
    std::uint32_t word;
    operator std::string_view() const { return key; }
  };
  StringNumbers<char16_t> numbers_;  // of `texts`
  std::deque<Written> written_;
  StringNumbers<char16_t> written_numbers_;
  std::deque<Packed> packed_;
  StringNumbers<char> packed_numbers_;
};

}  // namespace asof::statements
