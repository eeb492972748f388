// Folding of code points by the tables of the tokenizer, of ASCII eight bytes at a time.
#include "statements/folding.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include "text/unicode.hpp"

namespace asof::statements {
namespace {

constexpr char32_t replacement = 0xfffd;
constexpr std::uint64_t ones = 0x0101010101010101;

void append_utf8(char32_t code_point, std::string& out) {
  const auto push = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) return push(code_point);
  if (code_point < 0x800) {
    push(0xc0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      push(0xe0 | code_point >> 12);
    } else {
      push(0xf0 | code_point >> 18);
      push(0x80 | (code_point >> 12 & 63));
    }
    push(0x80 | (code_point >> 6 & 63));
  }
  push(0x80 | (code_point & 63));
}

void append_folded(char32_t code_point, std::string& out) {
  constexpr char32_t sigma = 0x3c3, final_sigma = 0x3c2;
  if (code_point == final_sigma) code_point = sigma;
  const unicode::Properties& properties = unicode::properties_of(code_point);
  if (properties.length == 0) return append_utf8(code_point, out);
  for (const char32_t each : unicode::mapping(properties)) append_utf8(each, out);
}

/// Eight ASCII bytes without a backslash in lower case; false where they are others.
bool fold_plain(const char* from, char* to) {
  std::uint64_t bytes;
  std::memcpy(&bytes, from, sizeof(bytes));
  const std::uint64_t escapes = bytes ^ ones * '\\';
  if (((bytes | ((escapes - ones) & ~escapes)) & ones * 0x80) != 0) return false;
  const std::uint64_t capitals =
      (bytes + ones * (0x80 - 'A')) & ~(bytes + ones * (0x80 - 'Z' - 1)) & ones * 0x80;
  bytes += capitals >> 2;
  std::memcpy(to, &bytes, sizeof(bytes));
  return true;
}

/// Of the four hexadecimal digits at text[at]; no digit counts as 0.
char32_t unit_at(std::string_view text, std::size_t at) {
  char32_t unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char digit = i < text.size() ? text[i] : '0';
    const char32_t value = digit >= '0' && digit <= '9'   ? digit - '0'
                           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                           : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                                          : 0;
    unit = unit << 4 | value;
  }
  return unit;
}

/// Takes the escape sequence whose backslash is at text[at].
char32_t next_escaped(std::string_view text, std::size_t& at) {
  const char kind = at + 1 < text.size() ? text[at + 1] : '\\';
  at += 2;
  switch (kind) {
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'u':
      break;
    default:
      return static_cast<unsigned char>(kind);
  }
  const char32_t first = unit_at(text, at);
  at += 4;
  if (first < 0xd800 || first > 0xdbff || text.substr(std::min(at, text.size()), 2) != "\\u")
    return first;
  const char32_t second = unit_at(text, at + 2);
  if (second < 0xdc00 || second > 0xdfff) return first;
  at += 6;
  return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at++]);
  if (first < 0x80) return first;
  const int length = std::countl_one(first);
  if (length < 2 || length > 4) return replacement;
  char32_t code_point = first & (0x7f >> length);
  for (int i = 1; i < length; ++i, ++at) {
    const char32_t next = at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
    if (next >> 6 != 2) return replacement;
    code_point = code_point << 6 | (next & 63);
  }
  return code_point > 0x10ffff ? replacement : code_point;
}

void fold(std::u16string_view text, std::string& out) {
  for (std::size_t at = 0; at < text.size();) append_folded(unicode::next(text, at), out);
}

void fold_json(std::string_view escaped, std::string& out) {
  out.reserve(out.size() + escaped.size());
  for (std::size_t at = 0; at < escaped.size();) {
    char eight[8];
    if (at + 8 <= escaped.size() && fold_plain(escaped.data() + at, eight)) {
      out.append(eight, 8);
      at += 8;
      continue;
    }
    for (const std::size_t end = std::min(at + 8, escaped.size()); at < end;)
      append_folded(escaped[at] == '\\' ? next_escaped(escaped, at) : next_code_point(escaped, at),
                    out);
  }
}

}  // namespace asof::statements
