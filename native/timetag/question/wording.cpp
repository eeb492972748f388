// Mends the words of a question one by one, then its numbers.
#include "timetag/question/wording.hpp"

#include <algorithm>
#include <string>

#include "timetag/document.hpp"

namespace asof::timetag {
namespace {

std::string lower(std::u16string_view word) {
  std::string text;
  for (char16_t letter : word) {
    if (letter >= 128) return {};
    text += static_cast<char>(letter | 32);
  }
  return text;
}

// Words that the grammar has another one for.
struct Synonym {
  std::string_view word, known;
};
constexpr Synonym synonyms[] = {{"upcoming", "coming"},  {"trailing", "past"},
                                {"financial", "fiscal"}, {"commencing", "starting"},
                                {"wk", "week"},          {"wks", "weeks"},
                                {"upto", "until"},       {"teh", "the"},
                                {"adn", "and"},          {"wensday", "wednesday"}};

bool names_time(Lexeme lexeme) {
  return lexeme.cls == Class::month || lexeme.cls == Class::weekday || lexeme.cls == Class::holiday;
}

std::string_view slip_of(std::string_view word, std::initializer_list<std::string_view> words) {
  for (std::string_view each : words) {
    if (!word.empty() && word[0] == each[0] && within_one_slip(word, each)) return each;
  }
  return {};
}

// "lsat yaer", "4th of juli", "the forth quarter": short words and words of their own, where the
// one beside them makes them certain.
std::string_view mended_beside(const Document& doc, std::size_t i, std::string_view word) {
  std::string_view close;
  const std::size_t day = doc.is(i - 1, Function::of) ? i - 2 : i - 1;
  if (doc.is(i - 1, Class::shift) || doc.is(i + 1, Kind::number))
    close = slip_of(word, {"year", "week"});
  if (close.empty() && (doc.is(i + 1, Class::unit) || doc.is(i + 1, Class::weekday) ||
                        !slip_of(lower(doc.word(i + 1)), {"year", "week"}).empty()))
    close = slip_of(word, {"last", "next", "this", "fourth"});
  if (close.empty() &&
      (doc.is(i + 1, Kind::number) || doc.is(day, Kind::number) || doc.is(day, Class::suffix)))
    close = slip_of(word, {"june", "july"});
  return close;
}

// Whether a weekday or month in lower case is meant: "may" and "march" are verbs unless a
// preposition or number stands before, or a number after.
bool takes_capital(const Document& doc, std::size_t i, Lexeme lexeme, std::size_t length) {
  if (lexeme.cls == Class::weekday) return length >= 6;
  if (lexeme.cls != Class::month || length < 3) return false;
  if (lexeme.value != 3 && lexeme.value != 5) return true;
  return doc.is(i + 1, Kind::number) || doc.is(i - 1, Kind::number) ||
         doc.is(i - 1, Class::suffix) ||
         (doc.is(i - 1, Class::shift) && doc.value(i - 1) != 1) ||  // "this may sound odd"
         doc.is(i - 1, Class::ordinal) || doc.is(i - 1, Class::part) ||
         doc.is(i - 1, Kind::slash) ||
         doc.is_any(i - 1,
                    {Function::in, Function::of, Function::since, Function::until, Function::by,
                     Function::from, Function::before, Function::after, Function::between,
                     Function::during, Function::through, Function::around, Function::throughout});
}

constexpr std::string_view roman_months[] = {"i",   "ii",   "iii", "iv", "v",  "vi",
                                             "vii", "viii", "ix",  "x",  "xi", "xii"};
constexpr std::string_view month_names[] = {"january",   "february", "march",    "april",
                                            "may",       "june",     "july",     "august",
                                            "september", "october",  "november", "december"};

// "17.XI.1995", "1 IX 1996"
std::string_view roman_month(const Document& doc, std::size_t i, const std::string& word) {
  const bool dotted = doc.is(i - 1, Kind::dot);
  if (!doc.is(dotted ? i - 2 : i - 1, Kind::number) || !(doc.at(i).capital || dotted) ||
      doc.at(dotted && doc.is(i + 1, Kind::dot) ? i + 2 : i + 1).digits != 4)
    return {};
  for (std::size_t month = 0; month < 12; ++month) {
    if (word == roman_months[month]) return month_names[month];
  }
  return {};
}

// The lexemes of `tokens` become those of the words.
Wording with_known_words(const Wording& wording, std::vector<Token>& tokens) {
  const Document doc{.text = wording.text, .tokens = tokens, .anchor = {}, .last = {}};
  const bool mixed = std::any_of(wording.text.begin(), wording.text.end(),
                                 [](char16_t letter) { return letter >= 'a' && letter <= 'z'; });
  Rewriting rewriting(wording);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Kind::word || token.end - token.begin > max_word_length + 1) continue;
    const std::string word = lower(doc.word(i));
    if (word.empty()) continue;
    Lexeme lexeme = token.lexeme;
    std::string known = word;
    const std::string_view roman = roman_month(doc, i, word);
    for (const Synonym& each : synonyms) {
      if (word == each.word) known = each.known;
    }
    if (!roman.empty()) {
      known = roman;
    } else if (known == word && lexeme.cls == Class::unknown && lexeme.verb == Verb::none) {
      std::string_view close =  // "eightys"
          mended(word.ends_with("ys") ? word.substr(0, word.size() - 2) + "ies" : word);
      if (!names_time(look_up(close)) && token.capital && i > 0 && mixed) close = {};  // a name
      if (close.size() < 5) close = mended_beside(doc, i, word);
      if (!close.empty()) known = close;
    }
    if (known != word) lexeme = tokens[i].lexeme = look_up(known);
    const bool capital = (token.capital && known != word) ||
                         (!token.capital && takes_capital(doc, i, lexeme, known.size()));
    if (known == word && !capital) continue;
    if (capital && known[0] >= 'a') known[0] = static_cast<char>(known[0] - 32);
    rewriting.replace(token.begin, token.end, known);
  }
  return rewriting.finish();
}

}  // namespace

Wording word_question(std::u16string_view question, double reference_ms,
                      std::vector<Token>& tokens) {
  Wording wording{std::u16string(question), {}};
  for (std::uint32_t i = 0; i <= question.size(); ++i) wording.origins.push_back(i);
  tokenize(wording.text, tokens);
  wording = with_known_words(wording, tokens);
  tokenize(wording.text, tokens);
  wording = with_digits(wording, tokens, reference_ms);
  tokenize(wording.text, tokens);
  return wording;
}

}  // namespace asof::timetag
