// The event or state that a question names in place of a date: "when the wall fell", "before the
// merger".
#include <algorithm>

#include "timetag/cues/cues.hpp"
#include "timetag/cues/words.hpp"

namespace asof::timetag {
namespace {

// Verbs without their "ed" or "ing".
constexpr std::string_view beginning_verbs =
    " join start launch open appoint elect found establish form crown marri acquir inherit premier "
    "inaugurat introduc return enter arriv mov sign succeed ";
constexpr std::string_view beginnings =
    " became becoming began beginning bought buying came coming made took taking founding marriage "
    "wedding appointment election birth born arrival move start outbreak debut introduction "
    "opening "
    "foundation ";
constexpr std::string_view ending_verbs =
    " resign retir dismiss sack fir end clos di abolish dissolv oust depos disband divorc depart ";
constexpr std::string_view endings =
    " left leaving quit sold selling dying death resignation retirement end fall departure closure "
    "demise divorce ";

bool inflects(std::string_view verbs, std::string_view word) {
  for (const std::string_view ending : {"ed", "ing"})
    if (word.ends_with(ending) && one_of(verbs, word.substr(0, word.size() - ending.size())))
      return true;
  return false;
}

// Nouns of events with the verbs that passages tell them by.
struct Nominal {
  std::string_view nouns, verb;
};
constexpr Nominal nominals[] = {{"death|demise", " died"},
                                {"birth", " was born"},
                                {"wedding|marriage", " married"},
                                {"retirement", " retired"},
                                {"resignation", " resigned"},
                                {"election", " was elected"},
                                {"appointment", " was appointed"},
                                {"arrival", " arrived"},
                                {"departure", " left"},
                                {"move", " moved"},
                                {"foundation|founding|establishment", " was founded"},
                                {"launch", " launched"},
                                {"opening", " opened"},
                                {"closure|closing", " closed"}};

/// Where the possessive before run `i` begins: "X's death", "the players' wedding"; or no place.
std::size_t possessive_before(const Words& words, std::size_t i) {
  const std::size_t begin = words.begin(i);
  std::size_t at = begin;
  while (at > 0 && is_blank(words.at(at - 1))) --at;
  if (at == begin) return std::string_view::npos;
  if (at > 1 && words.at(at - 1) == 's' && words.at(at - 2) == '\'') return at - 2;
  return at > 0 && words.at(at - 1) == '\'' ? at - 1 : std::string_view::npos;
}

std::u16string replaced(std::u16string_view text, std::size_t begin, std::string_view by,
                        std::size_t end = std::u16string_view::npos) {
  std::u16string made(text.substr(0, begin));
  made.append(by.begin(), by.end());
  return made.append(text.substr(std::min(end, text.size())));
}

}  // namespace

Course course_of(std::u16string_view text) {
  const Words words(narrowed(text));
  bool begins = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (one_of(endings, words[i]) || inflects(ending_verbs, words[i]) ||
        words.any_phrase(i, "stepped|stepping down,gave|give|gaving|giving up,passed away") > 0)
      return Course::ends;
    begins = begins || one_of(beginnings, words[i]) || inflects(beginning_verbs, words[i]) ||
             words.any_phrase(i, "got married|the,came into") > 0;
  }
  return begins ? Course::begins : Course::none;
}

bool is_clause(std::u16string_view text) {
  const std::string narrow = narrowed(text);
  const Words words(narrow);
  bool lower_word = false;  // the word between blanks, not the first one, begins in lower case
  std::size_t at = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (; at <= words.begin(i); ++at)
      if (at > 0 && is_blank(narrow[at - 1])) lower_word = narrow[at] >= 'a' && narrow[at] <= 'z';
    if (lower_word && is_past_at(words, i)) return true;
  }
  return false;
}

bool lacks_subject(std::u16string_view text) {
  const std::string narrow = narrowed(text);
  const Words words(narrow);
  if (words.begin(0) > 0) return false;
  const std::string_view first = std::string_view(narrow).substr(0, words.end(0));
  const bool has_letters =
      std::all_of(first.begin(), first.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return one_of(" he she it they his her its their ", first) ||
         (has_letters && first.size() > 3 && first.ends_with("ing") &&
          is_blank(words.at(first.size())));
}

std::u16string as_clause(std::u16string_view text) {
  const Words words(narrowed(text));
  for (const auto& [nouns, verb] : nominals) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t from = possessive_before(words, i), to = words.phrase(i, nouns);
      if (to > 0 && from != std::string_view::npos) return replaced(text, from, verb, to);
    }
  }
  const std::size_t noun = words[0] == "the" && words.apart(1) ? 1 : 0;
  std::size_t owner = words.end(noun + 1);
  const bool has_owner = words.begin(0) == 0 && words.apart(noun + 1) && words[noun + 1] == "of" &&
                         is_blank(words.at(owner)) &&
                         words.text().find_first_of("\n\r") == std::string_view::npos;
  for (const auto& [nouns, verb] : nominals) {
    if (!has_owner || words.phrase(noun, nouns) == 0) continue;
    while (is_blank(words.at(owner))) ++owner;
    if (owner < text.size()) return replaced(text.substr(owner), text.size() - owner, verb);
  }
  return std::u16string(text);
}

CalendarUnit calendar_unit(std::u16string_view phrase) {
  const Words words(narrowed(phrase));
  std::size_t at = 0;  // after one word between blanks, where that is not "the"
  if (words.begin(0) > 0 || words[0] != "the" || !words.apart(1)) {
    while (at < phrase.size() && !is_blank(words.at(at))) ++at;
    if (at == 0) return CalendarUnit::none;
    while (is_blank(words.at(at))) ++at;
  }
  std::size_t i = words.from(at);
  if (words.begin(i) != at || words[i] != "the" || !words.apart(i + 1)) return CalendarUnit::none;
  ++i;
  if (one_of(" same very ", words[i]) && words.apart(i + 1)) ++i;
  return words[i] == "year"    ? CalendarUnit::year
         : words[i] == "month" ? CalendarUnit::month
                               : CalendarUnit::none;
}

std::size_t with_preposition(std::u16string_view text, std::size_t start) {
  const Words words(narrowed(text));
  const std::size_t i = words.from(start);
  if (words.begin(i) != start || words[i] != "the" || !words.apart(i) ||
      !one_of(" in on at during of ", words[i - 1]))
    return start;
  const std::size_t begin = words.begin(i - 1);
  return begin > 0 && words.at(begin - 1) == wide_unit ? start : begin;
}

}  // namespace asof::timetag
