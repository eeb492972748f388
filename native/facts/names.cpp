// Names in the candidates of one question. A capital at the start of a sentence says nothing: the
// word is a name where it is mostly written with a capital elsewhere, or in the question.
#include <algorithm>

#include "facts/matching.hpp"

namespace asof::facts {
namespace {

/// Rarity from which on an unseen word at the start of a sentence is assumed to be a name.
constexpr double rare_word = 15;
/// Words of a title whose first may be taken for the name of its subject: "commander 2.9.0".
constexpr std::uint32_t short_title = 4;

/// Whether a word is a name: never, always, or where it does not open a sentence.
enum Kind : std::uint8_t { never, always, unless_first };

/// By lower-case form, within sentences: whether it is seen, and how much more often with a
/// capital.
struct Cases {
  std::vector<std::uint8_t> seen;
  std::vector<std::int32_t> excess;
};

Cases cases_of(const Pool& pool, const std::vector<std::uint32_t>& inside) {
  const Lexicon& lexicon = pool.lexicon;
  Cases cases{std::vector<std::uint8_t>(lexicon.texts.size()),
              std::vector<std::int32_t>(lexicon.texts.size())};
  for (const std::uint32_t word : pool.words) {
    if (inside[word] == 0 || lexicon.values[word] != 0) continue;
    const auto count = static_cast<std::int32_t>(inside[word]);
    cases.seen[lexicon.lows[word]] = 1;
    cases.excess[lexicon.lows[word]] += lexicon.capitals[word] != 0 ? count : -count;
  }
  return cases;
}

Kind kind_of(std::uint32_t word, const Pool& pool, const Cases& cases) {
  const Lexicon& lexicon = pool.lexicon;
  if (lexicon.values[word] != 0) return never;
  if ((pool.marks[lexicon.terms[word]] & of_name) != 0) return always;
  if (lexicon.capitals[word] == 0) return never;
  const std::uint32_t low = lexicon.lows[word];
  if (cases.seen[low] != 0) return cases.excess[low] > 0 ? always : never;
  return lexicon.rarities[word] >= rare_word ? always : unless_first;
}

/// `kinds` by number of the word.
std::vector<Name> names_in(const Range& range, const std::vector<Kind>& kinds,
                           const Lexicon& lexicon) {
  const Words& of = *range.of;
  const auto is_name = [&](std::uint32_t at) {
    const Kind kind = kinds[of.words[at]];
    return kind == always || (kind == unless_first && of.opens[at] == 0);
  };
  std::vector<Name> names;
  for (std::uint32_t at = range.from; at < range.to;) {
    if (!is_name(at)) {
      ++at;
      continue;
    }
    const std::uint32_t first = at++;
    while (at < range.to && of.joins[at] != 0 && is_name(at)) ++at;
    Name& name = names.emplace_back(at - first);
    for (std::uint32_t i = first; i < at; ++i) name[i - first] = lexicon.terms[of.words[i]];
  }
  return names;
}

std::vector<Name> names_of_title(const Range& title, const std::vector<Kind>& kinds,
                                 const Lexicon& lexicon) {
  std::vector<Name> names = names_in(title, kinds, lexicon);
  if (!opens_with_name(lexicon, title)) return names;
  const std::uint32_t first = lexicon.terms[title.of->words[title.from]];
  const bool is_known = std::any_of(names.begin(), names.end(), [first](const Name& name) {
    return std::find(name.begin(), name.end(), first) != name.end();
  });
  if (!is_known) names.insert(names.begin(), Name{first});
  return names;
}

}  // namespace

bool opens_with_name(const Lexicon& lexicon, Range title) {
  if (title.size() == 0 || title.size() > short_title) return false;
  const std::uint32_t first = title.of->words[title.from];
  if (lexicon.values[first] != 0) return false;
  if (lexicon.capitals[first] == 0 || title.size() == 1) return true;
  const std::uint32_t second = title.of->words[title.from + 1];
  return lexicon.values[second] != 0 || lexicon.capitals[second] != 0;
}

std::vector<std::uint32_t> capitalised_words(
    const Lexicon& lexicon, std::span<const std::shared_ptr<const Passage>> passages) {
  std::vector<std::int32_t> excess(lexicon.texts.size());
  std::vector<std::uint32_t> lows;
  for (const auto& passage : passages) {
    const Range text = passage->text_words();
    for (std::uint32_t at = text.from; at < text.to; ++at) {
      const std::uint32_t word = text.of->words[at];
      if (text.of->opens[at] != 0 || lexicon.values[word] != 0) continue;
      const bool is_capital = lexicon.capitals[word] != 0;
      if (is_capital) lows.push_back(lexicon.lows[word]);
      excess[lexicon.lows[word]] += is_capital ? 1 : -1;
    }
  }
  std::sort(lows.begin(), lows.end());
  lows.erase(std::unique(lows.begin(), lows.end()), lows.end());
  std::erase_if(lows, [&](std::uint32_t low) { return excess[low] <= 0; });
  return lows;
}

void Pool::read_names(const std::vector<std::uint32_t>& inside) {
  const Cases cases = cases_of(*this, inside);
  std::vector<Kind> kinds(lexicon.words(), never);
  for (const std::uint32_t word : words) kinds[word] = kind_of(word, *this, cases);
  names.reserve(passages.size());
  for (const auto& passage : passages) {
    PassageNames& own = names.emplace_back();
    own.title = names_of_title(passage->title_words(), kinds, lexicon);
    own.statements.reserve(passage->statements.size());
    for (const Statement& statement : passage->statements)
      own.statements.push_back(
          statement.title ? own.title : names_in(passage->words_of(statement), kinds, lexicon));
  }
}

}  // namespace asof::facts
