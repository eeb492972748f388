// One scan for all boundaries of a text; look-ups are by bisection.
#include "reading/breaks.hpp"

#include <algorithm>
#include <array>

namespace asof::reading {
namespace {

constexpr std::array<std::u16string_view, 9> joining = {
    u"and", u"but", u"then", u"while", u"when", u"until", u"where", u"which", u"who"};
constexpr std::array<std::u16string_view, 2> comparing = {u"before", u"after"};

/// Whether a word of ASCII is in a list.
template <typename List>
bool is_among(const List& list, std::u16string_view word) {
  return std::any_of(list.begin(), list.end(), [&](std::u16string_view each) {
    return std::equal(word.begin(), word.end(), each.begin(), each.end(),
                      [](char16_t one, char16_t other) { return ascii_lower(one) == other; });
  });
}

}  // namespace

Breaks::Breaks(const Text& text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto start = static_cast<std::uint32_t>(at);
    if (is_word_unit(text.units[at])) {
      while (is_word_unit(text.units, at)) ++at;
      const std::u16string_view word = text.words(start, at);
      const Span span = {start, static_cast<std::uint32_t>(at)};
      const bool joins = is_among(joining, word);
      if (joins || is_among(comparing, word)) all_.push_back(span);
      if (joins) of_clauses_.push_back(span);
      continue;
    }
    ++at;
    const std::uint32_t next = start + 1;
    const bool is_open = text.is(next, blank);
    if (text.is_one_of(start, u";:()–—")) {
      all_.push_back({start, next});
      of_clauses_.push_back({start, next});
    } else if (text.is(start, u',')) {
      all_.push_back({start, next});
      if (is_open) of_clauses_.push_back({start, next + 1});
    } else if (text.is(start, u'.') && is_open) {
      all_.push_back({start, next + 1});
      of_clauses_.push_back({start, next + 1});
    }
  }
}

std::size_t Breaks::between(std::size_t start, std::size_t end) const {
  const auto first = std::partition_point(all_.begin(), all_.end(),
                                          [&](const Span& each) { return each.start < start; });
  const auto last =
      std::partition_point(first, all_.end(), [&](const Span& each) { return each.end <= end; });
  return static_cast<std::size_t>(last - first);
}

Span Breaks::clause(const Span& span, const Span& sentence) const {
  const auto before =
      std::partition_point(of_clauses_.begin(), of_clauses_.end(),
                           [&](const Span& each) { return each.end <= span.start; });
  const auto behind = std::partition_point(before, of_clauses_.end(),
                                           [&](const Span& each) { return each.start < span.end; });
  return {before == of_clauses_.begin() ? sentence.start
                                        : std::max(sentence.start, std::prev(before)->end),
          behind == of_clauses_.end() ? sentence.end : std::min(sentence.end, behind->start)};
}

}  // namespace asof::reading
