// Values, compounds and capitals of written words.
#include "statements/words.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "text/analyzer.hpp"
#include "text/forms.hpp"
#include "text/unicode.hpp"

namespace asof::statements {
namespace {

using View = std::u16string_view;

constexpr std::uint16_t alphanumeric = unicode::letter | unicode::number;

/// The characters of a text; beyond them is one of no kind.
class Characters {
 public:
  explicit Characters(View text) {
    for (std::size_t at = 0; at < text.size();) {
      const auto offset = static_cast<std::uint32_t>(at);
      all_.push_back({unicode::next(text, at), offset});
    }
    all_.push_back({0, static_cast<std::uint32_t>(text.size())});
  }
  std::size_t size() const { return all_.size() - 1; }
  char32_t operator[](std::size_t nth) const { return all_[std::min(nth, size())].code; }
  bool is(std::size_t nth, std::uint16_t flags) const {
    return (unicode::properties_of((*this)[nth]).flags & flags) != 0;
  }
  bool is_one_of(std::size_t nth, std::u32string_view signs) const {
    return nth < size() && signs.find((*this)[nth]) != std::u32string_view::npos;
  }
  std::uint32_t offset(std::size_t nth) const { return all_[nth].offset; }
  /// The end of the run of such characters that begins at one.
  std::size_t end_of(std::size_t nth, std::uint16_t flags) const {
    while (is(nth, flags)) ++nth;
    return nth;
  }

 private:
  struct Character {
    char32_t code;
    std::uint32_t offset;
  };
  std::vector<Character> all_;
};

constexpr bool is_ascii_digit(char32_t code) {
  return code >= '0' && code <= '9';
}

/// Without a run of punctuation, or a possessive, at its end.
View without_ending(View word) {
  const std::size_t last = word.find_last_not_of(u".'\u2019:/+\u2212-");
  if (last + 1 < word.size()) return word.substr(0, last + 1);
  const bool possessive = word.ends_with(u"'s") || word.ends_with(u"\u2019s");
  return word.substr(0, word.size() - (possessive ? 2 : 0));
}

/// Numbers, amounts, versions ("v1.2", "V8.1"; "V8" is a name).
bool is_value(const Characters& word) {
  std::size_t at = 0;
  if (word.is_one_of(0, U"v$#@") || (word[0] == 'V' && word.is(1, unicode::number) &&
                                     word[word.end_of(1, unicode::number)] == '.'))
    at = 1;
  if (word.is_one_of(at, U"\u2212-")) ++at;
  return word.is(at, unicode::number);
}

bool has_inner_capital(const Characters& word) {
  for (std::size_t at = 0; at + 1 < word.size(); ++at) {
    if (!word.is(at, alphanumeric)) continue;
    if (word.is(at + 1, unicode::uppercase)) return true;
    if (word.is_one_of(at + 1, U"._/-") && word.is(at + 2, unicode::uppercase)) return true;
    if (word[at + 1] == '_' && word.is(at + 2, alphanumeric)) return true;
    if (word.is(at, unicode::letter) && word.is_one_of(at + 1, U".-/") &&
        word.is(at + 2, unicode::letter))
      return true;
  }
  return false;
}

/// "v1.2" and "1.2", "$1,234" and "1234" are one value.
std::u16string value_term(View low) {
  if (!low.empty() && View(u"v$#@").find(low[0]) != View::npos) low.remove_prefix(1);
  std::u16string term;
  for (std::size_t at = 0; at < low.size(); ++at) {
    const auto digit = [&](std::size_t place) {
      return place < low.size() && is_ascii_digit(low[place]);
    };
    const bool groups = low[at] == u',' && at > 0 && digit(at - 1) && digit(at + 1) &&
                        digit(at + 2) && digit(at + 3);
    if (!groups) term += low[at];
  }
  return term;
}

ReadWord part_of(View text, std::uint32_t start, std::uint32_t end) {
  const View part = text.substr(start, end - start);
  std::vector<std::u16string> terms = text::analyze(part);
  return {.term = terms.empty() ? std::u16string() : std::move(terms[0]),
          .low = text::lower_case(part),
          .offset = start,
          .length = end - start,
          .capital = Characters(part).is(0, unicode::uppercase)};
}

/// The word of a pre-release, behind numbers with points between them.
std::optional<ReadWord> stage_of(View low) {
  const Characters word(low);
  const auto numbers_from = [&](std::size_t at) {
    std::size_t end = word.end_of(at, unicode::number);
    if (end == at) return at;
    const std::size_t first = end;
    while (word[end] == '.' && word.is(end + 1, unicode::number))
      end = word.end_of(end + 1, unicode::number);
    return end == first ? at : end;
  };
  std::size_t from = is_ascii_digit(word[0]) ? 0 : 1;
  std::size_t at = numbers_from(from);
  if (at == from) at = numbers_from(from = 0);
  if (at == from) return std::nullopt;
  if (word.is_one_of(at, U".-_")) ++at;
  const std::size_t end = word.end_of(at, unicode::letter);
  if (end < at + 2) return std::nullopt;
  return part_of(low, word.offset(at), word.offset(end));
}

}  // namespace

std::vector<ReadWord> read_written(View written) {
  const View trimmed = without_ending(without_ending(written));
  if (trimmed.empty()) return {};
  const Characters word(trimmed);
  ReadWord whole = {.low = text::lower_case(trimmed),
                    .length = static_cast<std::uint32_t>(trimmed.size()),
                    .capital = word.is(0, unicode::uppercase) || has_inner_capital(word),
                    .value = is_value(word)};
  std::vector<ReadWord> read;
  std::optional<ReadWord> stage;
  if (whole.value) {
    whole.term = value_term(whole.low);
    stage = stage_of(whole.low);
  } else {
    std::vector<std::u16string> terms = text::analyze(trimmed);
    whole.compound = terms.size() > 1;
    whole.capital = whole.capital || whole.compound;
    if (!terms.empty()) whole.term = whole.compound ? whole.low : std::move(terms[0]);
  }
  read.push_back(std::move(whole));
  if (stage) read.push_back(std::move(*stage));
  return read;
}

std::vector<ReadWord> parts_of(View compound) {
  const Characters word(compound);
  std::vector<ReadWord> parts;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t end = word.end_of(at, alphanumeric);
    if (end > at) parts.push_back(part_of(compound, word.offset(at), word.offset(end)));
    at = std::max(end, at + 1);
  }
  return parts;
}

}  // namespace asof::statements
