// Forms of keywords by the two bytes that they begin with.
#include "statements/keywords.hpp"

#include <algorithm>

#include "statements/folding.hpp"
#include "text/unicode.hpp"

namespace asof::statements {
namespace {

std::uint16_t flags_of(char32_t character) {
  return unicode::properties_of(character).flags;
}

bool has(std::string_view text, std::size_t at, unsigned flags) {
  return at < text.size() && (flags_of(next_code_point(text, at)) & flags) != 0;
}

bool in_word(std::string_view text, std::size_t at) {
  return has(text, at, unicode::letter | unicode::number | unicode::mark);
}

bool word_ends_at(std::string_view text, std::size_t at) {
  if (at == 0) return false;
  do --at;
  while (at > 0 && (static_cast<unsigned char>(text[at]) >> 6) == 2);
  return in_word(text, at);
}

/// Runs of letters, digits and marks, and other characters one by one, without blanks.
std::vector<std::string> tokens_of(std::string_view text) {
  std::vector<std::string> tokens;
  bool after_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t from = at;
    const bool is_word = in_word(text, at), is_blank = has(text, at, unicode::separator);
    next_code_point(text, at);
    const std::string_view character = text.substr(from, at - from);
    if (is_word && after_word)
      tokens.back() += character;
    else if (!is_blank)
      tokens.emplace_back(character);
    after_word = is_word;
  }
  return tokens;
}

}  // namespace

Keywords::Keywords(std::span<const Keyword> keywords) {
  for (const Keyword& each : keywords) {
    for (const std::u16string& form : each.forms) {
      std::string folded;
      fold(form, folded);
      std::vector<std::string> tokens =
          each.anywhere ? std::vector<std::string>{folded} : tokens_of(folded);
      if (!tokens.empty() && !tokens[0].empty())
        forms_.push_back({weights_.size(), std::move(tokens), each.anywhere});
    }
    weights_.push_back(each.weight);
  }
  const auto byte = [](const Form& form, std::size_t at) {
    return static_cast<unsigned char>(form.tokens[0][at]);
  };
  std::ranges::sort(forms_, {}, [&](const Form& form) { return byte(form, 0); });
  for (const Form& form : forms_) {
    ++by_first_[byte(form, 0) + 1u];
    if (form.tokens[0].size() == 1)
      std::ranges::fill(starts_[byte(form, 0)], ~std::uint64_t{0});
    else
      starts_[byte(form, 0)][byte(form, 1) / 64] |= std::uint64_t{1} << (byte(form, 1) % 64);
  }
  for (std::size_t first = 0; first < 256; ++first) by_first_[first + 1] += by_first_[first];
}

bool Keywords::occurs(std::string_view text, std::size_t at, const Form& form) {
  if (form.anywhere)
    return text.substr(at).starts_with(form.tokens[0]) &&
           // That character has an accent.
           !has(text, at + form.tokens[0].size(), unicode::mark);
  if (in_word(form.tokens[0], 0) && word_ends_at(text, at)) return false;
  bool after_word = false;
  for (const std::string& token : form.tokens) {
    const bool is_word = in_word(token, 0);
    const std::size_t from = at;
    if (&token != form.tokens.data())
      while (has(text, at, unicode::separator)) next_code_point(text, at);
    if (after_word && is_word && at == from) return false;
    if (!text.substr(at).starts_with(token)) return false;
    at += token.size();
    after_word = is_word;
  }
  return !after_word || !in_word(text, at);
}

double Keywords::score(const std::string& folded) const {
  std::vector<std::uint8_t> found(weights_.size());
  // The last byte is followed by NUL.
  const auto* bytes = reinterpret_cast<const unsigned char*>(folded.c_str());
  for (std::size_t at = 0; at < folded.size(); ++at) {
    const unsigned char first = bytes[at];
    if (!may_start(first, bytes[at + 1])) continue;
    for (std::uint32_t nth = by_first_[first]; nth < by_first_[first + 1u]; ++nth) {
      const Form& form = forms_[nth];
      if (!found[form.keyword] && occurs(folded, at, form)) found[form.keyword] = 1;
    }
  }
  double sum = 0;
  for (std::size_t keyword = 0; keyword < found.size(); ++keyword)
    if (found[keyword]) sum += weights_[keyword];
  return sum;
}

}  // namespace asof::statements
