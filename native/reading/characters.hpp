// Kinds of the characters of a text, by UTF-16 unit: both surrogates have those of their character.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/analyzer.hpp"

namespace asof::reading {

using text::Span;

enum Kind : std::uint8_t {
  letter = 1,
  mark = 2,
  number = 4,
  capital = 8,  // an upper-case letter
  small = 16,   // a lower-case letter
  currency = 32,
  blank = 64,   // what \s of a regular expression matches
  digit = 128,  // 0 to 9
};
constexpr Kind operator|(Kind one, Kind other) {
  return static_cast<Kind>(std::uint8_t{one} | std::uint8_t{other});
}
inline constexpr Kind alphanumeric = letter | number;

/// Replaces `kinds` by those of each unit.
void kinds_of(std::u16string_view text, std::vector<std::uint8_t>& kinds);

/// A text or a part of it with its kinds. Beyond its ends there is no character.
struct Text {
  std::u16string_view units;
  const std::uint8_t* kinds = nullptr;

  std::size_t size() const { return units.size(); }
  bool is(std::size_t at, Kind kind) const { return at < units.size() && (kinds[at] & kind) != 0; }
  bool is(std::size_t at, char16_t unit) const { return at < units.size() && units[at] == unit; }
  bool is_one_of(std::size_t at, std::u16string_view some) const {
    return at < units.size() && some.find(units[at]) != std::u16string_view::npos;
  }
  bool starts(std::size_t at, std::u16string_view words) const {
    return at <= units.size() && units.substr(at).starts_with(words);
  }
  /// Clipped to the text.
  Text part(std::size_t start, std::size_t end) const;
  std::u16string_view words(std::size_t start, std::size_t end) const {
    return part(start, end).units;
  }
  bool has(Kind kind) const;
};

/// Of ASCII, as \w and \b of a regular expression have it.
constexpr bool is_word_unit(char16_t unit) {
  return (unit >= u'0' && unit <= u'9') || (unit >= u'A' && unit <= u'Z') ||
         (unit >= u'a' && unit <= u'z') || unit == u'_';
}
inline bool is_word_unit(std::u16string_view text, std::size_t at) {
  return at < text.size() && is_word_unit(text[at]);
}

constexpr char16_t ascii_lower(char16_t unit) {
  return unit >= u'A' && unit <= u'Z' ? static_cast<char16_t>(unit + 32) : unit;
}

/// Whether a word, but for ASCII's capitals, is one that ends a run of content words.
bool is_functional(std::u16string_view word);
/// The same of the word as it is written.
bool is_functional_as_written(std::u16string_view word);

}  // namespace asof::reading
