// Kinds of characters, and functional words.
#include "reading/characters.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "text/unicode.hpp"

namespace asof::reading {
namespace {

std::uint8_t read_kind(char32_t character) {
  const std::uint16_t flags = unicode::properties_of(character).flags;
  std::uint8_t kind = 0;
  if (flags & unicode::letter) kind |= letter;
  if (flags & unicode::mark) kind |= mark;
  if (flags & unicode::number) kind |= number;
  if (flags & unicode::uppercase) kind |= capital;
  if (flags & unicode::lowercase) kind |= small;
  if (flags & unicode::currency) kind |= currency;
  if ((flags & unicode::space) || character == 0x0b || character == 0x0c || character == 0xfeff)
    kind |= blank;
  if (character >= '0' && character <= '9') kind |= digit;
  return kind;
}

/// Of the units of the basic plane; 0 of surrogates.
const std::array<std::uint8_t, 0x10000>& basic_kinds() {
  static const auto table = [] {
    std::array<std::uint8_t, 0x10000> all{};
    for (char32_t unit = 0; unit < 0x10000; ++unit)
      all[unit] = unit >= 0xd800 && unit < 0xe000 ? 0 : read_kind(unit);
    return all;
  }();
  return table;
}

constexpr bool is_high(char16_t unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

const std::unordered_set<std::u16string_view>& functional() {
  static const std::unordered_set<std::u16string_view> words = {
      u"the",      u"a",      u"an",    u"this",  u"that",    u"these",  u"those",   u"its",
      u"his",      u"her",    u"their", u"our",   u"your",    u"my",     u"it",      u"he",
      u"she",      u"they",   u"we",    u"you",   u"i",       u"who",    u"which",   u"what",
      u"when",     u"where",  u"how",   u"of",    u"for",     u"at",     u"in",      u"on",
      u"to",       u"by",     u"with",  u"from",  u"as",      u"into",   u"over",    u"under",
      u"after",    u"before", u"since", u"until", u"between", u"during", u"against", u"than",
      u"about",    u"and",    u"or",    u"but",   u"so",      u"if",     u"because", u"while",
      u"although", u"is",     u"are",   u"was",   u"were",    u"be",     u"been",    u"being",
      u"has",      u"have",   u"had",   u"do",    u"does",    u"did",    u"will",    u"would",
      u"can",      u"could",  u"may",   u"might", u"must",    u"shall",  u"should",  u"not",
      u"no",       u"there",  u"then",  u"also",  u"now"};
  return words;
}
constexpr std::size_t longest_functional = 8;

}  // namespace

void kinds_of(std::u16string_view text, std::vector<std::uint8_t>& kinds) {
  const auto& table = basic_kinds();
  kinds.resize(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (!is_high(text[at])) {
      kinds[at] = table[text[at]];
      ++at;
      continue;
    }
    std::size_t end = at;
    const char32_t character = unicode::next(text, end);
    const std::uint8_t kind = character > 0xffff ? read_kind(character) : 0;
    for (; at < end; ++at) kinds[at] = kind;
  }
}

Text Text::part(std::size_t start, std::size_t end) const {
  end = std::min(end, units.size());
  start = std::min(start, end);
  return {units.substr(start, end - start), kinds + start};
}

bool Text::has(Kind kind) const {
  return std::any_of(kinds, kinds + size(), [&](std::uint8_t each) { return (each & kind) != 0; });
}

bool is_functional(std::u16string_view word) {
  if (word.size() > longest_functional) return false;
  std::array<char16_t, longest_functional> lower;
  std::transform(word.begin(), word.end(), lower.begin(), ascii_lower);
  return is_functional_as_written({lower.data(), word.size()});
}

bool is_functional_as_written(std::u16string_view word) {
  return functional().contains(word);
}

}  // namespace asof::reading
