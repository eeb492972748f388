#include "timetag/cues/words.hpp"

#include <algorithm>

#include "timetag/lexer/characters.hpp"

namespace asof::timetag {
namespace {

constexpr char narrow(char16_t c) {
  if (c < 128) return static_cast<char>(c);
  if (c == 0x2028 || c == 0x2029) return '\n';
  if (wide_blank(c) || c == 0x1680 || c == 0x205F) return '\v';
  if (c == 0x2019) return '\'';
  return c == 0x2013 || c == 0x2014 ? wide_dash : wide_unit;
}

/// Cuts off what stands before `sign`, or all.
std::string_view cut(std::string_view& list, char sign) {
  const std::size_t end = std::min(list.find(sign), list.size());
  const std::string_view head = list.substr(0, end);
  list.remove_prefix(std::min(end + 1, list.size()));
  return head;
}

}  // namespace

std::string narrowed(std::u16string_view text) {
  std::string narrow_text(text.size(), '\0');
  std::transform(text.begin(), text.end(), narrow_text.begin(), narrow);
  return narrow_text;
}

bool one_of(std::string_view list, std::string_view word) {
  if (word.empty()) return false;
  for (std::size_t at = list.find(word); at != std::string_view::npos; at = list.find(word, at + 1))
    if (list[at - 1] == ' ' && list[at + word.size()] == ' ') return true;
  return false;
}

Words::Words(std::string_view narrow) : lower_(narrow.size(), '\0') {
  std::transform(narrow.begin(), narrow.end(), lower_.begin(), lower);
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    if (!in_run(lower_[i])) continue;
    const std::size_t begin = i;
    while (i < lower_.size() && in_run(lower_[i])) ++i;
    runs_.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i)});
  }
}

std::string_view Words::before(std::size_t i) const {
  const std::size_t from = i > 0 ? end(i - 1) : 0;
  return std::string_view(lower_).substr(from, begin(i) - from);
}

bool Words::apart(std::size_t i) const {
  if (i == 0 || i >= size()) return false;
  const std::string_view between = before(i);
  return std::all_of(between.begin(), between.end(), is_blank);
}

std::size_t Words::from(std::size_t offset) const {
  const auto first = std::lower_bound(runs_.begin(), runs_.end(), offset,
                                      [](Run run, std::size_t at) { return run.begin < at; });
  return static_cast<std::size_t>(first - runs_.begin());
}

std::size_t Words::phrase_from(std::size_t at, std::string_view phrase) const {
  if (phrase.empty()) return at - 1;  // after the last word and its space
  std::string_view word = cut(phrase, ' ');
  const bool optional = word.ends_with('?');
  if (optional) word.remove_suffix(1);
  while (!word.empty()) {
    std::string_view each = cut(word, '|');
    const char more = each.back() == '*' || each.back() == '+' ? each.back() : '\0';
    if (more != '\0') each.remove_suffix(1);
    if (std::string_view(lower_).substr(std::min(at, lower_.size()), each.size()) != each) continue;
    std::size_t end = at + each.size();
    if (more != '\0') {
      while (in_run(this->at(end))) ++end;
      if (more == '+' && end == at + each.size()) continue;
    } else if (in_run(this->at(end))) {
      continue;
    }
    const std::size_t found =
        !phrase.empty() && this->at(end) == ' ' ? phrase_from(end + 1, phrase) : 0;
    if (found > 0) return found;
    const bool is_last = phrase.find(' ') == std::string_view::npos && phrase.ends_with('?');
    if (phrase.empty() || is_last) return end;
  }
  return optional ? phrase_from(at, phrase) : 0;
}

std::size_t Words::phrase(std::size_t i, std::string_view phrase) const {
  return i < size() ? phrase_from(begin(i), phrase) : 0;
}

std::size_t Words::any_phrase(std::size_t i, std::string_view phrases) const {
  while (!phrases.empty()) {
    const std::size_t end = phrase(i, cut(phrases, ','));
    if (end > 0) return end;
  }
  return 0;
}

bool Words::has(std::string_view phrases) const {
  for (std::size_t i = 0; i < size(); ++i)
    if (any_phrase(i, phrases) > 0) return true;
  return false;
}

}  // namespace asof::timetag
