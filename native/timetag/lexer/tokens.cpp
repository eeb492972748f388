// One pass over the text; the trigger scan is the same pass without the tokens.
#include "timetag/lexer/tokens.hpp"

#include <array>

#include "timetag/lexer/characters.hpp"

namespace asof::timetag {
namespace {

enum Shape : std::uint8_t { other, blank, letter, digit };

constexpr std::array<std::uint8_t, 128> shapes = [] {
  std::array<std::uint8_t, 128> table{};
  for (unsigned char c : {' ', '\t', '\n', '\r', '\f', '\v'}) table[c] = blank;
  for (int c = 'a'; c <= 'z'; ++c)
    table[static_cast<std::size_t>(c)] = table[static_cast<std::size_t>(c - 32)] = letter;
  for (int c = '0'; c <= '9'; ++c) table[static_cast<std::size_t>(c)] = digit;
  return table;
}();

constexpr Shape shape_of(char16_t c) {
  if (c < 128) return static_cast<Shape>(shapes[c]);
  if (wide_blank(c)) return blank;
  return wide_symbol(c) ? other : letter;
}

constexpr Kind kind_of(char16_t c) {
  switch (c) {
    case '-':
    case 0x2010:
    case 0x2011:
      return Kind::hyphen;
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2015:
    case 0x2212:
      return Kind::dash;
    case ',':
      return Kind::comma;
    case '.':
      return Kind::dot;
    case '/':
      return Kind::slash;
    case ':':
      return Kind::colon;
    case '\'':
    case 0x2018:
    case 0x2019:
      return Kind::apostrophe;
    case '(':
    case '[':
      return Kind::open;
    case ')':
    case ']':
      return Kind::close;
    case '$':
    case 0xA2:
    case 0xA3:
    case 0xA5:
    case 0x20AC:
      return Kind::currency;
    case '~':
    case 0x2248:
      return Kind::tilde;
    case '%':
      return Kind::percent;
    default:
      return Kind::symbol;
  }
}

Lexeme lexeme_of(std::u16string_view word) {
  if (!word_filter.may_contain(word)) return {};
  char lower[max_word_length];
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] >= 128) return {};
    lower[i] = static_cast<char>(word[i] | 32);
  }
  return look_up({lower, word.size()});
}

}  // namespace

bool has_trigger(std::u16string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Shape shape = shape_of(text[i]);
    if (shape == digit) return true;
    if (shape != letter) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < text.size() && shape_of(text[i]) == letter) ++i;
    const std::u16string_view word = text.substr(begin, i - begin);
    if (trigger_filter.may_contain(word) && lexeme_of(word).trigger) return true;
  }
  return false;
}

void tokenize(std::u16string_view text, std::vector<Token>& tokens) {
  tokens.clear();
  std::size_t last_end = static_cast<std::size_t>(-1);
  for (std::size_t i = 0; i < text.size();) {
    const Shape shape = shape_of(text[i]);
    if (shape == blank) {
      ++i;
      continue;
    }
    Token token;
    token.begin = static_cast<std::uint32_t>(i);
    token.glued = i == last_end;
    if (shape == letter) {
      while (i < text.size() && shape_of(text[i]) == letter) ++i;
      token.kind = Kind::word;
      token.capital = text[token.begin] < 128 ? text[token.begin] < 'a' : false;
      token.lexeme = lexeme_of(text.substr(token.begin, i - token.begin));
    } else if (shape == digit) {
      for (; i < text.size() && shape_of(text[i]) == digit; ++i) {
        if (token.digits < 9)
          token.number = token.number * 10 + static_cast<std::uint32_t>(text[i] - '0');
        if (token.digits < 65535) ++token.digits;
      }
      token.kind = Kind::number;
    } else {
      token.kind = kind_of(text[i++]);
    }
    token.end = static_cast<std::uint32_t>(i);
    last_end = i;
    tokens.push_back(token);
  }
}

}  // namespace asof::timetag
