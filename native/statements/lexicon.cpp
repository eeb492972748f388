// Words and texts by number.
#include "statements/lexicon.hpp"

#include "encoder/static_encoder.hpp"

namespace asof::statements {

std::optional<std::uint32_t> Lexicon::number_of(std::u16string_view text) const {
  return numbers_.find(text, texts);
}

std::vector<Entry> Lexicon::read(std::span<const std::u16string_view> written) {
  const std::size_t words_before = words(), texts_before = texts.size();
  const std::size_t written_before = written_.size();
  std::vector<Entry> entries;
  entries.reserve(written.size());
  try {
    for (const std::u16string_view each : written) {
      const auto known = written_numbers_.find(each, written_);
      entries.push_back(known ? written_[*known].entry : add(each));
    }
    if (encoder) encoder->throw_if_faulted();
  } catch (...) {
    cut(words_before, texts_before, written_before);
    throw;
  }
  return entries;
}

Entry Lexicon::add(std::u16string_view written) {
  const std::vector<ReadWord> read = read_written(written);
  Entry entry;
  entry.first = static_cast<std::uint32_t>(words());
  entry.all = static_cast<std::uint32_t>(read.size());
  entry.length = read.empty() ? 0 : read.front().length;
  for (const ReadWord& word : read) {
    if (!word.term.empty()) add_word(word);
  }
  entry.content = static_cast<std::uint32_t>(words()) - entry.first;
  written_numbers_.reserve();
  written_.push_back({std::u16string(written), entry});
  written_numbers_.add(written);
  return entry;
}

void Lexicon::add_word(const ReadWord& word) {
  terms.push_back(enter(word.term));
  lows.push_back(enter(word.low));
  offsets.push_back(word.offset);
  lengths.push_back(word.length);
  values.push_back(word.value);
  capitals.push_back(word.capital);
  rarities.push_back(encoder ? encoder->rarity(word.low) : 0);
  if (encoder) {
    const std::vector<std::uint32_t> own = tokens_of(*encoder, {&word.low, 1}).items;
    tokens.insert(tokens.end(), own.begin(), own.end());
  }
  token_ends.push_back(static_cast<std::uint32_t>(tokens.size()));
}

std::optional<std::uint32_t> Lexicon::find_packed(std::string_view key) const {
  const auto found = packed_numbers_.find(key, packed_);
  if (!found) return std::nullopt;
  return packed_[*found].word;
}

std::uint32_t Lexicon::add_packed(std::string_view key, const ReadWord& word) {
  const auto number = static_cast<std::uint32_t>(words());
  const std::size_t texts_before = texts.size();
  try {
    add_word(word);
    packed_numbers_.reserve();
    packed_.push_back({std::string(key), number});
  } catch (...) {
    cut(number, texts_before, written_.size());
    throw;
  }
  packed_numbers_.add(key);
  return number;
}

std::size_t Lexicon::bytes() const {
  // Of a word, of a text or a key, and of what it hashes to.
  return 48 * words() + 4 * tokens.size() + 96 * (texts.size() + written_.size() + packed_.size());
}

/// Takes back what was added beyond these numbers.
void Lexicon::cut(std::size_t words, std::size_t texts_kept, std::size_t written) {
  terms.resize(words);
  lows.resize(words);
  offsets.resize(words);
  lengths.resize(words);
  values.resize(words);
  capitals.resize(words);
  rarities.resize(words);
  token_ends.resize(words);
  tokens.resize(words == 0 ? 0 : token_ends[words - 1]);
  for (; texts.size() > texts_kept; texts.pop_back()) numbers_.remove_last(texts.back());
  for (; written_.size() > written; written_.pop_back())
    written_numbers_.remove_last(written_.back());
}

std::uint32_t Lexicon::enter(const std::u16string& text) {
  if (const auto known = number_of(text)) return *known;
  const auto number = static_cast<std::uint32_t>(texts.size());
  numbers_.reserve();
  texts.push_back(text);
  numbers_.add(text);
  return number;
}

}  // namespace asof::statements
