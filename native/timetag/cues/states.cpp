// What the words around a year say of its state: that it ends then, or lasts.
#include <algorithm>
#include <optional>
#include <string>

#include "timetag/cues/cues.hpp"
#include "timetag/cues/words.hpp"

namespace asof::timetag {
namespace {

// Units before and after a year in which its cues stand.
constexpr std::size_t reach_before = 28, reach_after = 14;

bool is_dash(char c) {
  return c == '-' || c == wide_dash;
}

std::size_t after_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}
std::size_t before_blanks(std::string_view text, std::size_t at) {
  while (at > 0 && is_blank(text[at - 1])) --at;
  return at;
}

/// What stands after a year with a dash: "2011–present", "2003–)"; of "1796-?" nobody knows.
std::optional<StateCue> lasting(std::string_view after) {
  std::size_t at = after_blanks(after, 0);
  if (at == after.size() || !is_dash(after[at])) return std::nullopt;
  at = after_blanks(after, at + 1);
  if (at == after.size()) return StateCue::lasts;
  if (after[at] == '?') return StateCue::none;
  const Words words(after.substr(at));
  const bool lasts = std::string_view("),;:").find(after[at]) != std::string_view::npos ||
                     words.text().starts_with("present") || words.text().starts_with("today") ||
                     (words.begin(0) == 0 && one_of(" now date ", words[0]));
  return lasts ? std::optional(StateCue::lasts) : std::nullopt;
}

/// "?-1827": of what began nobody knows when.
bool follows_unknown(std::string_view before) {
  const std::size_t at = before_blanks(before, before.size());
  if (at == 0 || !is_dash(before[at - 1])) return false;
  const std::size_t from = before_blanks(before, at - 1);
  return from > 0 && before[from - 1] == '?';
}

/// Whether one of the phrases stands before the end, at most `most` units and no full stop or other
/// sign of `stops` before it.
bool stands_before(const Words& words, std::string_view phrases, std::size_t most,
                   std::string_view stops) {
  const std::string_view text = words.text();
  const std::size_t stop = text.find_last_of(stops);
  const std::size_t least = std::max(stop == std::string_view::npos ? 0 : stop + 1,
                                     text.size() - std::min(most, text.size()));
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words.any_phrase(i, phrases) >= std::max<std::size_t>(least, 1)) return true;
  return false;
}

/// "until the early ", "up to 3 May ": at most three words of a date between.
bool leads_to_end(const Words& words) {
  std::size_t end = words.text().size();
  for (int skipped = 0; skipped <= 3; ++skipped) {
    if (end == 0 || !is_blank(words.at(end - 1))) return false;
    std::size_t begin = --end;
    while (begin > 0 && !is_blank(words.at(begin - 1))) --begin;
    std::size_t i = words.size();
    while (i > 0 && words.begin(i - 1) >= end) --i;
    if (i > 0 && words.end(i - 1) == end &&
        (one_of(" until till through ", words[i - 1]) ||
         (i > 1 && words.phrase(i - 2, "up to") == end)))
      return true;
    std::string_view word = words.text().substr(begin, end - begin);
    const bool is_word = word.size() > 1 && std::all_of(word.begin(), word.end(), [](char c) {
                           return c == wide_unit || (c >= 'a' && c <= 'z');
                         });
    if (word.ends_with(',')) word.remove_suffix(1);
    const bool is_day =
        !word.empty() && word.size() <= 2 && std::all_of(word.begin(), word.end(), is_digit);
    if (!is_word && !is_day) return false;
    end = begin;
  }
  return false;
}

}  // namespace

StateCue state_cue(std::u16string_view sentence, std::int64_t year) {
  const std::string narrow = narrowed(sentence), digits = std::to_string(year);
  const std::size_t at = narrow.find(digits);
  if (at == std::string::npos) return StateCue::none;
  const std::string_view text = narrow;
  const std::optional<StateCue> after = lasting(text.substr(at + digits.size(), reach_after));
  if (after) return *after;
  const std::size_t from = at - std::min(at, reach_before);
  const std::string_view before = text.substr(from, at - from);
  const Words words(before);
  if (stands_before(words,
                    "since|from|after|starting|beginning|began|became|becoming|elected|appointed|"
                    "joined|renamed|succeeded|replaced|moved|acquired|bought|purchased|signed,"
                    "took over",
                    18, ".;"))
    return StateCue::none;
  if (follows_unknown(before)) return StateCue::ends;
  const bool closes =
      stands_before(words,
                    "until|till|to|through|ended|left|resigned|retired|died|dissolved|closed|"
                    "abolished|before",
                    12, ".;");
  return closes && (leads_to_end(words) ||
                    stands_before(words, "left|resigned|retired|dissolved|closed|abolished|ended",
                                  12, ".;,"))
             ? StateCue::ends
             : StateCue::none;
}

}  // namespace asof::timetag
