#include "question/tokens.hpp"

#include "timetag/lexer/characters.hpp"

namespace asof::question {
namespace {

constexpr bool apostrophe(char16_t c) {
  return c == u'\'' || c == 0x2018 || c == 0x2019;
}

constexpr bool joins(char16_t c) {
  return std::u16string_view(u"-./:@+#&").find(c) != std::u16string_view::npos;
}

}  // namespace

Sort sort_of(char16_t c) {
  if (c >= 128)
    return timetag::wide_blank(c)    ? Sort::blank
           : timetag::wide_symbol(c) ? Sort::symbol
                                     : Sort::letter;
  if (c >= '0' && c <= '9') return Sort::digit;
  if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_') return Sort::letter;
  return c == ' ' || (c >= '\t' && c <= '\r') ? Sort::blank : Sort::symbol;
}

void tokenize(std::u16string_view text, std::vector<Token>& tokens) {
  tokens.clear();
  const std::size_t size = text.size();
  const auto in_word = [&](std::size_t i) { return i < size && sort_of(text[i]) >= Sort::letter; };
  const auto possessive = [&](std::size_t i) {
    return apostrophe(text[i]) && i + 1 < size && (text[i + 1] | 32) == 's' && !in_word(i + 2);
  };
  for (std::size_t i = 0; i < size;) {
    const std::size_t begin = i;
    if (sort_of(text[i]) == Sort::blank) {
      ++i;
      continue;
    }
    if (sort_of(text[i]) == Sort::symbol) {
      const bool after_word = !tokens.empty() && tokens.back().end == i;
      const bool pair = text[i] >= 0xD800 && text[i] <= 0xDBFF && i + 1 < size &&
                        text[i + 1] >= 0xDC00 && text[i + 1] <= 0xDFFF;
      i += pair || (after_word && possessive(i)) ? 2 : 1;
    } else {
      while (in_word(i) || (i < size && in_word(i + 1) &&
                            (joins(text[i]) || (apostrophe(text[i]) && !possessive(i)))))
        ++i;
    }
    tokens.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i)});
  }
}

}  // namespace asof::question
