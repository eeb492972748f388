// Words by the kinds of their characters, and their terms.
#include "text/analyzer.hpp"

#include <algorithm>
#include <array>

#include "text/forms.hpp"
#include "text/stemmer.hpp"
#include "text/unicode.hpp"

namespace asof::text {
namespace {

using View = std::u16string_view;

constexpr std::size_t longest_word = 255;

enum Kind : std::uint8_t { none, letter, digit, ideograph };

Kind kind_of(char32_t character) {
  const std::uint16_t flags = unicode::properties_of(character).flags;
  if (flags & unicode::number) return digit;
  if (flags & unicode::unspaced) return ideograph;
  return flags & (unicode::letter | unicode::mark) ? letter : none;
}

constexpr bool is_low_surrogate(char16_t unit) {
  return (unit & 0xfc00) == 0xdc00;
}

/// The kind of the character that a unit is of; none outside of the text.
Kind kind_at(View text, std::size_t at) {
  if (at >= text.size()) return none;
  if ((text[at] & 0xf800) != 0xd800) return kind_of(text[at]);
  std::size_t from = is_low_surrogate(text[at]) && at > 0 ? at - 1 : at;
  const char32_t character = unicode::next(text, from);
  return character > 0xffff ? kind_of(character) : none;
}

constexpr bool is_apostrophe(char16_t unit) {
  return unit == u'\'' || unit == u'\u2019' || unit == u'\uff07';
}

/// Whether a comma or a point between digits belongs to the number that began at `start`.
bool joins_digits(View text, std::size_t start, std::size_t at) {
  std::size_t end = at + 1;
  while (kind_at(text, end) == digit) ++end;
  // Digits alone, as before the comma before them, which would not have joined others.
  std::size_t group = at;
  while (group > start && text[group - 1] != u',')
    if (kind_at(text, --group) != digit) return false;
  const auto point_at = [&](std::size_t place) {
    return place < text.size() && text[place] == u'.';
  };
  // 6.5.2021 is three numbers.
  if (text[at] == u'.')
    return !(point_at(end) && kind_at(text, end + 1) == digit) &&
           !(point_at(start - 1) && kind_at(text, start - 2) == digit);
  return end - at == 4 && (group == start ? at - group <= 3 : at - group == 3);
}

/// Whether the punctuation at `at` is part of the word that began at `start`.
bool joins(View text, std::size_t start, std::size_t at) {
  const char16_t unit = text[at];
  if (!is_apostrophe(unit) && unit != u',' && unit != u'.') return false;
  const Kind before = kind_at(text, at - 1), after = kind_at(text, at + 1);
  if (is_apostrophe(unit)) return before == letter && after == letter;
  if (before == digit && after == digit) return joins_digits(text, start, at);
  if (unit == u',' || before != letter || after != letter) return false;
  // Single letters on both sides: "u.s", not "end.Start".
  const Kind follows = kind_at(text, at + 2);
  const bool single = at - 1 == start || (text[at - 2] == u'.' && at - 2 > start);
  return single && follows != letter && follows != digit;
}

std::size_t end_of_word(View text, std::size_t start) {
  const bool is_pair = (text[start] & 0xfc00) == 0xd800;
  std::size_t at = start + (is_pair ? 2 : 1);
  if (kind_at(text, start) == ideograph) return at;
  for (; at < text.size(); ++at) {
    const Kind kind = kind_at(text, at);
    if (kind != letter && kind != digit && (kind == ideograph || !joins(text, start, at))) break;
  }
  return at;
}

constexpr std::array<View, 33> stop_words = {
    u"a",    u"an",   u"and",  u"are",  u"as",   u"at",    u"be",   u"but",   u"by",
    u"for",  u"if",   u"in",   u"into", u"is",   u"it",    u"no",   u"not",   u"of",
    u"on",   u"or",   u"such", u"that", u"the",  u"their", u"then", u"there", u"these",
    u"they", u"this", u"to",   u"was",  u"will", u"with"};

}  // namespace

void find_words(View text, std::vector<Span>& spans) {
  for (std::size_t at = 0; at < text.size();) {
    if (kind_at(text, at) == none) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(text, at);
    while (at < end) {
      std::size_t stop = std::min(end, at + longest_word);
      if (stop < end && is_low_surrogate(text[stop])) --stop;
      spans.push_back({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(stop)});
      at = stop;
    }
  }
}

std::u16string term_of(View word) {
  std::u16string term = lower_case(word);
  std::replace_if(term.begin(), term.end(), is_apostrophe, u'\'');
  if (term.ends_with(u"'s")) term.resize(term.size() - 2);
  std::erase(term, kind_at(term, 0) == digit ? u',' : u'.');
  return stem_of(term);
}

std::u16string stem_of(View word) {
  if (std::binary_search(stop_words.begin(), stop_words.end(), word)) return {};
  std::u16string term(word);
  stem(term);
  return term;
}

std::vector<std::u16string> analyze(View text) {
  std::u16string normal;
  if (!is_composed(text)) text = normal = composed(text);
  std::vector<Span> spans;
  find_words(text, spans);
  std::vector<std::u16string> terms;
  terms.reserve(spans.size());
  for (const Span& each : spans) {
    std::u16string term = term_of(text.substr(each.start, each.end - each.start));
    if (!term.empty()) terms.push_back(std::move(term));
  }
  return terms;
}

std::vector<Span> spans_of_terms(View text, std::vector<std::u16string> terms) {
  std::sort(terms.begin(), terms.end());
  std::vector<Span> spans;
  find_words(text, spans);
  std::erase_if(spans, [&](const Span& each) {
    const View word = text.substr(each.start, each.end - each.start);
    const std::u16string term = is_composed(word) ? term_of(word) : term_of(composed(word));
    return term.empty() || !std::binary_search(terms.begin(), terms.end(), term);
  });
  return spans;
}

}  // namespace asof::text
