// Canonical decomposition, ordering and composition, and full lower case.
#include "text/forms.hpp"

#include <algorithm>

#include "text/unicode.hpp"

namespace asof::text {
namespace {

using unicode::properties_of;

void append(std::u16string& to, char32_t character) {
  if (character < 0x10000) {
    to += static_cast<char16_t>(character);
    return;
  }
  to += static_cast<char16_t>(0xd7c0 + (character >> 10));
  to += static_cast<char16_t>(0xdc00 + (character & 0x3ff));
}

/// The text in NFD.
std::u32string decomposed(std::u16string_view text) {
  std::u32string all;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t character = unicode::next(text, at);
    const std::u32string_view parts = unicode::nfd(properties_of(character));
    char32_t letters[3];
    if (unicode::is_hangul_syllable(character))
      all.append(letters, unicode::hangul_parts(character, letters));
    else if (parts.empty())
      all += character;
    else
      all += parts;
  }
  const auto rank = [](char32_t each) { return properties_of(each).rank; };
  for (auto from = all.begin(); from != all.end();) {
    from = std::find_if(from, all.end(), rank);
    const auto to = std::find_if_not(from, all.end(), rank);
    std::stable_sort(from, to,
                     [&](char32_t one, char32_t other) { return rank(one) < rank(other); });
    from = to;
  }
  return all;
}

/// The character that two become; 0 of others.
char32_t composition(char32_t first, char32_t second) {
  // A Hangul syllable of its first two letters, then of all three.
  if (first >= 0x1100 && first < 0x1113 && second >= 0x1161 && second < 0x1176)
    return 0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28;
  if (unicode::is_hangul_syllable(first) && (first - 0xac00) % 28 == 0 && second > 0x11a7 &&
      second < 0x11c3)
    return first + second - 0x11a7;
  const auto* const end = unicode::compositions + unicode::composition_count;
  const auto* const found =
      std::lower_bound(unicode::compositions, end, std::pair(first, second),
                       [](const unicode::Composition& each, const auto& pair) {
                         return std::pair(each.first, each.second) < pair;
                       });
  return found != end && found->first == first && found->second == second ? found->composed : 0;
}

}  // namespace

bool is_composed(std::u16string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    // No character before these is unstable.
    if (text[at] < 0x300)
      ++at;
    else if (properties_of(unicode::next(text, at)).flags & unicode::unstable)
      return false;
  }
  return true;
}

std::u16string composed(std::u16string_view text) {
  std::u32string all = decomposed(text);
  std::size_t size = 0, starter = 0;
  bool has_starter = false;
  std::uint8_t before = 0;  // rank of the last character that stays behind the starter
  for (const char32_t each : all) {
    const std::uint8_t rank = properties_of(each).rank;
    // One of the same class in between, or a starter, keeps it apart.
    const bool is_blocked = size > starter + 1 && before >= rank;
    const char32_t one = has_starter && !is_blocked ? composition(all[starter], each) : 0;
    if (one != 0) {
      all[starter] = one;
      continue;
    }
    if (rank == 0) {
      starter = size;
      has_starter = true;
    }
    before = rank;
    all[size++] = each;
  }
  std::u16string result;
  for (const char32_t each : std::u32string_view(all).substr(0, size)) append(result, each);
  return result;
}

std::u16string lower_case(std::u16string_view text) {
  constexpr char32_t sigma = 0x3a3, dotted_i = 0x130;
  std::u16string result;
  result.reserve(text.size());
  bool after_cased = false;  // the last character that is not case-ignorable
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] < 128) {
      const bool capital = text[at] >= u'A' && text[at] <= u'Z';
      result += static_cast<char16_t>(text[at] + (capital ? 32 : 0));
    }
    const char32_t character = unicode::next(text, at);
    const unicode::Properties& own = properties_of(character);
    if (character == dotted_i) {
      result += u"i\u0307";
    } else if (character == sigma && after_cased) {
      bool cased_follows = false;
      for (std::size_t after = at; after < text.size();) {
        const std::uint16_t next = properties_of(unicode::next(text, after)).flags;
        if (next & unicode::case_ignorable) continue;
        cased_follows = (next & unicode::cased) != 0;
        break;
      }
      append(result, cased_follows ? 0x3c3 : 0x3c2);
    } else if (character >= 128) {
      append(result, own.lower == 0 ? character : own.lower);
    }
    if (!(own.flags & unicode::case_ignorable)) after_cased = (own.flags & unicode::cased) != 0;
  }
  return result;
}

}  // namespace asof::text
