// Words and texts by number.
#include "facts/lexicon.hpp"

namespace asof::facts {
namespace {

/// Bytes of an entry and of each of its characters, about.
constexpr std::size_t entry_bytes = 400, character_bytes = 6;

}  // namespace

std::optional<std::uint32_t> Lexicon::number_of(std::u16string_view text) const {
  const auto found = numbers_.find(text);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

const Entry* Lexicon::find(std::u16string_view written) const {
  const auto found = entries_.find(written);
  return found == entries_.end() ? nullptr : &found->second;
}

const Entry& Lexicon::add(std::u16string_view written, const std::vector<ReadWord>& read) {
  if (const Entry* known = find(written)) return *known;
  Entry entry;
  entry.first = static_cast<std::uint32_t>(words());
  entry.all = static_cast<std::uint32_t>(read.size());
  entry.length = read.empty() ? 0 : read.front().length;
  for (const ReadWord& word : read) {
    if (word.term.empty()) continue;
    terms.push_back(enter(word.term));
    lows.push_back(enter(word.low));
    offsets.push_back(word.offset);
    lengths.push_back(word.length);
    values.push_back(word.value);
    capitals.push_back(word.capital);
    rarities.push_back(word.rarity);
    tokens.insert(tokens.end(), word.tokens.begin(), word.tokens.end());
    token_ends.push_back(static_cast<std::uint32_t>(tokens.size()));
  }
  entry.content = static_cast<std::uint32_t>(words()) - entry.first;
  bytes_ += entry_bytes + character_bytes * written.size();
  const std::u16string& key = written_.emplace_back(written);
  return entries_.emplace(key, entry).first->second;
}

std::uint32_t Lexicon::enter(const std::u16string& text) {
  if (const auto known = number_of(text)) return *known;
  const auto number = static_cast<std::uint32_t>(texts.size());
  numbers_.emplace(texts.emplace_back(text), number);
  return number;
}

}  // namespace asof::facts
