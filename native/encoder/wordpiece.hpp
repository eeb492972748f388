// BERT's uncased WordPiece tokenization: cleaning, lower case, accent stripping, splitting, longest
// match. Special tokens are plain text.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Agrees with @huggingface/tokenizers token for token (test/encoder/wordpiece.test.ts), which
// differs from BERT's original code in one point: ideographs beyond the BMP are not split.

namespace asof {

/// Pieces of words and their ids, by longest match. Immutable, so that threads share it.
class Vocabulary {
 public:
  /// Tokens in order of their ids, UTF-8, each ended by a line feed; "##" marks one that continues
  /// a word. Throws std::invalid_argument if a token is empty, repeated or not UTF-8, or "[UNK]" is
  /// missing.
  explicit Vocabulary(std::string_view lines);

  std::size_t size() const noexcept { return offsets_.size() - 1; }
  std::uint32_t unknown() const noexcept { return unknown_; }
  /// The id of a token, as its line has it.
  std::optional<std::uint32_t> id_of(std::u16string_view line) const;
  /// Appends the ids of a word's pieces, or the unknown token's if it cannot be split or is longer
  /// than 100 code points.
  void split(std::u32string_view word, std::vector<std::uint32_t>& ids) const;

 private:
  struct Slot {
    std::uint32_t hash = 0, id = none;
  };
  static constexpr std::uint32_t none = 0xffffffff;
  std::u32string_view token(std::uint32_t id) const {
    return std::u32string_view(letters_).substr(offsets_[id], offsets_[id + 1] - offsets_[id]);
  }
  std::uint32_t find(const std::vector<Slot>& slots, std::uint32_t hash,
                     std::u32string_view piece) const;
  void insert(std::vector<Slot>& slots, std::uint32_t id);

  std::u32string letters_;  // of all tokens, without "##"
  std::vector<std::uint32_t> offsets_;
  std::vector<Slot> initial_, continuing_;  // open addressing; the size is a power of two
  std::size_t longest_ = 0;
  std::uint32_t unknown_ = none;
};

/// Turns text into token ids; holds scratch memory, so each thread has its own.
class Wordpiece {
 public:
  explicit Wordpiece(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}
  /// Replaces `ids` by the ids of the text's tokens. Lone surrogates are dropped.
  void tokenize(std::u16string_view text, std::vector<std::uint32_t>& ids);

 private:
  void take(char32_t code_point, std::u16string_view text, std::size_t after);
  void append(char32_t code_point);
  void end_word();

  const Vocabulary& vocabulary_;
  std::vector<std::uint32_t>* ids_ = nullptr;
  std::u32string word_;
  // word_ from here on is marks after the last starter, in canonical order.
  std::size_t starter_end_ = 0;
  bool after_cased_ = false;  // the last code point that is not case-ignorable was cased
};

}  // namespace asof
