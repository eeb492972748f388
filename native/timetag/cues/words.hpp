// Words around times as the cues of cues.hpp read them: a copy of a text in one byte a UTF-16 unit,
// and its runs of ASCII letters, digits and underscores. Every look is linear in the text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace asof::timetag {

/// Units beyond ASCII, by what the cues know of them.
inline constexpr char wide_dash = '\x01', wide_unit = '\x80';

/// ASCII as it is; blanks beyond it as '\v' and line separators as '\n', curly apostrophes as
/// straight ones, en and em dashes as `wide_dash`, all others as `wide_unit`.
std::string narrowed(std::u16string_view text);

constexpr bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_capital(char c) {
  return c >= 'A' && c <= 'Z';
}
constexpr char lower(char c) {
  return is_capital(c) ? static_cast<char>(c | 32) : c;
}
constexpr bool in_run(char c) {
  return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '_';
}

/// Whether `word` is one of `list`, words with a blank before and after each: " a b ".
bool one_of(std::string_view list, std::string_view word);

/// The runs of a narrowed text. Indexes beyond either end are empty runs.
class Words {
 public:
  explicit Words(std::string_view narrow);

  std::size_t size() const { return runs_.size(); }
  std::size_t begin(std::size_t i) const { return i < size() ? runs_[i].begin : lower_.size(); }
  std::size_t end(std::size_t i) const { return i < size() ? runs_[i].end : lower_.size(); }
  /// In lower case.
  std::string_view operator[](std::size_t i) const {
    return std::string_view(lower_).substr(begin(i), end(i) - begin(i));
  }
  std::string_view text() const { return lower_; }
  char at(std::size_t i) const { return i < lower_.size() ? lower_[i] : '\0'; }
  /// What stands between a run and the one before it.
  std::string_view before(std::size_t i) const;
  /// Whether that is blanks alone.
  bool apart(std::size_t i) const;
  /// The first run that begins at an offset or later.
  std::size_t from(std::size_t offset) const;

  /// The end of the phrase at run `i`, or 0. Words of a phrase have one space between them; each is
  /// a list of alternatives, may be left out where "?" ends it, and begins a longer one where "*"
  /// or "+" (one more letter) does: "for? how long", "through|throughout history", "evolv+".
  std::size_t phrase(std::size_t i, std::string_view phrase) const;
  /// Of several phrases with a comma between them, the first that stands at run `i`.
  std::size_t any_phrase(std::size_t i, std::string_view phrases) const;
  /// Whether any of them stands anywhere.
  bool has(std::string_view phrases) const;

 private:
  struct Run {
    std::uint32_t begin, end;
  };
  std::size_t phrase_from(std::size_t at, std::string_view phrase) const;
  std::string lower_;
  std::vector<Run> runs_;
};

/// predicate.cpp: whether run `i` is a finite past tense or a past participle.
bool is_past_at(const Words& words, std::size_t i);

}  // namespace asof::timetag
