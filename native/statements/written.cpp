// Written words by the roles of characters.
#include "statements/written.hpp"

#include <array>

#include "text/unicode.hpp"

namespace asof::statements {
namespace {

/// Where a character may stand in a written word; a digit stands everywhere, like a letter.
enum Role : std::uint8_t { nowhere, behind, first, anywhere, digit };

Role read_role(char32_t character) {
  const std::uint16_t flags = unicode::properties_of(character).flags;
  if (flags & unicode::number) return digit;
  if ((flags & unicode::letter) || character == U'\u2212') return anywhere;
  switch (character) {
    case '$':
    case '#':
    case '@':
      return first;
    case '_':
    case '.':
    case '\'':
    case U'\u2019':
    case '+':
    case ':':
    case '/':
    case '-':
      return behind;
    default:
      return nowhere;
  }
}

/// Roles of the units of the basic plane.
const std::array<std::uint8_t, 0x10000>& roles() {
  static const auto table = [] {
    std::array<std::uint8_t, 0x10000> all{};
    for (char32_t unit = 0; unit < 0x10000; ++unit)
      all[unit] = unit >= 0xd800 && unit < 0xe000 ? nowhere : read_role(unit);
    return all;
  }();
  return table;
}

constexpr bool is_surrogate(char16_t unit) {
  return unit >= 0xd800 && unit < 0xe000;
}

/// Both surrogates have the role of their character.
Role role_at(std::u16string_view text, std::size_t at) {
  const char16_t unit = text[at];
  if (!is_surrogate(unit)) return static_cast<Role>(roles()[unit]);
  std::size_t from = unit < 0xdc00 || at == 0 ? at : at - 1;
  const char32_t character = unicode::next(text, from);
  return character > 0xffff ? read_role(character) : nowhere;
}

/// Whether a comma stands between thousands.
bool is_thousands(std::u16string_view text, std::size_t at) {
  if (text[at] != u',' || at == 0 || at + 3 >= text.size()) return false;
  for (const std::size_t each : {at - 1, at + 1, at + 2, at + 3})
    if (role_at(text, each) != digit) return false;
  return true;
}

/// What \s of a regular expression matches.
bool is_blank(char16_t unit) {
  return unit == 0x0b || unit == 0x0c || unit == 0xfeff ||
         (unicode::properties_of(unit).flags & unicode::space) != 0;
}

constexpr char16_t lower(char16_t unit) {
  return unit >= u'A' && unit <= u'Z' ? static_cast<char16_t>(unit + 32) : unit;
}

/// The small word of names at the beginning of a text; its length, 0 without one.
std::size_t small_word(std::u16string_view text) {
  constexpr std::array<std::u16string_view, 11> list = {
      u"of", u"the", u"and", u"de", u"la", u"for", u"on", u"du", u"von", u"van", u"al"};
  if (text.starts_with(u'&')) return 1;
  for (const std::u16string_view word : list) {
    if (text.size() <= word.size()) continue;
    std::size_t same = 0;
    while (same < word.size() && lower(text[same]) == word[same]) ++same;
    if (same == word.size() && is_blank(text[same])) return same;
  }
  return 0;
}

}  // namespace

void written_words(std::u16string_view text, std::vector<Span>& spans) {
  spans.clear();
  for (std::size_t at = 0; at < text.size();) {
    if (role_at(text, at) < first) {
      ++at;
      continue;
    }
    const std::size_t start = at;
    for (++at; at < text.size(); ++at) {
      const Role role = role_at(text, at);
      // A sign that begins words may begin the next one.
      if (role == first || (role == nowhere && !is_thousands(text, at))) break;
    }
    spans.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(at)});
  }
}

bool joins_name(std::u16string_view between) {
  std::size_t at = 0;
  const auto is_joint = [](char16_t unit) {
    return is_blank(unit) || unit == u'\'' || unit == u'\u2019' || lower(unit) == u's' ||
           unit == u'\u017f' || unit == u'(';
  };
  while (at < between.size() && is_joint(between[at])) ++at;
  while (at < between.size()) {
    const std::size_t length = small_word(between.substr(at));
    if (length == 0) return false;
    at += length;
    if (at == between.size() || !is_blank(between[at])) return false;
    while (at < between.size() && is_blank(between[at])) ++at;
  }
  return true;
}

}  // namespace asof::statements
